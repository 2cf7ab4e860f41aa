import type { Server, Socket } from 'node:net'
import { countedAddress } from '../domain/counted-address.ts'
import { Tally } from '../domain/tally.ts'
import type { Clock } from '../ports/clock.ts'
import { systemClock } from './clock.ts'

/**
 * Our choice, in ms: whoever connects has something to say at once; browsers that connect ahead of need connect again.
 */
const SILENT_MS = 10_000
/** Our choice: more than so many that said nothing yet wait no longer than a second, the first of them first. */
const MOST_SILENT = 256
const CROWDED_MS = 1_000
/** How often is looked for them. */
const LOOK_MS = 1_000

/** Absent numbers: as many as come. */
export interface ConnectionBounds {
  readonly most?: number
  /** Of one address, or network of IPv6. */
  readonly mostOfAddress?: number
  /** Whether an address is counted in all alone: that of a proxy, which carries those of many. */
  readonly isShared?: (address: string) => boolean
  /** Whether nothing is under way on a connection: such make room for new ones. */
  readonly isIdle?: (socket: Socket) => boolean
  readonly clock?: Clock
  /** How many times longer than in service is waited for what a client sends. */
  readonly patience?: number
}

/** Bounds the connections of a server: how many there are, and how long one may be open before its first byte. */
export function boundConnections(server: Server, bounds: ConnectionBounds = {}): void {
  const connections = new Connections(bounds)
  server.on('connection', (socket: Socket) => connections.enter(socket))
}

class Connections {
  readonly #bounds: ConnectionBounds
  readonly #clock: Clock
  readonly #patience: number
  /** By whom each is counted, null for nobody, in the order in which they came. */
  readonly #open = new Map<Socket, string | null>()
  readonly #ofAddress = new Tally<string>()
  /** Since when those are open that sent nothing yet, in monotonic ms, the first first. */
  readonly #silent = new Map<Socket, number>()
  #isLooking = false

  constructor(bounds: ConnectionBounds) {
    this.#bounds = bounds
    this.#clock = bounds.clock ?? systemClock
    this.#patience = bounds.patience ?? 1
  }

  enter(socket: Socket): void {
    const { remoteAddress } = socket
    // Gone before it was looked at.
    if (remoteAddress === undefined) return void socket.destroy()
    const { most = Infinity, mostOfAddress = Infinity, isShared = () => false } = this.#bounds
    const address = isShared(remoteAddress) ? null : countedAddress(remoteAddress)
    const hasRoom =
      (address === null || this.#ofAddress.of(address) < mostOfAddress || this.#makeRoom((one) => one === address))
      && (this.#open.size < most || this.#makeRoom(() => true))
    if (!hasRoom) return void socket.destroy()
    this.#open.set(socket, address)
    if (address !== null) this.#ofAddress.add(address, 1)
    this.#silent.set(socket, this.#clock.monotonicMs())
    socket.once('close', () => this.#leave(socket))
    this.#look()
  }

  #leave(socket: Socket): void {
    const address = this.#open.get(socket) ?? null
    if (!this.#open.delete(socket)) return
    this.#silent.delete(socket)
    if (address !== null) this.#ofAddress.add(address, -1)
  }

  /** Cuts the oldest connection that is idle, of those that are meant; false where there is none. */
  #makeRoom(isMeant: (address: string | null) => boolean): boolean {
    const { isIdle = () => false } = this.#bounds
    for (const [socket, address] of this.#open) {
      if (!isMeant(address) || !isIdle(socket)) continue
      this.#cut(socket)
      return true
    }
    return false
  }

  #cut(socket: Socket): void {
    this.#leave(socket)
    socket.destroy()
  }

  /** Looks from time to time, as long as any connection is silent. */
  #look(): void {
    if (this.#isLooking || this.#silent.size === 0) return
    this.#isLooking = true
    this.#clock.after(LOOK_MS, () => {
      this.#isLooking = false
      this.#cutSilent()
      this.#look()
    })
  }

  #cutSilent(): void {
    for (const socket of this.#silent.keys()) if (socket.bytesRead > 0) this.#silent.delete(socket)
    const nowMs = this.#clock.monotonicMs()
    for (const [socket, sinceMs] of this.#silent) {
      const allowedMs = this.#silent.size > MOST_SILENT ? CROWDED_MS : SILENT_MS
      if (nowMs - sinceMs < allowedMs * this.#patience) return
      this.#cut(socket)
    }
  }
}
