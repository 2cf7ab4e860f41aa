import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Tally } from '../../domain/tally.ts'

/** Bounds of complete answers that clients have not read yet. */
export interface UnreadBounds {
  readonly mostBytes: number
  /** Bytes for one address, or for one network of IPv6. */
  readonly mostBytesOfAddress: number
  /** After this time, in ms, without a byte taken, the connection of an answer is closed. */
  readonly unmovedMs: number
}

/**
 * our choice: a list of 100 messages has 100 KB, and what an honest client is slow to read mostly waits in the kernel,
 * outside of this memory.
 */
export const UNREAD_BOUNDS: UnreadBounds = { mostBytes: 128_000_000, mostBytesOfAddress: 32_000_000, unmovedMs: 30_000 }

interface Unread {
  readonly socket: Socket
  readonly address: string
  readonly bytes: number
}

/**
 * Bounds the memory of answers that clients do not read. When an address goes over its share, its connection that has
 * waited longest is closed; when all together go over theirs, the one that has waited longest of all is.
 */
export class UnreadAnswers {
  readonly #bounds: UnreadBounds
  /** In the order in which they began to wait. */
  readonly #unread = new Map<ServerResponse, Unread>()
  readonly #ofAddress = new Tally<string>()
  #bytes = 0

  constructor(bounds: UnreadBounds) {
    this.#bounds = bounds
  }

  /** Bytes of answers that wait now. */
  get bytes(): number {
    return this.#bytes
  }

  /** Counts an answer from when it is complete until the client has read it. */
  watch(response: ServerResponse, address: string): void {
    response.once('prefinish', () => {
      const { socket } = response
      if (socket && socket.writableLength > 0) this.#add(response, { socket, address, bytes: socket.writableLength })
    })
    response.once('close', () => this.#remove(response))
  }

  #add(response: ServerResponse, unread: Unread): void {
    this.#unread.set(response, unread)
    this.#count(unread.address, unread.bytes)
    while (this.#ofAddress.of(unread.address) > this.#bounds.mostBytesOfAddress) this.#cutFirst(unread.address)
    while (this.#bytes > this.#bounds.mostBytes) this.#cutFirst(null)
  }

  #cutFirst(address: string | null): void {
    for (const [response, unread] of this.#unread) {
      if (address !== null && unread.address !== address) continue
      this.#remove(response)
      unread.socket.destroy()
      return
    }
  }

  #remove(response: ServerResponse): void {
    const unread = this.#unread.get(response)
    if (!unread) return
    this.#unread.delete(response)
    this.#count(unread.address, -unread.bytes)
  }

  #count(address: string, bytes: number): void {
    this.#bytes += bytes
    this.#ofAddress.add(address, bytes)
  }
}
