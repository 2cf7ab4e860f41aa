import { isLive } from '../../src/domain/call.ts'
import { newId } from '../../src/domain/ids.ts'
import { CallLeg } from '../legs/call-leg.ts'
import { Dialling } from '../realtime/dialling.ts'
import { CallSockets } from '../realtime/call-sockets.ts'
import { CLOSE, GRACE_MS, MAX_LISTENERS, MAX_MARKS } from '../realtime/protocol.ts'
import { MAX_QUEUED_MS } from '../playback/playout-items.ts'
import { CallPlayout } from './call-playout.ts'
import { Handover } from './handover.ts'
import type { CallStatus } from '../../src/domain/call.ts'
import type { RealtimeSessionState } from '../../src/domain/realtime-session.ts'
import type { Timer } from '../../src/ports/clock.ts'
import type { MediaCall } from '../../src/ports/media.ts'
import type { RateHz } from '../audio/frame.ts'
import type { CallLegParts } from '../legs/call-leg.ts'
import type { LiveRecording, Recordings } from '../recording/recordings.ts'
import type { PlayoutEvent } from '../playback/playout-items.ts'
import type { DiallingCall, DialParts, WantedDial } from '../realtime/dialling.ts'
import type { ReadBudget, ReadBudgets } from '../realtime/read-budget.ts'
import type { SessionStats } from '../../src/domain/realtime-messages.ts'
import type { ClientMessage } from '../realtime/protocol.ts'
import type { Session } from '../realtime/session.ts'
import type { PlayoutParts } from './call-playout.ts'

/** What the calls of a host share. */
export type CallParts = CallLegParts
  & PlayoutParts & {
    readonly readBudgets: ReadBudgets
    readonly dialling: DialParts
    readonly recordings: Pick<Recordings, 'begin'>
  }

export interface StatusInfo {
  readonly reason?: string
  readonly durationSeconds?: number
  readonly externalCallId?: string
}

/** Our choice: what is queued when a client leaves with `onDisconnect=hangup` is played for at most this many ms. */
const LAST_WORDS_MS = 60_000

/** Our choice: a talking server and as many listening ones as a call may have. */
const MAX_DIALLED = 1 + MAX_LISTENERS

/** One call on this host; it connects its sockets and files with its leg. */
export class LiveCall implements DiallingCall {
  readonly leg: CallLeg
  readonly sockets = new CallSockets()
  readonly playout: CallPlayout
  readonly reading: ReadBudget
  readonly #handover: Handover
  readonly #parts: CallParts
  #call: MediaCall
  readonly #diallings = new Set<Dialling>()
  #grace: Timer | null = null
  #lastWords: Timer | null = null
  #recording: LiveRecording | null = null
  #hasEnded = false

  constructor(call: MediaCall, parts: CallParts) {
    this.#call = call
    this.#parts = parts
    this.reading = parts.readBudgets.open()
    this.playout = new CallPlayout(call.callId, this.sockets, parts, {
      sendDigits: (digits) => this.leg.sendDigits(digits),
      hangUp: (reason) => this.#hangUp(reason),
    })
    this.#handover = new Handover(this.sockets, () => this.#clearForOther())
    this.leg = new CallLeg(call.callId, this.playout, this.sockets, parts)
    if (call.status === 'ACCEPTED') this.#begin()
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

  /** Tells the sockets of a change of status. ACCEPTED starts the timeline and the queue. */
  setStatus(status: CallStatus, info: StatusInfo): void {
    if (this.#hasEnded) return
    const isNews = status !== this.#call.status
    const { externalCallId, ...told } = info
    this.#call = { ...this.#call, status, ...(externalCallId === undefined ? {} : { externalCallId }) }
    if (isNews) this.sockets.tellAll({ type: 'call', status, ...told })
    if (status === 'ACCEPTED') this.#begin()
  }

  /** Has the call recorded from its answer on, or from now on. */
  record(): void {
    this.#call = { ...this.#call, record: true }
    if (this.status === 'ACCEPTED') this.#begin()
  }

  /** Sends a last `call` message, then ends sockets, files and leg. Idempotent. */
  end(status: CallStatus, info: StatusInfo): void {
    if (this.#hasEnded) return
    this.setStatus(status, info)
    this.#hasEnded = true
    this.#stopTimers()
    this.#stopDialling()
    const isNormal = status === 'COMPLETED'
    for (const session of this.sockets.all()) {
      if (session.parameters.statsSeconds > 0) session.tellStats()
      session.close(isNormal ? CLOSE.ended : CLOSE.callEnded, isNormal ? 'call ended' : 'CALL_ENDED')
    }
    this.#close()
  }

  /**
   * Gives the call up because this host goes away: sockets are told to come back elsewhere, and the leg closes
   * silently.
   */
  abandon(): void {
    this.#hasEnded = true
    this.#stopDialling()
    for (const session of this.sockets.all()) session.close(CLOSE.goingAway, 'GOING_AWAY')
    this.#stopTimers()
    this.#close()
  }

  /** Adds an open session: `start` comes first, then all that it hears. */
  join(session: Session): void {
    if (this.#hasEnded) return session.close(CLOSE.callEnded, 'CALL_ENDED')
    session.start()
    this.#handover.join(session)
    if (session.mode === 'talk') this.#beginTalk(session)
  }

  /** Gives the call back to the session that it was taken over from. False when there is none any more. */
  giveBack(): boolean {
    const session = this.#handover.giveBack()
    if (session) this.#beginTalk(session)
    return session !== null
  }

  #beginTalk(session: Session): void {
    this.#grace?.cancel()
    this.#grace = null
    // Our choice: a new talker starts unpaused and unmuted, because it cannot know what the former one set.
    this.playout.queue.setPaused(false)
    this.playout.queue.setPrebuffer(session.parameters.prebufferMs)
    this.leg.isMuted = false
  }

  left(session: Session): void {
    if (this.sockets.leave(session)) this.lose(session.parameters.onDisconnect)
  }

  /**
   * Dials a server, which then is a session like those that connect. False when as many are dialled as may be; a
   * session that is being dialled, or is open, is not dialled again but told again.
   */
  dial(wanted: WantedDial): boolean {
    for (const one of this.#diallings) if (one.isOver) this.#diallings.delete(one)
    const known = [...this.#diallings].find((one) => one.wanted.id === wanted.id)
    if (known) {
      known.tellAgain()
      return true
    }
    if (this.#diallings.size >= MAX_DIALLED) return false
    const dialling = new Dialling({ ...this.#parts.dialling, clock: this.#parts.clock }, this, wanted)
    this.#diallings.add(dialling)
    dialling.begin()
    return true
  }

  tellSession(session: RealtimeSessionState): void {
    this.#parts.emit({ type: 'session', callId: this.#call.callId, session })
  }

  lose(onDisconnect: Session['parameters']['onDisconnect']): void {
    if (this.#hasEnded || this.sockets.talker !== null) return
    if (onDisconnect === 'hangup') return this.#hangUpAfterLastWords()
    this.#grace?.cancel()
    this.#grace = this.#parts.clock.after(GRACE_MS, () => {
      if (onDisconnect === 'grace') return this.#hangUp('CLIENT_DISCONNECTED')
      this.playout.queue.dropSocketAudio()
      this.leg.isMuted = false
    })
  }

  everySecond(): void {
    for (const session of this.sockets.all()) session.everySecond()
  }

  get hasRoom(): boolean {
    const { queue } = this.playout
    return queue.queuedMs < MAX_QUEUED_MS && queue.words < MAX_MARKS
  }

  hearFromClient(samples: Int16Array, rateHz: RateHz, isRefusable: boolean): PlayoutEvent | null {
    return this.playout.queue.pushAudio(samples, rateHz, isRefusable)
  }

  hearPacketFromClient(packet: Uint8Array, slots: number): PlayoutEvent | null {
    return this.playout.queue.pushPacket(packet, slots)
  }

  stats(): Omit<SessionStats, 'droppedFrames'> {
    return {
      ...this.leg.stats(),
      queuedMs: this.playout.queue.queuedMs,
      underruns: this.playout.queue.underruns,
      driftPpm: this.playout.queue.drift.ppm,
      trimmedMs: this.playout.queue.drift.trimmedMs,
      tickLateP99Ms: Math.round(this.#parts.mediaClock.latenessP99Ms() * 10) / 10,
    }
  }

  act(message: ClientMessage, session: Session): void {
    switch (message.type) {
      case 'clear':
        return this.#clear(message, session)
      case 'mark':
        return this.#mark(message, session)
      case 'pause':
        return this.playout.queue.setPaused(true)
      case 'resume':
        return this.playout.queue.setPaused(false)
      case 'flush':
        return this.playout.queue.flush()
      case 'dtmf':
        return this.#dial(message.digits, session)
      case 'mute':
        this.leg.isMuted = message.on
        return
      case 'hangup':
        return this.#hangUpInOrder(message.reason)
      case 'accept':
        return this.#accept(session)
      case 'play':
        void this.playout.play({
          playbackId: newId('play'),
          mediaUrl: message.mediaUrl,
          hangupAfterPlay: message.hangupAfterPlay,
          origin: 'socket',
        })
        return
      case 'stats':
      case 'ping':
        return
      default:
        message satisfies never
    }
  }

  #begin(): void {
    if (this.#call.record && !this.#hasEnded) this.#recording ??= this.#parts.recordings.begin(this.#call.callId)
    this.leg.tap ??= this.#recording?.tap ?? null
    this.leg.begin()
  }

  #close(): void {
    this.playout.close()
    this.leg.close()
    this.#recording?.end()
  }

  #clear(message: ClientMessage & { type: 'clear' }, session: Session): void {
    const { events, discardedMs, playedMs, marks } = this.playout.queue.clear()
    this.leg.clear()
    for (const event of events) this.playout.tell(event)
    session.tell({
      type: 'cleared',
      ...(message.id === undefined ? {} : { id: message.id }),
      discardedMs,
      playedMs,
      marks,
    })
  }

  /** Drops what waits of whoever talked, with digits and the wish to hang up: somebody else has the call now. */
  #clearForOther(): void {
    const { events } = this.playout.queue.clear()
    this.leg.clear()
    for (const event of events) if (event.kind !== 'hangup' && event.kind !== 'digits') this.playout.tell(event)
  }

  #mark(message: ClientMessage & { type: 'mark' }, session: Session): void {
    if (!this.#hasRoom(session)) return
    const reached = this.playout.queue.pushMark(message.name, message.payload)
    if (reached) this.playout.tell(reached)
  }

  #dial(digits: string, session: Session): void {
    if (this.status !== 'ACCEPTED')
      return session.warn('CALL_NOT_ANSWERED', 'digits can be sent once the call is answered')
    if (this.#hasRoom(session)) this.playout.queue.pushDigits(digits)
  }

  #hasRoom(session: Session): boolean {
    if (this.playout.queue.words < MAX_MARKS) return true
    session.warn('TOO_MANY_WAITING', `at most ${MAX_MARKS} marks and digits may wait`)
    return false
  }

  /**
   * Hangs up after the queued audio. A client that joins meanwhile does not stop it; clients that want to come back ask
   * for `grace`.
   */
  #hangUpAfterLastWords(): void {
    this.#lastWords ??= this.#parts.clock.after(LAST_WORDS_MS, () => this.#hangUp('CLIENT_DISCONNECTED'))
    this.#hangUpInOrder('CLIENT_DISCONNECTED')
  }

  /** Those that are open end by their sockets. */
  #stopDialling(): void {
    for (const dialling of this.#diallings) dialling.stop()
  }

  #stopTimers(): void {
    this.#grace?.cancel()
    this.#lastWords?.cancel()
  }

  /** Our choice: a hang-up waits for the audio sent before it, unless nothing plays that audio. */
  #hangUpInOrder(reason: string | null): void {
    if (this.playout.queue.isEmpty || this.playout.queue.isPaused || this.status !== 'ACCEPTED' || !this.leg.isOpen)
      return this.#hangUp(reason)
    this.playout.queue.pushHangup(reason)
  }

  #hangUp(reason: string | null): void {
    this.#lastWords?.cancel()
    this.#parts.emit({ type: 'hangup', callId: this.#call.callId, reason })
  }

  #accept(session: Session): void {
    if (this.#call.direction !== 'INBOUND' || this.status === 'ACCEPTED' || !isLive(this.status)) {
      return session.warn('CALL_NOT_RINGING', 'only an inbound call that rings can be accepted')
    }
    this.#parts.emit({ type: 'accept', callId: this.#call.callId })
  }
}
