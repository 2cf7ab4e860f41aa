import type { AuthenticationCreds } from 'baileys'
import type { BacklogStore } from './backlog.ts'
import type { Change } from './changes.ts'
import type { EventStore } from './events.ts'
import type { Hold } from './hold.ts'
import type { JournalStore } from './journal.ts'
import type { KeyStore } from './keys.ts'
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
  /** The right to it; once it is over every read and write fails. */
  readonly hold: Hold
  readonly journal: JournalStore
  readonly outgoing: OutgoingStore
  readonly polls: PollStore
  readonly seen: SeenStore
  readonly backlog: BacklogStore
  readonly events: EventStore
  readonly keys: KeyStore
  session(): Promise<StoredSession | null>
  /** The change that stores the session, for the commit of an event on it. */
  sessionRow(session: StoredSession): Change
  /** Commits changes together; resolves once they are on the disk. */
  write(changes: readonly Change[]): Promise<unknown>
  /** Resolves once the session is on the disk. */
  saveSession(session: StoredSession): Promise<void>
  /** Deletes the device: its credentials and keys, and events on it. Sent messages and untold ones stay. */
  wipeSession(): Promise<void>
  /** Resolves once everything that the number wrote until now is on the disk, or failed. */
  settled(): Promise<void>
}
