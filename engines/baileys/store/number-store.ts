import type { AuthenticationCreds, SignalKeyStore } from 'baileys'
import type { BacklogStore } from './backlog.ts'
import type { EventStore } from './events.ts'
import type { JournalStore } from './journal.ts'
import type { OutgoingStore } from './outgoing.ts'
import type { PollStore } from './polls.ts'
import type { SeenStore } from './seen.ts'

/** The device that a number is linked as. */
export interface StoredSession {
  /** The session's name in `session.credentials`. */
  readonly sessionId: string
  /** Digits of the number that the gateway asked for. */
  readonly number: string
  readonly creds: AuthenticationCreds
}

/** The part of the store that belongs to one number. */
export interface NumberStore {
  readonly journal: JournalStore
  readonly outgoing: OutgoingStore
  readonly polls: PollStore
  readonly seen: SeenStore
  readonly backlog: BacklogStore
  readonly events: EventStore
  readonly keys: SignalKeyStore
  session(): StoredSession | null
  /** Resolves once the session is on the disk. */
  saveSession(session: StoredSession): Promise<void>
  /** Deletes the device: its credentials and keys, and events on it. Sent messages and untold ones stay. */
  wipeSession(): Promise<void>
  /** Writes all pending tasks to the disk before it returns. */
  flush(): void
}
