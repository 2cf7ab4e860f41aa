import { createHash } from 'node:crypto'
import { isLive } from '../src/domain/call.ts'
import { newId } from '../src/domain/ids.ts'
import { CallLeg } from './call-leg.ts'
import { CallSockets } from './call-sockets.ts'
import { PlaybackQueue } from './playback-queue.ts'
import { PlayoutQueue } from './playout-queue.ts'
import { CLOSE, GRACE_MS, MAX_MARKS } from './protocol.ts'
import type { CallStatus, PlaybackStatus } from '../src/domain/call.ts'
import type { Outcome } from '../src/domain/errors.ts'
import type { PlaybackId } from '../src/domain/ids.ts'
import type { Timer } from '../src/ports/clock.ts'
import type { MediaCall } from '../src/ports/media.ts'
import type { CallParts } from './call-leg.ts'
import type { ClientMessage, ServerMessage, SessionStats } from './protocol.ts'
import type { PlaybackOrigin } from './playback-queue.ts'
import type { PlayoutEvent, QueuedFile } from './playout-items.ts'
import type { RateHz } from './leg.ts'
import type { Session, SessionCall } from './session.ts'

export interface StatusInfo {
  readonly reason?: string
  readonly durationSeconds?: number
  readonly externalCallId?: string
}

const PLAY_WORDS: Readonly<Record<PlaybackStatus, 'queued' | 'started' | 'finished' | 'failed'>> = {
  QUEUED: 'queued', PLAYING: 'started', FINISHED: 'finished', FAILED: 'failed',
}

/** One call on this host: joins its sockets and files to its leg. */
export class LiveCall implements SessionCall {
  readonly leg: CallLeg
  readonly sockets = new CallSockets()
  readonly #parts: CallParts
  readonly #queue = new PlayoutQueue()
  readonly #playback: PlaybackQueue
  #call: MediaCall
  #grace: Timer | null = null
  #hasEnded = false

  constructor(call: MediaCall, parts: CallParts) {
    this.#call = call
    this.#parts = parts
    this.#playback = new PlaybackQueue(parts.playables, this.#queue, parts.clock, (file, status, error) => this.#tellPlayback(file, status, error))
    this.leg = new CallLeg(call.callId, this.#queue, this.sockets, parts, {
      played: (event) => this.#tellPlayout(event),
      digit: (digit, durationMs) => this.sockets.tellAll({ type: 'dtmf', digit, durationMs }),
    })
    if (call.status === 'ACCEPTED') this.leg.begin()
  }

  get call(): MediaCall {
    return this.#call
  }

  get status(): CallStatus {
    return this.#call.status
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Tells the sockets of a transition; ACCEPTED starts the timeline and the queue. */
  setStatus(status: CallStatus, info: StatusInfo): void {
    if (this.#hasEnded) return
    const isNews = status !== this.#call.status
    const { externalCallId, ...told } = info
    this.#call = { ...this.#call, status, ...(externalCallId === undefined ? {} : { externalCallId }) }
    if (isNews) this.sockets.tellAll({ type: 'call', status, ...told })
    if (status === 'ACCEPTED') this.leg.begin()
  }

  /** Ends sockets, after a last `call` message, files and leg. Idempotent. */
  end(status: CallStatus, info: StatusInfo): void {
    if (this.#hasEnded) return
    this.setStatus(status, info)
    this.#hasEnded = true
    this.#grace?.cancel()
    const isNormal = status === 'COMPLETED'
    for (const session of this.sockets.all()) {
      if (session.parameters.statsSeconds > 0) session.tellStats()
      session.close(isNormal ? CLOSE.ended : CLOSE.callEnded, isNormal ? 'call ended' : 'CALL_ENDED')
    }
    this.#playback.close()
    this.leg.close()
  }

  /** This host goes away: sockets are told to come back elsewhere, and the leg is given up without a word. */
  abandon(): void {
    this.#hasEnded = true
    for (const session of this.sockets.all()) session.close(CLOSE.goingAway, 'GOING_AWAY')
    this.#grace?.cancel()
    this.#playback.close()
    this.leg.close()
  }

  /** Takes an open session in: `start` first, then whatever it is to hear. */
  join(session: Session): void {
    if (this.#hasEnded) return session.close(CLOSE.callEnded, 'CALL_ENDED')
    session.start()
    this.sockets.join(session)
    if (session.mode === 'listen') return
    this.#grace?.cancel()
    this.#grace = null
    // Our choice: a new talker starts unpaused and unmuted, since it cannot know of the former's state.
    this.#queue.setPaused(false)
    this.#queue.setPrebuffer(session.parameters.prebufferMs)
    this.leg.isMuted = false
  }

  left(session: Session): void {
    const isTalkerGone = this.sockets.leave(session)
    if (!isTalkerGone || this.#hasEnded) return
    if (session.parameters.onDisconnect === 'hangup') this.#hangUp('CLIENT_DISCONNECTED')
    this.#grace = this.#parts.clock.after(GRACE_MS, () => {
      this.#queue.dropSocketAudio()
      this.leg.isMuted = false
    })
  }

  everySecond(): void {
    for (const session of this.sockets.all()) session.everySecond()
  }

  play(playbackId: PlaybackId, mediaUrl: string, hangupAfterPlay: boolean, origin: PlaybackOrigin): Promise<Outcome<null>> {
    return this.#playback.add({ playbackId, mediaUrl, hangupAfterPlay, origin })
  }

  hearFromClient(samples: Int16Array, rateHz: RateHz): PlayoutEvent | null {
    return this.#queue.pushAudio(samples, rateHz)
  }

  stats(): Omit<SessionStats, 'droppedFrames'> {
    return {
      ...this.leg.stats(),
      queuedMs: this.#queue.queuedMs,
      underruns: this.#queue.underruns,
      tickLateP99Ms: Math.round(this.#parts.mediaClock.latenessP99Ms() * 10) / 10,
    }
  }

  act(message: ClientMessage, session: Session): void {
    switch (message.type) {
      case 'clear': return this.#clear(message, session)
      case 'mark': return this.#mark(message, session)
      case 'pause': return this.#queue.setPaused(true)
      case 'resume': return this.#queue.setPaused(false)
      case 'flush': return this.#queue.flush()
      case 'dtmf': return this.#dial(message.digits, session)
      case 'mute':
        this.leg.isMuted = message.on
        return
      case 'hangup': return this.#hangUpInOrder(message.reason)
      case 'accept': return this.#accept(session)
      case 'play':
        void this.play(newId('play'), message.mediaUrl, message.hangupAfterPlay, 'socket')
        return
      case 'stats':
      case 'ping':
        return
      default:
        message satisfies never
    }
  }

  #clear(message: ClientMessage & { type: 'clear' }, session: Session): void {
    const { events, discardedMs, playedMs, marks } = this.#queue.clear()
    for (const event of events) this.#tellPlayout(event)
    session.tell({ type: 'cleared', ...(message.id === undefined ? {} : { id: message.id }), discardedMs, playedMs, marks })
  }

  #mark(message: ClientMessage & { type: 'mark' }, session: Session): void {
    if (!this.#hasRoom(session)) return
    const reached = this.#queue.pushMark(message.name, message.payload)
    if (reached) this.#tellPlayout(reached)
  }

  #dial(digits: string, session: Session): void {
    if (this.status !== 'ACCEPTED') return session.warn('CALL_NOT_ANSWERED', 'digits can be sent once the call is answered')
    if (this.#hasRoom(session)) this.#queue.pushDigits(digits)
  }

  #hasRoom(session: Session): boolean {
    if (this.#queue.words < MAX_MARKS) return true
    session.warn('TOO_MANY_WAITING', `at most ${MAX_MARKS} marks and digits may wait`)
    return false
  }

  /** Our choice: a hang-up waits for the audio sent before it, unless nothing moves that audio on. */
  #hangUpInOrder(reason: string | null): void {
    if (this.#queue.isEmpty || this.#queue.isPaused || this.status !== 'ACCEPTED' || !this.leg.isOpen) return this.#hangUp(reason)
    this.#queue.pushHangup(reason)
  }

  #hangUp(reason: string | null): void {
    this.#parts.emit({ type: 'hangup', callId: this.#call.callId, reason })
  }

  #accept(session: Session): void {
    if (this.#call.direction !== 'INBOUND' || this.status === 'ACCEPTED' || !isLive(this.status)) {
      return session.warn('CALL_NOT_RINGING', 'only an inbound call that rings can be accepted')
    }
    this.#parts.emit({ type: 'accept', callId: this.#call.callId })
  }

  #tellPlayout(event: PlayoutEvent): void {
    const { talker } = this.sockets
    switch (event.kind) {
      case 'mark': {
        const { name, status, playedMs, payload } = event
        return talker?.tell({ type: 'mark', name, status, playedMs, ...(payload === undefined ? {} : { payload }) })
      }
      case 'drained': return talker?.tell({ type: 'drained', playedMs: event.playedMs })
      case 'buffer': return talker?.tellBuffer(event)
      case 'file': return this.#playback.progress(event.file, event.status, event.error)
      case 'hangup': return this.#hangUp(event.reason)
      case 'digits':
        if (!this.leg.sendDigits(event.digits)) talker?.warn('DTMF_UNAVAILABLE', 'the peer takes no telephone events')
        return
      default:
        event satisfies never
    }
  }

  #tellPlayback(file: QueuedFile & { readonly origin: PlaybackOrigin }, status: PlaybackStatus, error?: string): void {
    const { playbackId, mediaUrl, hangupAfterPlay, origin } = file
    const message: ServerMessage = {
      type: 'play', status: PLAY_WORDS[status], playbackId,
      mediaUrlHash: createHash('sha256').update(mediaUrl).digest('hex'),
      ...(error === undefined ? {} : { error }),
    }
    this.sockets.tellAll(message)
    // The gateway knows a file of REST to be queued by the answer it got.
    if (status === 'QUEUED' && origin === 'rest') return
    const { callId } = this.#call
    this.#parts.emit({ type: 'playback', callId, playbackId, mediaUrl, hangupAfterPlay, status, ...(error === undefined ? {} : { error }) })
  }
}
