import { CLOSE, MAX_LISTENERS } from './protocol.ts'
import type { PeerAudience } from '../legs/call-leg.ts'
import type { RateHz } from '../audio/frame.ts'
import type { HeardPacket } from '../audio/packet-feed.ts'
import { OpusMessages } from './opus-message.ts'
import type { SessionCodec } from '../../src/domain/realtime-session.ts'
import type { ServerMessage } from './protocol.ts'
import type { Session } from './session.ts'

/** The sockets of one call: at most one that talks and four that listen ([realtime.session.8]). */
export class CallSockets implements PeerAudience {
  #talker: Session | null = null
  readonly #listeners = new Set<Session>()
  readonly #opusMessages = new OpusMessages()

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
      return
    }
    const former = this.#talker
    this.#talker = session
    former?.close(CLOSE.replaced, 'REPLACED')
  }

  /** Removes a session. True when the call has lost its present talker, and not an earlier one. */
  leave(session: Session): boolean {
    this.#listeners.delete(session)
    if (this.#talker !== session) return false
    this.#talker = null
    return true
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
    return [...new Set(this.#takers('pcm16').map((session) => session.parameters.outRate))]
  }

  get wantsPackets(): boolean {
    return this.#takers('opus').length > 0
  }

  digit(digit: string, durationMs: number): void {
    this.tellAll({ type: 'dtmf', digit, durationMs })
  }

  hear(rateHz: RateHz, samples: Int16Array): void {
    for (const session of this.#takers('pcm16')) {
      if (session.parameters.outRate === rateHz) session.hear(samples)
    }
  }

  hearPackets(packets: readonly HeardPacket[]): void {
    const takers = this.#takers('opus')
    for (const packet of packets) {
      const message = this.#opusMessages.next(packet)
      for (const session of takers) session.hearPacket(message)
    }
  }

  #takers(codec: SessionCodec): Session[] {
    return this.all().filter((session) => session.parameters.codec === codec)
  }
}
