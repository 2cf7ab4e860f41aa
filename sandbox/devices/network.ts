import type { CallMediaKind } from '../../src/domain/call-media.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { CallBook } from './call-book.ts'
import { createCredentials, type Credentials } from './credentials.ts'
import { History } from './history.ts'
import { MessageBook } from './message-book.ts'
import { MessageFetcher } from './message-media.ts'
import { People } from './people.ts'
import { encodeSounds, type Sounds } from './phone-opus.ts'
import { Rooms } from './rooms.ts'
import { TypingLog } from '../typing.ts'
import { DeviceSession } from './session.ts'

export interface NetworkOptions {
  readonly clock: Clock
  readonly bridgeToken: string | null
  readonly autopair: boolean
}

/** The simulated network of QR-paired devices: sessions of gateway numbers, calls and messages with peers. */
export class DeviceNetwork {
  readonly calls: CallBook
  readonly rooms = new Rooms()
  readonly people = new People()
  readonly media = new MessageFetcher()
  readonly typing = new TypingLog()
  readonly messages: MessageBook
  readonly history: History
  readonly #callMedia = new Map<string, CallMediaKind>()
  readonly #sessions = new Map<string, DeviceSession>()
  readonly #options: NetworkOptions
  readonly #credentials: Credentials

  private constructor(options: NetworkOptions, sounds: Sounds) {
    this.#options = options
    this.#credentials = createCredentials(options.bridgeToken)
    this.calls = new CallBook(options.clock, sounds, (number) => this.sessionsOf(number).filter(({ isOpen }) => isOpen))
    this.messages = new MessageBook({
      clock: options.clock,
      rooms: this.rooms,
      people: this.people,
      media: this.media,
    })
    this.history = new History((session, message) => void this.messages.receive(session, message))
  }

  static async open(options: NetworkOptions): Promise<DeviceNetwork> {
    return new DeviceNetwork(options, await encodeSounds())
  }

  /** Ms since the epoch. */
  now(): number {
    return this.#options.clock.now()
  }

  /** Finds or makes the session of a gateway number. */
  session(numberId: string): DeviceSession {
    const known = this.#sessions.get(numberId)
    if (known) return known
    const { clock, autopair } = this.#options
    const session = new DeviceSession(numberId, {
      clock,
      autopair,
      callMedia: (number) => this.callMedia(number),
      credentials: this.#credentials,
      paired: (paired) => void this.history.burst(paired),
    })
    this.#sessions.set(numberId, session)
    return session
  }

  /** Sessions of a phone number, the one opened last first: several tenants may hold the same number. */
  sessionsOf(number: string): DeviceSession[] {
    return this.sessions()
      .filter((session) => session.number === number)
      .toSorted((a, b) => b.openedAt - a.openedAt)
  }

  sessions(): DeviceSession[] {
    return [...this.#sessions.values()]
  }

  /** The kind of audio leg that the phone of a gateway number offers. */
  callMedia(number: string): CallMediaKind {
    return this.#callMedia.get(number) ?? 'webrtc'
  }

  /**
   * Sets the kind. A gateway learns the kinds of calls when it starts a session, so the sessions of the number are
   * started again.
   */
  async setCallMedia(number: string, kind: CallMediaKind): Promise<void> {
    if (this.callMedia(number) === kind) return
    this.#callMedia.set(number, kind)
    await Promise.all(this.sessionsOf(number).map((session) => session.restart()))
  }

  /** Unlinks a number; its calls end with it. False when it was not linked. */
  logout(session: DeviceSession): boolean {
    if (session.isOpen) this.calls.endAll(session.numberId)
    return session.logout()
  }

  /** Bans a number; its calls end with it. False when it was closed already. */
  ban(session: DeviceSession): boolean {
    if (session.isOpen) this.calls.endAll(session.numberId)
    return session.ban()
  }

  /**
   * Forgets sessions, calls, messages, groups and newsletters, and cuts every socket. Credentials stay valid: gateways
   * come back with them.
   */
  reset(): void {
    this.calls.reset()
    this.messages.reset()
    this.media.clear()
    this.typing.clear()
    this.rooms.clear()
    this.people.clear()
    this.history.clear()
    this.#callMedia.clear()
    for (const session of this.#sessions.values()) session.dispose()
    this.#sessions.clear()
  }
}
