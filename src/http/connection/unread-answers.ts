import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Tally } from '../../domain/tally.ts'

/** Bytes of answers that are whole and that clients did not read yet: what they may come to. */
export interface UnreadBounds {
  readonly mostBytes: number
  /** Of one address, or network of IPv6. */
  readonly mostBytesOfAddress: number
  /** An answer of which no byte moved for so long is nobody's any more. */
  readonly unmovedMs: number
}

/**
 * Our choice: a list of 100 messages has 100 KB, and what an honest client is slow to read is mostly with its kernel
 * already.
 */
export const UNREAD_BOUNDS: UnreadBounds = { mostBytes: 128_000_000, mostBytesOfAddress: 32_000_000, unmovedMs: 30_000 }

interface Unread {
  readonly socket: Socket
  readonly address: string
  readonly bytes: number
}

/**
 * Bounds what is kept in memory for clients that do not read: an address that goes over its share loses the connection
 * that has been waiting for longest, and so does, of all, whoever waits for longest once all together go over theirs.
 */
export class UnreadAnswers {
  readonly #bounds: UnreadBounds
  /** The one that waits for longest first. */
  readonly #unread = new Map<ServerResponse, Unread>()
  readonly #ofAddress = new Tally<string>()
  #bytes = 0

  constructor(bounds: UnreadBounds) {
    this.#bounds = bounds
  }

  /** Bytes that wait now. */
  get bytes(): number {
    return this.#bytes
  }

  /** Counts an answer from when it is whole until it was read. */
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
