import { BufferJSON } from 'baileys'
import type { AuthenticationCreds } from 'baileys'
import { backlogOf } from './backlog.ts'
import type { Change } from './changes.ts'
import { credsContext } from './contexts.ts'
import type { Driver } from './driver.ts'
import { openEvents } from './events.ts'
import { journalOf, TOLD_MS } from './journal.ts'
import { keysOf } from './keys.ts'
import type { NumberStore, StoredSession } from './number-store.ts'
import { outgoingOf, OUTGOING_MS } from './outgoing.ts'
import type { Parts } from './parts.ts'
import { POLL_MS, pollsOf } from './polls.ts'
import { readerOf } from './reader.ts'
import { createSeal, type Seal } from './seal.ts'
import { QUOTE_MS, seenOf, SEEN_MS } from './seen.ts'
import { createValueCache, heldCacheOf } from './value-cache.ts'
import { createWriter } from './writer.ts'

/** The store of an engine, with sealed values. Reads see what was committed. */
export interface Store {
  /**
   * Takes the number and opens its part of the store; the same object until the hold is over. Rejects with
   * HeldElsewhere while another engine holds the number.
   */
  number(numberId: string): Promise<NumberStore>
  /** The numbers with a linked device. */
  linked(): Promise<readonly string[]>
  /**
   * Looks whether the devices of all numbers can be opened, whoever holds them. Resolves to how many there are; rejects
   * when one was sealed with another key.
   */
  check(): Promise<number>
  /** Deletes old sent and received messages, and names of told ones. Resolves to how many. */
  purge(): Promise<number>
  /** Seals what goes out and has to come back, under the store's key. */
  readonly seal: Seal
  /** Commits what waits, gives all numbers back, and closes the store. */
  close(): Promise<void>
}

/** our choice: devices that are looked at together. */
const LOOK = 500
/** What purges belong to: no number. */
const NOBODY = ''

/** Makes the store over a driver. `key` has 32 bytes; `now` gives ms since the epoch. */
export function createStore(driver: Driver, key: Buffer, now: () => number): Store {
  const seal = createSeal(key)
  const writer = createWriter(driver)
  const cache = createValueCache()
  const numbers = new Map<string, Promise<NumberStore>>()

  async function open(numberId: string): Promise<NumberStore> {
    const hold = await driver.holds.take(numberId)
    hold.over.addEventListener('abort', () => numbers.delete(numberId))
    try {
      return await openNumber({
        numberId,
        hold,
        reader: readerOf(driver, hold),
        writer: writer.of(hold),
        seal,
        cache: heldCacheOf(cache, hold),
        now,
      })
    } catch (error) {
      await hold.release()
      throw error
    }
  }

  return {
    seal,
    number(numberId) {
      const known = numbers.get(numberId)
      if (known) return known
      const opened = open(numberId).catch((error: unknown) => {
        if (numbers.get(numberId) === opened) numbers.delete(numberId)
        throw error
      })
      numbers.set(numberId, opened)
      return opened
    },
    linked: async () => (await driver.read('sessions', {}, null)).map((row) => row.number_id),
    async check() {
      for (let from = 0; ; from += LOOK) {
        const rows = await driver.read('credentials', { from, most: LOOK }, null)
        for (const { number_id: numberId, creds } of rows) seal.open(credsContext(numberId), creds)
        if (rows.length < LOOK) return from + rows.length
      }
    },
    async purge() {
      const at = now()
      const [, ...purged] = await writer.of(null).write([
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

async function openNumber(parts: Parts): Promise<NumberStore> {
  const { numberId, hold, reader, writer, seal } = parts
  const journal = journalOf(parts)
  const keys = keysOf(parts, journal)
  const events = await openEvents(parts)
  const context = credsContext(numberId)

  function sessionRow({ sessionId, number, creds }: StoredSession): Change {
    const value = seal.seal(context, Buffer.from(JSON.stringify(creds, BufferJSON.replacer)))
    return { op: 'session.put', numberId, sessionId, number, value }
  }

  return {
    hold,
    journal,
    events,
    keys,
    outgoing: outgoingOf(parts),
    polls: pollsOf(parts),
    seen: seenOf(parts),
    backlog: backlogOf(parts),
    async session() {
      const [row] = await reader.read('session', { numberId })
      if (!row) return null
      const creds = JSON.parse(seal.open(context, row.creds).toString(), BufferJSON.reviver) as AuthenticationCreds
      return { sessionId: row.session_id, number: row.number, creds }
    },
    settled: () => writer.settled(),
    write: (changes) => writer.write(changes),
    sessionRow,
    async saveSession(session) {
      await writer.write([sessionRow(session)])
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
