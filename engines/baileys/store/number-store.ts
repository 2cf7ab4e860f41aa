import type { AuthenticationCreds, SignalKeyStore } from 'baileys'
import type { BacklogStore } from './backlog.ts'
import type { EventStore } from './events.ts'
import type { JournalStore } from './journal.ts'
import type { OutgoingStore } from './outgoing.ts'
import type { SeenStore } from './seen.ts'

/** The device that a number is linked as. */
export interface StoredSession {
  /** What `session.credentials` names. */
  readonly sessionId: string
  /** Digits the gateway asked for. */
  readonly number: string
  readonly creds: AuthenticationCreds
}

/** The part of the store that belongs to one number. */
export interface NumberStore {
  readonly journal: JournalStore
  readonly outgoing: OutgoingStore
  readonly seen: SeenStore
  readonly backlog: BacklogStore
  readonly events: EventStore
  readonly keys: SignalKeyStore
  session(): StoredSession | null
  /** Resolves once it is on the disk. */
  saveSession(session: StoredSession): Promise<void>
  /**
   * Forgets the device: its credentials and keys, and what events told of it. Sent messages and those not told yet
   * stay.
   */
  wipeSession(): Promise<void>
  /** Has on the disk, when it returns, what was to be written until now. */
  flush(): void
}
