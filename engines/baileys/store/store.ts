import { BufferJSON } from 'baileys'
import type { AuthenticationCreds } from 'baileys'
import type { DatabaseSync } from 'node:sqlite'
import { backlogOf } from './backlog.ts'
import { eventsOf } from './events.ts'
import { journalOf, TOLD_MS } from './journal.ts'
import { keysOf } from './keys.ts'
import type { NumberStore, StoredSession } from './number-store.ts'
import { outgoingOf, OUTGOING_MS } from './outgoing.ts'
import { POLL_MS, pollsOf } from './polls.ts'
import { createSeal, type Seal } from './seal.ts'
import { QUOTE_MS, seenOf, SEEN_MS } from './seen.ts'
import { statement } from './statement.ts'
import { createValueCache, type ValueCache } from './value-cache.ts'
import { createWriter, type Writer } from './writer.ts'

/** The store of an engine: one SQLite file with sealed values. */
export interface Store {
  /** The part of the store for a number; the same object for each call. */
  number(numberId: string): NumberStore
  /** Deletes old sent and received messages, and names of told ones. Resolves to how many. */
  purge(): Promise<number>
  readonly writer: Writer
  close(): void
}

export function createStore(db: DatabaseSync, key: Buffer, now: () => number): Store {
  const seal = createSeal(key)
  const writer = createWriter(db)
  const cache = createValueCache()
  const numbers = new Map<string, NumberStore>()
  const purgeOutgoing = statement(db, 'delete from outgoing where at < ?')
  const purgePolls = statement(db, 'delete from polls where at < ?')
  const purgeTold = statement(db, 'delete from told where at < ?')
  const purgeSeen = statement(db, 'delete from seen where at < ?')
  const purgeQuotes = statement(db, 'update seen set quote = null where at < ? and quote is not null')
  return {
    writer,
    number(numberId) {
      const known = numbers.get(numberId)
      if (known) return known
      const made = numberStore({ db, seal, writer, cache, now }, numberId)
      numbers.set(numberId, made)
      return made
    },
    async purge() {
      let purged = 0
      await writer.write(() => {
        purged =
          Number(purgeOutgoing.run(now() - OUTGOING_MS).changes)
          + Number(purgePolls.run(now() - POLL_MS).changes)
          + Number(purgeTold.run(now() - TOLD_MS).changes)
          + Number(purgeSeen.run(now() - SEEN_MS).changes)
        purgeQuotes.run(now() - QUOTE_MS)
      })
      return purged
    },
    close() {
      writer.flush()
      db.close()
    },
  }
}

interface Parts {
  readonly db: DatabaseSync
  readonly seal: Seal
  readonly writer: Writer
  readonly cache: ValueCache
  readonly now: () => number
}

function numberStore({ db, seal, writer, cache, now }: Parts, numberId: string): NumberStore {
  const journal = journalOf(db, seal, writer, numberId)
  const events = eventsOf(db, seal, writer, numberId, now())
  const select = statement(db, 'select session_id, number, creds from sessions where number_id = ?')
  const upsert = statement(
    db,
    'insert into sessions (number_id, session_id, number, creds) values (?, ?, ?, ?) on conflict do update set session_id = excluded.session_id, number = excluded.number, creds = excluded.creds',
  )
  const removeSession = statement(db, 'delete from sessions where number_id = ?')
  const removeKeys = statement(db, 'delete from keys where number_id = ?')
  const context = ['creds', numberId]
  return {
    journal,
    events,
    outgoing: outgoingOf(db, seal, writer, numberId, now),
    polls: pollsOf(db, seal, writer, numberId, now),
    seen: seenOf(db, seal, writer, numberId, now),
    backlog: backlogOf(db, seal, writer, numberId),
    keys: keysOf(db, seal, writer, numberId, journal, cache),
    session() {
      const row = select.get(numberId) as { session_id: string; number: string; creds: Uint8Array } | undefined
      if (!row) return null
      const creds = JSON.parse(seal.open(context, row.creds).toString(), BufferJSON.reviver) as AuthenticationCreds
      return { sessionId: row.session_id, number: row.number, creds }
    },
    flush: () => writer.flush(),
    saveSession({ sessionId, number, creds }: StoredSession) {
      const value = seal.seal(context, Buffer.from(JSON.stringify(creds, BufferJSON.replacer)))
      return writer.write(() => void upsert.run(numberId, sessionId, number, value))
    },
    wipeSession() {
      return writer.write(() => {
        cache.clear()
        removeSession.run(numberId)
        removeKeys.run(numberId)
        events.forgetSessionEvents()
      })
    },
  }
}
