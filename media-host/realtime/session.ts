import { HIGH_MS, LOW_MS, MAX_QUEUED_MS } from '../playback/playout-items.ts'
import { CONTROL_FRAME_US, costOf } from './read-budget.ts'
import { CLOSE, MAX_MESSAGE_BYTES, MAX_TEXT_BYTES, PING_MS, SILENT_SOCKET_MS } from './protocol.ts'
import { readOpusMessage } from './opus-message.ts'
import { FrameCutter, SampleReader } from './session-frames.ts'
import { SessionInbox } from './session-inbox.ts'
import { Outbox } from './session-outbox.ts'
import { SessionLimits } from './session-limits.ts'
import { WarningThrottle } from './session-warnings.ts'
import type { CallStatus } from '../../src/domain/call.ts'
import type { RealtimeSessionId } from '../../src/domain/ids.ts'
import type { SessionMode } from '../../src/domain/realtime-session.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { MediaCall } from '../../src/ports/media.ts'
import type { Breach } from './session-limits.ts'
import { PROTOCOL } from '../../src/domain/realtime-session.ts'
import type { ServerMessage, SessionStats } from '../../src/domain/realtime-messages.ts'
import type { ClientMessage, SessionParameters } from './protocol.ts'
import type { Connection, ConnectionListener } from './connection.ts'
import type { DialectCodec, DialectText } from './dialect-codec.ts'
import type { ReadBudget } from './read-budget.ts'
import type { PlayoutEvent } from '../playback/playout-items.ts'
import type { RateHz } from '../audio/frame.ts'
import type { SpeechChange } from '../audio/speech-detector.ts'

/** What a session needs of its call. */
export interface SessionCall {
  readonly call: MediaCall
  readonly status: CallStatus
  /** The budget for reading all sockets of the call. */
  readonly reading: ReadBudget
  /** True while the queue takes more audio and marks. */
  readonly hasRoom: boolean
  /**
   * Queues the audio of a talking client, and answers a change of the buffer, if any. With `isRefusable` it is refused
   * when the queue is full; otherwise the caller looks at `hasRoom`.
   */
  hearFromClient(samples: Int16Array, rateHz: RateHz, isRefusable: boolean): PlayoutEvent | null
  /** The same with an Opus packet of this many slots, which is owned from here. */
  hearPacketFromClient(packet: Uint8Array, slots: number): PlayoutEvent | null
  act(message: ClientMessage, session: Session): void
  stats(): Omit<SessionStats, 'droppedFrames'>
  /** Called when the socket is gone, whoever closed it. */
  left(session: Session): void
}

export interface SessionOptions {
  readonly id: RealtimeSessionId
  readonly mode: SessionMode
  /** True when it takes the call over from the session that talks, which then listens; false when missing. */
  readonly takesOver?: boolean
  /** True when its server was dialled; false when missing. */
  readonly isDialled?: boolean
  readonly parameters: SessionParameters
  readonly codec: DialectCodec
  /** Texts of the tenant for the client's first message; absent when there are none. */
  readonly given?: Readonly<Record<string, string>> | null
  readonly clock: Clock
  /** Counts closes by code. */
  onClosed(code: number): void
  /** Called when the socket is gone with the code of its close, in the place of the call's `left`. */
  onLeft?(code: number): void
  /** Called when the session talks from now on, or listens. */
  onMode?(mode: SessionMode): void
}

/** Messages that a listening client may send. It hears and does not act (our choice). */
const LISTENER_MESSAGES: ReadonlySet<ClientMessage['type']> = new Set(['ping', 'stats'])

/** One realtime socket of a call that speaks `pcm16.v1`. */
export class Session implements ConnectionListener {
  readonly id: RealtimeSessionId
  readonly takesOver: boolean
  readonly isDialled: boolean
  readonly parameters: SessionParameters
  readonly #call: SessionCall
  readonly #connection: Connection
  readonly #codec: DialectCodec
  readonly #given: Readonly<Record<string, string>> | null
  readonly #clock: Clock
  readonly #onClosed: (code: number) => void
  readonly #onLeft: (code: number) => void
  readonly #onMode: (mode: SessionMode) => void
  /** True for a session that talks, or did before it was taken over. */
  readonly #isTalker: boolean
  #mode: SessionMode
  readonly #inbox: SessionInbox
  readonly #outbox: Outbox
  readonly #limits: SessionLimits
  readonly #warnings: WarningThrottle
  readonly #reader = new SampleReader()
  readonly #cutter: FrameCutter
  readonly #startedAtMs: number
  #heardAtMs: number
  #pingedAtMs: number
  #statsAtMs: number
  #isClosed = false
  #closedByUs: number | null = null

  constructor(connection: Connection, call: SessionCall, options: SessionOptions) {
    this.id = options.id
    this.#mode = options.mode
    this.#isTalker = options.mode === 'talk'
    this.takesOver = options.takesOver ?? false
    this.isDialled = options.isDialled ?? false
    this.#given = options.given ?? null
    this.parameters = options.parameters
    this.#call = call
    this.#connection = connection
    this.#codec = options.codec
    this.#clock = options.clock
    this.#onClosed = options.onClosed
    this.#onLeft = options.onLeft ?? (() => call.left(this))
    this.#onMode = options.onMode ?? (() => {})
    this.#inbox = new SessionInbox({
      connection,
      clock: options.clock,
      mayRead: () => call.reading.hasRoom,
      hold: (bytes) => call.reading.hold(bytes),
      release: (bytes) => call.reading.release(bytes),
      hasRoom: () => !this.#codec.isStock || this.mode === 'listen' || call.hasRoom,
      read: (bytes, isBinary) => this.#read(bytes, isBinary),
      overflow: () => this.#fail({ code: CLOSE.rate, name: 'RATE', message: 'more was sent than can be held' }),
    })
    this.#outbox = new Outbox(connection, options.clock)
    this.#limits = new SessionLimits(options.clock)
    this.#warnings = new WarningThrottle(options.clock)
    this.#cutter = new FrameCutter((this.parameters.outRate * this.parameters.frameMs) / 1_000)
    this.#startedAtMs = options.clock.monotonicMs()
    this.#heardAtMs = this.#startedAtMs
    this.#pingedAtMs = this.#startedAtMs
    this.#statsAtMs = this.#startedAtMs
  }

  /** Sends `start`, which comes before anything else. */
  start(): void {
    const { call, status } = this.#call
    const { inRate, outRate, frameMs, codec } = this.parameters
    this.tell({
      type: 'start',
      protocol: PROTOCOL,
      callId: call.callId,
      externalCallId: call.externalCallId,
      direction: call.direction,
      peerNumber: call.peerNumber,
      status,
      mode: this.mode,
      inRate,
      outRate,
      frameMs,
      ...(codec === 'opus' ? { codec } : {}),
      ...(this.#given === null ? {} : { parameters: this.#given }),
      limits: { maxMessageBytes: MAX_MESSAGE_BYTES, highMs: HIGH_MS, lowMs: LOW_MS, maxMs: MAX_QUEUED_MS },
    })
  }

  get mode(): SessionMode {
    return this.#mode
  }

  set mode(mode: SessionMode) {
    this.#mode = mode
    this.#onMode(mode)
  }

  /** The code with which this side closed the socket; null when it did not. */
  get closedByUs(): number | null {
    return this.#closedByUs
  }

  tell(message: ServerMessage): void {
    if (this.#isClosed) return
    const tMs = Math.round(this.#clock.monotonicMs() - this.#startedAtMs)
    for (const text of this.#codec.encode(message, tMs)) this.#outbox.text(text)
  }

  /** Tells a state of the buffer, and ends a session that ignores it. */
  tellBuffer(event: PlayoutEvent & { kind: 'buffer' }): void {
    const breach = this.#limits.buffer(event.state)
    if (breach) return this.#fail(breach)
    if (event.state === 'full' && !this.#limits.mayTellFull()) return
    const { state, queuedMs, droppedMs } = event
    this.tell({ type: 'buffer', queuedMs, state, droppedMs })
  }

  warn(code: string, message: string): void {
    const count = this.#warnings.count(code)
    if (count > 0) this.tell({ type: 'warning', code, message, ...(count > 1 ? { count } : {}) })
  }

  /** Sends the peer's audio; samples are at this session's outRate. */
  hear(samples: Int16Array): void {
    if (this.#isClosed) return
    const send = (): void => this.#cutter.push(samples, (frame) => this.#sendFrame(frame))
    // A single frame leaves at once anyway, so only several are corked.
    if (this.#cutter.framesWith(samples.length) > 1) this.#connection.cork(send)
    else send()
  }

  /** Tells when the peer began or ended to speak, if this client wants to know. */
  tellSpeech({ state, agoMs }: SpeechChange): void {
    if (!this.parameters.speech) return
    const atMs = Math.round(this.#clock.monotonicMs() - this.#startedAtMs - agoMs)
    this.tell({ type: 'speech', state, atMs: Math.max(0, atMs) })
  }

  /** Sends a packet of the peer to a session that takes Opus, behind its header. */
  hearPacket(message: Uint8Array): void {
    if (!this.#isClosed) this.#sendAudio(message)
  }

  #sendFrame(frame: Int16Array): void {
    const encoded = this.#codec.encodeAudio(new Uint8Array(frame.buffer, frame.byteOffset, frame.byteLength))
    if (typeof encoded === 'string') return this.#outbox.text(encoded)
    this.#sendAudio(encoded)
  }

  #sendAudio(bytes: Uint8Array): void {
    if (this.#outbox.audio(bytes) > 0)
      this.warn('AUDIO_DROPPED', 'this socket is read too slowly: its oldest audio was dropped')
  }

  tellStats(): void {
    this.tell({ type: 'stats', ...this.#call.stats(), droppedFrames: this.#outbox.droppedFrames })
  }

  /** Ends the socket; the client reads `reason` in the close frame. Idempotent. */
  close(code: number, reason: string): void {
    if (this.#isClosed) return
    this.#closedByUs = code
    this.#connection.end(code, reason)
    // A connection that is already gone reports no end, so it is handled here.
    this.closed(code)
  }

  /** Sends pings and stats, and checks the health of the socket; called about once a second. */
  everySecond(): void {
    if (this.#isClosed) return
    const nowMs = this.#clock.monotonicMs()
    // A client whose connection is not being read cannot be heard, so it does not count as silent.
    if (this.#inbox.isHolding) this.#heardAtMs = nowMs
    if (this.#outbox.isTooSlow()) return this.close(CLOSE.slowConsumer, 'SLOW_CONSUMER')
    if (nowMs - this.#heardAtMs >= SILENT_SOCKET_MS) return this.close(CLOSE.slowConsumer, 'no frame for 60 s')
    if (nowMs - this.#pingedAtMs >= PING_MS) {
      this.#pingedAtMs = nowMs
      this.#connection.ping()
    }
    const { statsSeconds } = this.parameters
    if (statsSeconds > 0 && nowMs - this.#statsAtMs >= statsSeconds * 1_000) {
      this.#statsAtMs = nowMs
      this.tellStats()
    }
  }

  message(bytes: Uint8Array, isBinary: boolean): void {
    if (this.#isClosed) return
    this.#heardAtMs = this.#clock.monotonicMs()
    this.#inbox.take(bytes, isBinary)
  }

  alive(): void {
    if (this.#isClosed) return
    this.#heardAtMs = this.#clock.monotonicMs()
    this.#call.reading.charge(CONTROL_FRAME_US)
    if (this.#isWithinRate()) this.#inbox.holdIfDue()
  }

  drain(): void {
    if (!this.#isClosed) this.#outbox.drain()
  }

  closed(code: number): void {
    if (this.#isClosed) return
    // What a client sent before it left is still played.
    if (this.#closedByUs === null) this.#inbox.finish()
    if (this.#isClosed) return
    this.#isClosed = true
    this.#inbox.close()
    const closeCode = this.#closedByUs ?? code
    this.#onClosed(closeCode)
    this.#onLeft(closeCode)
  }

  #read(bytes: Uint8Array, isBinary: boolean): void {
    if (this.#isClosed) return
    this.#call.reading.charge(costOf(bytes.byteLength, isBinary, MAX_TEXT_BYTES))
    if (isBinary) return this.#binary(bytes)
    const { isStock, maxTextBytes } = this.#codec
    if (bytes.byteLength <= maxTextBytes)
      return this.#text(this.#codec.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()))
    if (!isStock) return this.#failTooBig('a text message', maxTextBytes)
    this.#text({ kind: 'invalid', problem: `a text message may have at most ${maxTextBytes} bytes` })
  }

  #binary(bytes: Uint8Array): void {
    if (!this.#isFree(bytes) && !this.#isWithinRate()) return
    if (bytes.byteLength > MAX_MESSAGE_BYTES) return this.#failTooBig('a message', MAX_MESSAGE_BYTES)
    if (!this.#codec.takesBinary)
      return this.#fail({ code: CLOSE.badFrame, name: 'BAD_FRAME', message: 'this dialect has no binary messages' })
    this.#audio(bytes)
  }

  /**
   * [realtime.dialects.2]: the audio of stock clients does not count towards the messages of a second, also while the
   * call is taken over from them, which they do not know.
   */
  #isFree(audio: Uint8Array): boolean {
    return this.#codec.isStock && this.#isTalker && audio.byteLength > 0
  }

  #isWithinRate(): boolean {
    const breach = this.#limits.message()
    if (breach) this.#fail(breach)
    return breach === null
  }

  #audio(bytes: Uint8Array): void {
    if (this.mode === 'listen') return this.warn('LISTENER', 'a listening session may not speak')
    const event = this.parameters.codec === 'opus' ? this.#packet(bytes) : this.#samples(bytes)
    if (event?.kind === 'buffer') this.tellBuffer(event)
  }

  #samples(bytes: Uint8Array): PlayoutEvent | null {
    return this.#call.hearFromClient(this.#reader.read(bytes), this.parameters.inRate, !this.#codec.isStock)
  }

  #packet(bytes: Uint8Array): PlayoutEvent | null {
    const read = readOpusMessage(bytes)
    if (read.ok) return this.#call.hearPacketFromClient(read.packet.slice(), read.slots)
    this.#fail({ code: CLOSE.badFrame, name: 'BAD_FRAME', message: read.problem })
    return null
  }

  #text(read: DialectText): void {
    const isFree = read.kind === 'audio' && this.#isFree(read.bytes)
    if (!isFree && !this.#isWithinRate()) return
    switch (read.kind) {
      case 'audio':
        return this.#audio(read.bytes)
      case 'message':
        return this.#act(read.message)
      case 'badJson':
        if (!this.#codec.isStock)
          return this.#fail({ code: CLOSE.badJson, name: 'BAD_JSON', message: 'a text message must be JSON' })
        return this.warn('BAD_JSON', 'a text message must be JSON')
      case 'unknown':
        this.warn('UNKNOWN_MESSAGE', `unknown message type ${read.type}`)
        return this.#failOn(this.#limits.unknown())
      case 'invalid':
        this.warn('INVALID_MESSAGE', read.problem)
        return this.#failOn(this.#limits.invalid())
      default:
        read satisfies never
    }
  }

  #act(message: ClientMessage): void {
    if (this.mode === 'listen' && !LISTENER_MESSAGES.has(message.type)) {
      return this.warn('LISTENER', `a listening session may not ${message.type}`)
    }
    if (message.type === 'ping')
      return this.tell({ type: 'pong', ...(message.id === undefined ? {} : { id: message.id }) })
    if (message.type === 'stats') return this.tellStats()
    this.#call.act(message, this)
  }

  #failTooBig(what: string, bytes: number): void {
    this.#fail({ code: CLOSE.tooBig, name: 'MESSAGE_TOO_BIG', message: `${what} may have at most ${bytes} bytes` })
  }

  #failOn(breach: Breach | null): void {
    if (breach) this.#fail(breach)
  }

  #fail(breach: Breach): void {
    this.tell({ type: 'error', code: breach.name, message: breach.message, fatal: true })
    this.close(breach.code, breach.name)
  }
}
