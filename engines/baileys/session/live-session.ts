import type { WAMessage, WASocket } from 'baileys'
import type { BridgeSettings } from '../../../src/domain/device-bridge.ts'
import type { MediaShelf } from '../media/media-shelf.ts'
import type { Log } from '../process/log.ts'
import type { EngineEvent } from '../protocol/engine-event.ts'
import type { Answer } from '../socket/answers.ts'
import type { Listen } from '../socket/immediate-events.ts'
import type { Change } from '../store/changes.ts'
import type { NumberStore } from '../store/number-store.ts'

/** Phone numbers of LIDs, as far as this number knows them. */
export interface Lids {
  /**
   * The digits of a person by any address (`...@lid`, `...@s.whatsapp.net`, with or without device); null while
   * unknown.
   */
  phoneOf(jid: string): Promise<string | null>
  /** The LID (`...@lid`) of a phone number in digits, as far as it is remembered; nobody is asked. */
  lidOf(phone: string): Promise<string | null>
  /** Remembers the two addresses of a person. */
  learn(lid: string, phoneJid: string): Promise<void>
}

/** A number as operations and listeners see it. */
export interface LiveSession {
  readonly numberId: string
  /** Digits. */
  readonly number: string
  /**
   * The open socket; it is asked for again after each wait. Throws a Refusal NOT_CONNECTED (retryable) while there is
   * none.
   */
  readonly sock: WASocket
  readonly isOpen: boolean
  readonly store: NumberStore
  readonly lids: Lids
  readonly media: MediaShelf
  /** The settings; those of [engines.bridge.8] are off by default. */
  readonly settings: BridgeSettings
  /** True when the gateway asked for messages from before the pairing. */
  readonly historyImport: boolean
  /** The origin at which the gateway shows its bearer token when it fetches media; null when it never does. */
  readonly mediaBearerOrigin: string | null
  readonly log: Log
  /** Resolves once everything has come that waited at the network for the present socket. */
  caughtUp(): Promise<void>
  /**
   * Resolves to the network's answer to a message, `none` when the present socket ended before. It is called before the
   * message is sent.
   */
  answered(externalId: string): Promise<Answer>
  /** Stores an event and sends it in order; resolves once it is committed. */
  emit(event: EngineEvent): Promise<void>
  /** Stores several events and the changes `also` in one commit, and sends the events in order. */
  emitAll(events: readonly EngineEvent[], also?: readonly Change[]): Promise<void>
  /** Sends an event that is true for seconds, where a gateway listens. It is stored nowhere ([engines.bridge.14]). */
  hint(event: EngineEvent): void
  /**
   * Resolves once at most `limit` events of the number wait for their acknowledgement, or at once when the session
   * ended.
   */
  drained(limit: number): Promise<void>
  /**
   * Runs tasks on arrivals one after another, in the order of the calls, so that chats stay in order. A failure goes to
   * the caller.
   */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** Runs tasks on sends one after another, independent of arrivals. */
  inSendTurn<T>(work: () => Promise<T>): Promise<T>
  /**
   * Delays acknowledgements to the network until `telling` is over, so that the arrivals in it are on the disk by then.
   * A failure goes to the caller.
   */
  holds(telling: Promise<unknown>): void
}

/** A message as the network delivered it, with what the engine knows about it. */
export interface ArrivedMessage {
  readonly message: WAMessage
  readonly historical: boolean
}

/** Listens to each socket of a session. It must neither throw nor wait: it uses `live.inTurn`. */
export type Listener = (live: LiveSession, listen: Listen) => void
