import type { WAMessage, WASocket } from 'baileys'
import type { BridgeSettings } from '../../../src/domain/device-bridge.ts'
import type { MediaShelf } from '../media/media-shelf.ts'
import type { Log } from '../process/log.ts'
import type { EngineEvent } from '../protocol/engine-event.ts'
import type { Listen } from '../socket/immediate-events.ts'
import type { NumberStore } from '../store/number-store.ts'

/** Phone numbers behind LIDs, as far as this number knows them. */
export interface Lids {
  /**
   * Digits behind any address of a person (`...@lid`, `...@s.whatsapp.net`, with or without device); null while
   * unknown.
   */
  phoneOf(jid: string): Promise<string | null>
  /** Remembers a pair of addresses. */
  learn(lid: string, phoneJid: string): Promise<void>
}

/** One number as the handlers of operations and the listeners of the network see it. */
export interface LiveSession {
  readonly numberId: string
  /** Digits. */
  readonly number: string
  /**
   * The open socket of the moment; ask for it anew after each wait. Throws a refusal NOT_CONNECTED (retryable) while
   * there is none.
   */
  readonly sock: WASocket
  readonly isOpen: boolean
  readonly store: NumberStore
  readonly lids: Lids
  readonly media: MediaShelf
  /** What [engines.bridge.8] adds is off unless asked. */
  readonly settings: BridgeSettings
  /** The gateway asked for messages from before the pairing. */
  readonly historyImport: boolean
  /** The gateway shows its bearer when it fetches media at this origin; null: it never does. */
  readonly mediaBearerOrigin: string | null
  readonly log: Log
  /** Resolves once everything came that waited at the network for the socket of the moment. */
  caughtUp(): Promise<void>
  /**
   * Resolves to whether the network spoke of a message before the socket of the moment ended; asked before the message
   * is sent.
   */
  answered(externalId: string): Promise<boolean>
  /** Keeps an event and sends it in order; resolves once it is committed. */
  emit(event: EngineEvent): Promise<void>
  /** The same for several; `also` runs in the commit that keeps them. */
  emitAll(events: readonly EngineEvent[], also?: () => void): Promise<void>
  /**
   * Resolves once at most `limit` events of the number wait for their acknowledgement, or at once when the session
   * ended.
   */
  drained(limit: number): Promise<void>
  /**
   * Runs works on what arrives one after another, in the order of the calls: what keeps chats in order. A failure is
   * the caller's.
   */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** The same for what is sent, beside what arrives. */
  inSendTurn<T>(work: () => Promise<T>): Promise<T>
  /**
   * What arrived is not acknowledged to the network before this is over: what says it must be on the disk by then. A
   * failure is the caller's.
   */
  holds(telling: Promise<unknown>): void
}

/** A message as the network delivered it, with what the engine knows beyond it. */
export interface ArrivedMessage {
  readonly message: WAMessage
  readonly historical: boolean
}

/** Hears events of each socket of a session. Must not throw and must not wait: it uses `live.inTurn`. */
export type Listener = (live: LiveSession, listen: Listen) => void
