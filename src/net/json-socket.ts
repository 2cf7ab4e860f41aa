/**
 * A WebSocket client that speaks JSON objects in text frames and stays connected: keepalive
 * pings, reconnects with exponential backoff and full jitter, bounded outgoing buffer. The only
 * import of `ws` on the gateway's side. Addresses come from the operator's configuration, never
 * from a caller.
 */
import { WebSocket } from 'ws'
import type { RawData } from 'ws'
import type { Clock, Timer } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { Inflow } from './inflow.ts'

export type JsonFrame = Readonly<Record<string, unknown>>

/** How a socket behaves; every value is our choice unless its comment names a source. */
export interface JsonSocketTuning {
  /** First step of the backoff; the wait is drawn from 0 to the step (full jitter). */
  readonly backoffMinMs: number
  readonly backoffMaxMs: number
  /** A connection that lived this long starts the backoff anew. */
  readonly stableMs: number
  readonly connectTimeoutMs: number
  readonly keepaliveMs: number
  /**
   * A connection with nothing heard for this long, pongs included, is dead. It is counted in beats, while this process
   * runs: a time in which the process stood still says nothing of the peer.
   */
  readonly deadAfterMs: number
  /** Larger frames of the peer end the connection with 1009 (RFC 6455, 7.4.1). */
  readonly maxPayloadBytes: number
  /** Frames are refused while this much waits for the network. */
  readonly maxBufferedBytes: number
  /** What the peer sends beyond these rates is read later. */
  readonly maxFramesPerSecond: number
  readonly maxBytesPerSecond: number
}

export const DEFAULT_TUNING: JsonSocketTuning = {
  backoffMinMs: 100,
  backoffMaxMs: 5_000,
  stableMs: 5_000,
  connectTimeoutMs: 10_000,
  keepaliveMs: 15_000,
  deadAfterMs: 45_000,
  maxPayloadBytes: 16 * 1024 * 1024,
  maxBufferedBytes: 8 * 1024 * 1024,
  maxFramesPerSecond: Number.POSITIVE_INFINITY,
  maxBytesPerSecond: Number.POSITIVE_INFINITY,
}

/**
 * Our choice: reading stops for at least this long, so that a peer just beyond its rate does not set a timer with each
 * frame.
 */
const PAUSE_MS = 20

/** How long a closing handshake may take before the connection is cut (our choice). */
const CLOSE_GRACE_MS = 1_000

export interface JsonSocketEvents {
  /** Connected; frames sent from here on arrive in order. */
  up(): void
  /** A connection that was up is gone. */
  down(): void
  frame(frame: JsonFrame): void
  /** A frame that is no JSON object was dropped. */
  malformed?(): void
  /** A connection, or an attempt at one, is over, however it ended. Not raised after `close`. */
  over?(ending: SocketEnding): void
}

/** How a connection, or an attempt at one, ended. */
export interface SocketEnding {
  /** The HTTP status of a refused upgrade; null when none was refused. */
  readonly refusedStatus: number | null
  /** RFC 6455, 7.4; 1006 when the connection was cut, or was never made. */
  readonly closeCode: number
}

/** RFC 6455, 7.4.1: there was no closing handshake. */
const CLOSED_ABNORMALLY = 1006

export interface JsonSocketOptions {
  /** ws: or wss:. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly log: Log
  readonly tuning?: Partial<JsonSocketTuning>
  /** A shared limit of connects under way. */
  readonly gate?: ConnectGate
  /** Gives 0 to 1, for the jitter. */
  readonly random?: () => number
}

export interface JsonSocket {
  readonly isUp: boolean
  /** False when the frame was not taken: no connection, or the buffer is full. */
  send(frame: object): boolean
  /** Cuts the connection; it is opened again after the backoff. */
  drop(): void
  /** Stops reading while held, on this connection and the next: the peer waits. */
  hold(isHeld: boolean): void
  /** Sets whether a lost connection is opened again (at first: yes). */
  setReconnect(isWanted: boolean): void
  /** Ends for good, after what was sent has left. Idempotent; `down` is not raised any more. */
  close(): void
}

/** Lets a limited number of connects run at once; the others wait in order. */
export interface ConnectGate {
  /**
   * Calls `dial` when its turn has come. The caller calls the answer once the connect has ended, or to leave the queue.
   */
  enter(dial: () => void): () => void
}

/** Makes a gate for all sockets that share it. */
export function createConnectGate(limit: number): ConnectGate {
  const waiting = new Set<() => void>()
  let dialing = 0
  function admit(): void {
    for (const dial of waiting) {
      if (dialing >= limit) return
      waiting.delete(dial)
      dialing += 1
      dial()
    }
  }
  return {
    enter(dial) {
      let state: 'waiting' | 'dialing' | 'left' = 'waiting'
      const start = (): void => {
        state = 'dialing'
        dial()
      }
      waiting.add(start)
      admit()
      return () => {
        if (state === 'waiting') waiting.delete(start)
        if (state === 'dialing') dialing -= 1
        state = 'left'
        admit()
      }
    },
  }
}

/** Opens the socket and keeps it open. Throws only when the address is no ws: or wss: URL. */
export function openJsonSocket(options: JsonSocketOptions, events: JsonSocketEvents): JsonSocket {
  const { protocol } = new URL(options.url)
  if (protocol !== 'ws:' && protocol !== 'wss:') throw new TypeError('A WebSocket address begins with ws: or wss:.')
  return new ReconnectingSocket(options, events)
}

class ReconnectingSocket implements JsonSocket {
  readonly #options: JsonSocketOptions
  readonly #events: JsonSocketEvents
  readonly #tuning: JsonSocketTuning
  #socket: WebSocket | null = null
  #isUp = false
  #isClosed = false
  #isReconnectWanted = true
  #attempt = 0
  #upSinceMs = 0
  #silentBeats = 0
  #refusedStatus: number | null = null
  #redial: Timer | null = null
  #deadline: Timer | null = null
  #keepalive: Timer | null = null
  #leaveGate: (() => void) | null = null
  readonly #inflow: Inflow
  #isHeld = false
  /** Set while the peer is ahead of its rates; null otherwise. */
  #pause: Timer | null = null

  constructor(options: JsonSocketOptions, events: JsonSocketEvents) {
    this.#options = options
    this.#events = events
    this.#tuning = { ...DEFAULT_TUNING, ...options.tuning }
    const { maxFramesPerSecond: framesPerSecond, maxBytesPerSecond: bytesPerSecond } = this.#tuning
    this.#inflow = new Inflow({ framesPerSecond, bytesPerSecond })
    this.#enterGate()
  }

  get isUp(): boolean {
    return this.#isUp
  }

  send(frame: object): boolean {
    const socket = this.#socket
    if (!this.#isUp || !socket || socket.readyState !== WebSocket.OPEN) return false
    const text = JSON.stringify(frame)
    if (socket.bufferedAmount + Buffer.byteLength(text) > this.#tuning.maxBufferedBytes) return false
    // A failed write ends the connection, which is reported by its close event.
    socket.send(text, () => {})
    return true
  }

  drop(): void {
    this.#socket?.terminate()
  }

  hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return
    this.#isHeld = isHeld
    this.#readOrWait()
  }

  setReconnect(isWanted: boolean): void {
    this.#isReconnectWanted = isWanted
    if (isWanted && !this.#socket && !this.#redial && !this.#leaveGate) this.#scheduleRedial()
    if (!isWanted) this.#cancelRedial()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#isUp = false
    this.#cancelRedial()
    this.#stopTimers()
    this.#pause?.cancel()
    const socket = this.#socket
    if (!socket) return
    socket.close(1000)
    this.#options.clock.after(CLOSE_GRACE_MS, () => socket.terminate())
  }

  #enterGate(): void {
    const { gate } = this.#options
    if (gate) this.#leaveGate = gate.enter(() => this.#dial())
    else this.#dial()
  }

  #exitGate(): void {
    const leave = this.#leaveGate
    this.#leaveGate = null
    leave?.()
  }

  #dial(): void {
    const { url, headers, clock, log } = this.#options
    let socket: WebSocket
    try {
      socket = new WebSocket(url, { headers, perMessageDeflate: false, maxPayload: this.#tuning.maxPayloadBytes })
    } catch (error) {
      log.error({ error: errorName(error) }, 'socket could not be made')
      // It runs later, so that the gate has handed out its leave function by then.
      queueMicrotask(() => this.#gone(null, CLOSED_ABNORMALLY))
      return
    }
    this.#socket = socket
    this.#deadline = clock.after(this.#tuning.connectTimeoutMs, () => socket.terminate())
    socket.on('open', () => this.#opened(socket))
    socket.on('message', (data, isBinary) => this.#received(socket, data, isBinary))
    socket.on('ping', () => this.#heard())
    socket.on('pong', () => this.#heard())
    socket.on('unexpected-response', (_request, response) => {
      log.warn({ status: response.statusCode }, 'socket upgrade refused')
      this.#refusedStatus = response.statusCode ?? null
      socket.terminate()
    })
    socket.on('error', (error) => log.debug({ error: errorName(error) }, 'socket error'))
    socket.on('close', (code) => this.#gone(socket, code))
  }

  #opened(socket: WebSocket): void {
    this.#deadline?.cancel()
    this.#exitGate()
    if (this.#isClosed || socket !== this.#socket) return
    this.#isUp = true
    this.#upSinceMs = this.#options.clock.monotonicMs()
    this.#heard()
    this.#beat(socket)
    this.#readOrWait()
    this.#raise(() => this.#events.up())
  }

  #received(socket: WebSocket, data: RawData, isBinary: boolean): void {
    if (this.#isClosed || socket !== this.#socket) return
    this.#heard()
    if (this.#inflow.take(sizeOf(data), this.#options.clock.monotonicMs()) > 0) this.#waitForPeer()
    const frame = isBinary ? null : parseFrame(data)
    this.#raise(() => (frame ? this.#events.frame(frame) : this.#events.malformed?.()))
  }

  #heard(): void {
    this.#silentBeats = 0
  }

  get #isReading(): boolean {
    return !this.#isHeld && this.#pause === null
  }

  #readOrWait(): void {
    if (this.#isReading) this.#socket?.resume()
    else this.#socket?.pause()
  }

  /** Reads on once the peer is within its rates; frames of a new connection wait, too. */
  #waitForPeer(): void {
    if (this.#pause) return
    const { clock } = this.#options
    this.#pause = clock.after(Math.max(PAUSE_MS, this.#inflow.behindMs(clock.monotonicMs())), () => {
      this.#pause = null
      if (this.#inflow.behindMs(clock.monotonicMs()) > 0) this.#waitForPeer()
      this.#readOrWait()
    })
    this.#readOrWait()
  }

  /** Pings at a steady pace and cuts a connection that has gone silent. */
  #beat(socket: WebSocket): void {
    const { keepaliveMs, deadAfterMs } = this.#tuning
    this.#keepalive = this.#options.clock.after(keepaliveMs, () => {
      if (socket !== this.#socket) return
      // Nothing is heard while nothing is read.
      this.#silentBeats = this.#isReading ? this.#silentBeats + 1 : 0
      if (this.#silentBeats * keepaliveMs >= deadAfterMs) {
        socket.terminate()
        return
      }
      if (socket.readyState === WebSocket.OPEN) socket.ping()
      this.#beat(socket)
    })
  }

  #gone(socket: WebSocket | null, closeCode: number): void {
    this.#exitGate()
    if (socket !== this.#socket) return
    this.#socket = null
    this.#stopTimers()
    const [wasUp, refusedStatus] = [this.#isUp, this.#refusedStatus]
    this.#isUp = false
    this.#refusedStatus = null
    if (this.#isClosed) return
    this.#raise(() => this.#events.over?.({ refusedStatus, closeCode }))
    if (wasUp && this.#options.clock.monotonicMs() - this.#upSinceMs >= this.#tuning.stableMs) this.#attempt = 0
    if (wasUp) this.#raise(() => this.#events.down())
    if (this.#isReconnectWanted && !this.#isClosed) this.#scheduleRedial()
  }

  #scheduleRedial(): void {
    if (this.#redial) return
    const stepMs = Math.min(this.#tuning.backoffMaxMs, this.#tuning.backoffMinMs * 2 ** Math.min(this.#attempt, 30))
    this.#attempt += 1
    this.#redial = this.#options.clock.after((this.#options.random ?? Math.random)() * stepMs, () => {
      this.#redial = null
      this.#enterGate()
    })
  }

  #cancelRedial(): void {
    this.#redial?.cancel()
    this.#redial = null
    if (!this.#socket) this.#exitGate()
  }

  #stopTimers(): void {
    this.#deadline?.cancel()
    this.#keepalive?.cancel()
  }

  /** A listener that throws must end neither the socket nor the process. */
  #raise(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      this.#options.log.error({ error: errorName(error) }, 'socket listener failed')
    }
  }
}

function parseFrame(data: RawData): JsonFrame | null {
  try {
    const value: unknown = JSON.parse(textOf(data))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

function sizeOf(data: RawData): number {
  return Array.isArray(data) ? data.reduce((sum, { length }) => sum + length, 0) : data.byteLength
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8')
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8')
}

/** Gives the name of an error only: messages may quote what must not be logged. */
function errorName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
