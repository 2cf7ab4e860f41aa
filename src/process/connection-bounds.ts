import type { Server, Socket } from 'node:net'
import { countedAddress } from '../domain/counted-address.ts'
import { Tally } from '../domain/tally.ts'
import type { Clock } from '../ports/clock.ts'
import { systemClock } from './clock.ts'

/**
 * Our choice: how long a connection may stay silent, in ms. Clients have something to say at once, and a browser that
 * connects ahead of need connects again.
 */
const SILENT_MS = 10_000
/**
 * Our choice: while more than this many connections are silent, each may stay silent for a second only; the oldest are
 * cut first.
 */
const MOST_SILENT = 256
const CROWDED_MS = 1_000
/** How often silent connections are looked for, in ms. */
const LOOK_MS = 1_000

/** Bounds of a server's connections. A number that is absent sets no bound. */
export interface ConnectionBounds {
  readonly most?: number
  /** Most connections of one address, or of one IPv6 network. */
  readonly mostOfAddress?: number
  /**
   * Whether connections of this address count in the total only, because it is a proxy that carries those of many
   * clients.
   */
  readonly isShared?: (address: string) => boolean
  /** Whether nothing is under way on a connection. Idle connections make room for new ones. */
  readonly isIdle?: (socket: Socket) => boolean
  readonly clock?: Clock
  /** Factor on the allowed silence; above 1 on machines slower than those in service. Default 1. */
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
  /** The address that each connection is counted for, null for a shared one, in order of arrival. */
  readonly #open = new Map<Socket, string | null>()
  readonly #ofAddress = new Tally<string>()
  /** Connections that have sent nothing yet, with the monotonic ms of their arrival, oldest first. */
  readonly #silent = new Map<Socket, number>()
  #isLooking = false

  constructor(bounds: ConnectionBounds) {
    this.#bounds = bounds
    this.#clock = bounds.clock ?? systemClock
    this.#patience = bounds.patience ?? 1
  }

  enter(socket: Socket): void {
    const { remoteAddress } = socket
    // The connection was gone before it could be looked at.
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

  /** Cuts the oldest idle connection among those that `isMeant` selects; false when there is none. */
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

  /** Keeps looking every LOOK_MS while any connection is silent. */
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
