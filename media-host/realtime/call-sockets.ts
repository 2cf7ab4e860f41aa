import { SpeechDetector } from '../audio/speech-detector.ts'
import { OpusMessages } from './opus-message.ts'
import { CLOSE, MAX_LISTENERS } from './protocol.ts'
import type { PeerAudience } from '../legs/call-leg.ts'
import type { RateHz } from '../audio/frame.ts'
import type { HeardPacket } from '../audio/packet-feed.ts'
import type { ServerMessage } from '../../src/domain/realtime-messages.ts'
import type { Session } from './session.ts'

/** Speech is told from noise at the lowest rate where nobody wants samples. */
const SPEECH_RATE_HZ = 8_000

/** What the sockets of a call want to hear. It is found when they come and go, because it is asked for in each slot. */
interface Wants {
  readonly ofSamples: readonly Session[]
  readonly ofPackets: readonly Session[]
  readonly rates: RateHz[]
  /** The rate at which speech is looked for; null when nobody wants to know. */
  readonly speechRate: RateHz | null
}

/** The sockets of one call: at most one that talks and four that listen ([realtime.session.8]). */
export class CallSockets implements PeerAudience {
  #talker: Session | null = null
  readonly #listeners = new Set<Session>()
  readonly #opusMessages = new OpusMessages()
  #speech: SpeechDetector | null = null
  #wants: Wants = wantsOf([])

  get talker(): Session | null {
    return this.#talker
  }

  get size(): number {
    return this.#listeners.size + (this.#talker ? 1 : 0)
  }

  get isFullOfListeners(): boolean {
    return this.#listeners.size >= MAX_LISTENERS
  }

  /** Adds a session. A talking one replaces the one before it (4409). */
  join(session: Session): void {
    if (session.mode === 'listen') {
      this.#listeners.add(session)
      return this.#look()
    }
    const former = this.#talker
    this.#talker = session
    this.#look()
    former?.close(CLOSE.replaced, 'REPLACED')
  }

  /** Makes a session the talking one. The one before it listens from now on, beside as many as there are. */
  takeOver(session: Session): void {
    const former = this.#talker
    this.#listeners.delete(session)
    if (former) this.#listeners.add(former)
    this.#talker = session
    this.#look()
    if (former) former.mode = 'listen'
  }

  /** Removes a session. True when the call has lost its present talker, and not an earlier one. */
  leave(session: Session): boolean {
    this.#listeners.delete(session)
    const wasTalking = this.#talker === session
    if (wasTalking) this.#talker = null
    this.#look()
    return wasTalking
  }

  /** All sockets, as a copy, because telling one of them may end it. */
  all(): Session[] {
    return this.#talker ? [this.#talker, ...this.#listeners] : [...this.#listeners]
  }

  tellAll(message: ServerMessage): void {
    for (const session of this.all()) session.tell(message)
  }

  /** The rates the sockets want to hear, each once. */
  rates(): RateHz[] {
    return this.#wants.rates
  }

  get wantsPackets(): boolean {
    return this.#wants.ofPackets.length > 0
  }

  digit(digit: string, durationMs: number): void {
    this.tellAll({ type: 'dtmf', digit, durationMs })
  }

  hear(rateHz: RateHz, samples: Int16Array): void {
    const { ofSamples, speechRate } = this.#wants
    for (const session of ofSamples) if (session.parameters.outRate === rateHz) session.hear(samples)
    if (rateHz !== speechRate) return
    const change = this.#speech?.observe(samples)
    if (change) for (const session of this.all()) session.tellSpeech(change)
  }

  hearPackets(packets: readonly HeardPacket[]): void {
    const { ofPackets } = this.#wants
    for (const packet of packets) {
      const message = this.#opusMessages.next(packet)
      for (const session of ofPackets) session.hearPacket(message)
    }
  }

  #look(): void {
    this.#wants = wantsOf(this.all())
    this.#speech = this.#wants.speechRate === null ? null : (this.#speech ?? new SpeechDetector())
  }
}

function wantsOf(sessions: readonly Session[]): Wants {
  const ofSamples = sessions.filter(({ parameters }) => parameters.codec === 'pcm16')
  const ofPackets = sessions.filter(({ parameters }) => parameters.codec === 'opus')
  const rates = [...new Set(ofSamples.map(({ parameters }) => parameters.outRate))]
  const hasSpeech = sessions.some(({ parameters }) => parameters.speech)
  if (hasSpeech && rates.length === 0) rates.push(SPEECH_RATE_HZ)
  return { ofSamples, ofPackets, rates, speechRate: hasSpeech ? (rates[0] ?? null) : null }
}
