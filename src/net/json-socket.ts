/**
 * A WebSocket client that speaks JSON objects in text frames and stays connected: keepalive
 * pings, reconnects with exponential backoff and full jitter, bounded outgoing buffer. The only
 * import of `ws` on the gateway's side. Addresses come from the operator's configuration, never
 * from a caller.
 */
import { chance } from '../domain/randomness.ts'
import { WebSocket } from 'ws'
import type { RawData } from 'ws'
import type { Clock, Timer } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { ConnectGate } from './connect-gate.ts'
import { Inflow } from './inflow.ts'
import { parseFrame, sizeOf } from './json-frame.ts'
import { DEFAULT_TUNING } from './json-socket-tuning.ts'
import type { JsonSocketTuning } from './json-socket-tuning.ts'

export type JsonFrame = Readonly<Record<string, unknown>>

/**
 * Our choice: reading stops for at least this long, so that a peer just beyond its rate does not set a timer with each
 * frame.
 */
const PAUSE_MS = 20

/** Our choice: the parts that the wait for the answer to a probe is counted in. */
const PROBE_BEATS = 5

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
  /**
   * A connection, or an attempt at one, is over, however it ended. Answers when to dial again; nothing for after the
   * backoff. Not raised after `close`.
   */
  over?(ending: SocketEnding): Redialling | void
}

/**
 * When to dial again. `at once` is heeded once in a row, so that two peers that name each other are not dialled without
 * end. `not before` adds to the backoff, up to its step.
 */
export type Redialling = { readonly when: 'at once' } | { readonly when: 'not before'; readonly ms: number }

/** How a connection, or an attempt at one, ended. */
export interface SocketEnding {
  /** The HTTP status of a refused upgrade; null when none was refused. */
  readonly refusedStatus: number | null
  /** The headers of that refusal, in lower case; empty without one. */
  readonly refusedHeaders: Readonly<Record<string, string | readonly string[] | undefined>>
  /** RFC 6455, 7.4; 1006 when the connection was cut, or was never made. */
  readonly closeCode: number
}

/** RFC 6455, 7.4.1: there was no closing handshake. */
const CLOSED_ABNORMALLY = 1006

export interface JsonSocketOptions {
  /** ws: or wss:; or what gives it at each dial, null when there is nobody to dial now. */
  readonly url: string | (() => string | null)
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
  /** Pings the peer, and cuts the connection unless anything is heard within `withinMs`. */
  probe(withinMs: number): void
  /** Stops reading while held, on this connection and the next: the peer waits. */
  hold(isHeld: boolean): void
  /** Sets whether a lost connection is opened again (at first: yes). */
  setReconnect(isWanted: boolean): void
  /** Ends for good, after what was sent has left. Idempotent; `down` is not raised any more. */
  close(): void
}

/** Opens the socket and keeps it open. Throws only when its one address is no ws: or wss: URL. */
export function openJsonSocket(options: JsonSocketOptions, events: JsonSocketEvents): JsonSocket {
  if (typeof options.url === 'string' && !/^wss?:$/.test(new URL(options.url).protocol))
    throw new TypeError('A WebSocket address begins with ws: or wss:.')
  return new ReconnectingSocket(options, events)
}

const NOT_REFUSED = { refusedStatus: null, refusedHeaders: {} } as const

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
  #hasHeard = false
  #refusal: Omit<SocketEnding, 'closeCode'> = NOT_REFUSED
  #hasDialledAtOnce = false
  #redial: Timer | null = null
  #deadline: Timer | null = null
  #keepalive: Timer | null = null
  #probe: Timer | null = null
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

  probe(withinMs: number): void {
    const socket = this.#socket
    if (!this.#isUp || socket?.readyState !== WebSocket.OPEN) return
    this.#hasHeard = false
    socket.ping()
    this.#probe?.cancel()
    this.#awaitProbe(socket, withinMs / PROBE_BEATS, PROBE_BEATS)
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
    const { url: given, headers, clock, log } = this.#options
    const url = typeof given === 'string' ? given : given()
    // It runs later, so that the gate has handed out its leave function by then.
    if (url === null) return queueMicrotask(() => this.#nobody())
    let socket: WebSocket
    try {
      socket = new WebSocket(url, { headers, perMessageDeflate: false, maxPayload: this.#tuning.maxPayloadBytes })
    } catch (error) {
      log.error({ error: errorName(error) }, 'socket could not be made')
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
      this.#refusal = { refusedStatus: response.statusCode ?? null, refusedHeaders: response.headers }
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
    this.#hasHeard = true
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

  /** Waits in beats, because a time in which this process stood still says nothing of the peer. */
  #awaitProbe(socket: WebSocket, beatMs: number, beats: number): void {
    this.#probe = this.#options.clock.after(beatMs, () => {
      if (socket !== this.#socket || this.#hasHeard) return
      // Nothing is heard while nothing is read.
      if (!this.#isReading) this.#awaitProbe(socket, beatMs, PROBE_BEATS)
      else if (beats > 1) this.#awaitProbe(socket, beatMs, beats - 1)
      else socket.terminate()
    })
  }

  #gone(socket: WebSocket | null, closeCode: number): void {
    this.#exitGate()
    if (socket !== this.#socket) return
    this.#socket = null
    this.#stopTimers()
    const [wasUp, refusal] = [this.#isUp, this.#refusal]
    this.#isUp = false
    this.#refusal = NOT_REFUSED
    if (this.#isClosed) return
    const redialling = this.#raise(() => this.#events.over?.({ ...refusal, closeCode }))
    if (wasUp && this.#options.clock.monotonicMs() - this.#upSinceMs >= this.#tuning.stableMs) this.#attempt = 0
    if (wasUp) this.#raise(() => this.#events.down())
    if (this.#isReconnectWanted && !this.#isClosed) this.#scheduleRedial(redialling ?? undefined)
  }

  /** There was nobody to dial: the gate lets the next one in, and the wait grows as after a refusal. */
  #nobody(): void {
    this.#exitGate()
    if (this.#isReconnectWanted && !this.#isClosed && !this.#socket) this.#scheduleRedial()
  }

  #scheduleRedial(redialling?: Redialling): void {
    if (this.#redial) return
    const isAtOnce = redialling?.when === 'at once' && !this.#hasDialledAtOnce
    this.#hasDialledAtOnce = isAtOnce
    const waitMs = isAtOnce ? 0 : this.#backoffMs(redialling?.when === 'not before' ? redialling.ms : 0)
    this.#redial = this.#options.clock.after(waitMs, () => {
      this.#redial = null
      this.#enterGate()
    })
  }

  /** The next wait, at least `floorMs` or the step of the backoff, whichever is less. */
  #backoffMs(floorMs: number): number {
    const stepMs = Math.min(this.#tuning.backoffMaxMs, this.#tuning.backoffMinMs * 2 ** Math.min(this.#attempt, 30))
    this.#attempt += 1
    return Math.min(floorMs, stepMs) + (this.#options.random ?? chance)() * stepMs
  }

  #cancelRedial(): void {
    this.#redial?.cancel()
    this.#redial = null
    if (!this.#socket) this.#exitGate()
  }

  #stopTimers(): void {
    this.#deadline?.cancel()
    this.#keepalive?.cancel()
    this.#probe?.cancel()
  }

  /** A listener that throws must end neither the socket nor the process. */
  #raise<T>(listener: () => T): T | null {
    try {
      return listener()
    } catch (error) {
      this.#options.log.error({ error: errorName(error) }, 'socket listener failed')
      return null
    }
  }
}

/** Gives the name of an error only: messages may quote what must not be logged. */
function errorName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
