import { BufferJSON } from 'baileys'
import type { AuthenticationCreds } from 'baileys'
import { backlogOf } from './backlog.ts'
import type { Change } from './changes.ts'
import type { Driver } from './driver.ts'
import { openEvents } from './events.ts'
import { journalOf, TOLD_MS } from './journal.ts'
import { keysOf } from './keys.ts'
import type { NumberStore, StoredSession } from './number-store.ts'
import { outgoingOf, OUTGOING_MS } from './outgoing.ts'
import type { Parts } from './parts.ts'
import { POLL_MS, pollsOf } from './polls.ts'
import { createSeal } from './seal.ts'
import { QUOTE_MS, seenOf, SEEN_MS } from './seen.ts'
import { createValueCache, type ValueCache } from './value-cache.ts'
import { createWriter, type Writer } from './writer.ts'

/** The store of an engine, with sealed values. Reads see what was committed. */
export interface Store {
  /** The part of the store for a number; the same object for each call. */
  number(numberId: string): Promise<NumberStore>
  /** The numbers with a linked device. */
  linked(): Promise<readonly string[]>
  /** Deletes old sent and received messages, and names of told ones. Resolves to how many. */
  purge(): Promise<number>
  readonly writer: Writer
  /** Commits what waits, and closes the store. */
  close(): Promise<void>
}

/** What purges belong to in the writer: no number. */
const NOBODY = ''

/** Makes the store over a driver. `key` has 32 bytes; `now` gives ms since the epoch. */
export function createStore(driver: Driver, key: Buffer, now: () => number): Store {
  const seal = createSeal(key)
  const writer = createWriter(driver)
  const cache = createValueCache()
  const numbers = new Map<string, Promise<NumberStore>>()

  async function open(numberId: string): Promise<NumberStore> {
    try {
      return await openNumber({ numberId, driver, writer, seal, now }, cache)
    } catch (error) {
      numbers.delete(numberId)
      throw error
    }
  }

  return {
    writer,
    number(numberId) {
      const opened = numbers.get(numberId) ?? open(numberId)
      numbers.set(numberId, opened)
      return opened
    },
    linked: async () => (await driver.read('sessions', {})).map((row) => row.number_id),
    async purge() {
      const at = now()
      const [, ...purged] = await writer.write(NOBODY, [
        { op: 'quotes.purge', numberId: NOBODY, at: at - QUOTE_MS },
        { op: 'outgoing.purge', numberId: NOBODY, at: at - OUTGOING_MS },
        { op: 'polls.purge', numberId: NOBODY, at: at - POLL_MS },
        { op: 'told.purge', numberId: NOBODY, at: at - TOLD_MS },
        { op: 'seen.purge', numberId: NOBODY, at: at - SEEN_MS },
      ])
      return purged.reduce((total, count) => total + count, 0)
    },
    async close() {
      await writer.end()
      await driver.close()
    },
  }
}

async function openNumber(parts: Parts, cache: ValueCache): Promise<NumberStore> {
  const { numberId, driver, writer, seal } = parts
  const journal = journalOf(parts)
  const keys = keysOf(parts, journal, cache)
  const events = await openEvents(parts)
  const context = ['creds', numberId]

  function sessionRow({ sessionId, number, creds }: StoredSession): Change {
    const value = seal.seal(context, Buffer.from(JSON.stringify(creds, BufferJSON.replacer)))
    return { op: 'session.put', numberId, sessionId, number, value }
  }

  return {
    journal,
    events,
    keys,
    outgoing: outgoingOf(parts),
    polls: pollsOf(parts),
    seen: seenOf(parts),
    backlog: backlogOf(parts),
    async session() {
      const [row] = await driver.read('session', { numberId })
      if (!row) return null
      const creds = JSON.parse(seal.open(context, row.creds).toString(), BufferJSON.reviver) as AuthenticationCreds
      return { sessionId: row.session_id, number: row.number, creds }
    },
    settled: () => writer.settled(numberId),
    sessionRow,
    async saveSession(session) {
      await writer.write(numberId, [sessionRow(session)])
    },
    async wipeSession() {
      await events.forgetSessionEvents([
        { op: 'session.remove', numberId },
        { op: 'keys.remove', numberId },
      ])
      keys.forget()
    },
  }
}
