import { BufferJSON, proto, type SignalDataSet, type SignalKeyStore } from 'baileys'
import type { Change } from './changes.ts'
import type { KeyRow } from './driver.ts'
import type { JournalStore } from './journal.ts'
import type { Parts } from './parts.ts'
import type { JournalPart } from './stanza-part.ts'
import type { ValueCache } from './value-cache.ts'

/**
 * The type under which a journal row is stored together with the keys of its ratchet step, so that one transaction of
 * the library carries both.
 */
export const JOURNAL_TYPE = 'inbound-journal'
/** The library expects values of this type as a message of its protocol, not as plain JSON objects. */
const SYNC_KEY_TYPE = 'app-state-sync-key'
/**
 * Values of this type grow with their chat to tens of kilobytes, and are read for each message. They can be cached,
 * because the library copies what it gets of this type, and of no other.
 */
const CACHED_TYPE = 'session'

/** The device keys of one number. */
export interface KeyStore extends SignalKeyStore {
  /** Resolves once all of it is on the disk; rejects when none is. */
  set(data: SignalDataSet): Promise<void>
  clear(): Promise<void>
  /** Forgets cached values, because they were deleted in another commit. */
  forget(): void
}

/**
 * Each `set` is one commit over all types, including journal rows. Types are free text, because libraries add some
 * between versions.
 */
export function keysOf({ numberId, driver, writer, seal }: Parts, journal: JournalStore, cache: ValueCache): KeyStore {
  const contextOf = (type: string, id: string): readonly string[] => ['key', numberId, type, id]
  const nameOf = (id: string): string => `${numberId} ${id}`
  /** Counts writes, because what was read before a write and comes after it is old. */
  let writes = 0

  function open(type: string, { id, value }: KeyRow): unknown {
    const opened: unknown = JSON.parse(seal.open(contextOf(type, id), value).toString(), BufferJSON.reviver)
    return type === SYNC_KEY_TYPE ? proto.Message.AppStateSyncKeyData.fromObject(opened as object) : opened
  }

  async function readStored(type: string, ids: readonly string[]): Promise<readonly (readonly [string, unknown])[]> {
    const before = writes
    const rows = ids.length === 0 ? [] : await driver.keys(numberId, type, ids)
    return rows.map((row) => {
      const value = open(type, row)
      if (type === CACHED_TYPE && writes === before) cache.set(nameOf(row.id), value, row.value.length)
      return [row.id, value]
    })
  }

  async function read(type: string, ids: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
    if (type !== CACHED_TYPE) return Object.fromEntries(await readStored(type, ids))
    const cached = ids.map((id) => [id, cache.get(nameOf(id))] as const).filter(([, value]) => value !== undefined)
    if (cached.length === ids.length) return Object.fromEntries(cached)
    const known = new Set(cached.map(([id]) => id))
    const stored = await readStored(
      type,
      ids.filter((id) => !known.has(id)),
    )
    return Object.fromEntries([...cached, ...stored])
  }

  function changeOf(type: string, id: string, value: unknown): Change {
    if (type === JOURNAL_TYPE) return journal.row(value as JournalPart)
    if (value === null || value === undefined) return { op: 'key.remove', numberId, type, id }
    const sealed = seal.seal(contextOf(type, id), Buffer.from(JSON.stringify(value, BufferJSON.replacer)))
    return { op: 'key.put', numberId, type, id, value: sealed }
  }

  /** Commits changes to keys. What is cached is what is committed: neither ahead of it nor behind. */
  async function commit(changes: readonly Change[], values: Readonly<Record<string, unknown>>): Promise<void> {
    for (const id of Object.keys(values)) cache.delete(nameOf(id))
    try {
      await writer.write(numberId, changes)
    } catch (error) {
      forget()
      throw error
    }
    writes += 1
    for (const id of Object.keys(values)) cache.delete(nameOf(id))
    for (const change of changes)
      if (change.op === 'key.put' && change.type === CACHED_TYPE)
        cache.set(nameOf(change.id), values[change.id], change.value.length)
  }

  function forget(): void {
    writes += 1
    cache.clear()
  }

  return {
    get: (type, ids) => read(type, ids) as never,
    async set(data: SignalDataSet) {
      const changes = Object.entries(data).flatMap(([type, values]) =>
        Object.entries(values ?? {}).map(([id, value]) => changeOf(type, id, value)),
      )
      await commit(changes, data[CACHED_TYPE] ?? {})
    },
    async clear() {
      await writer.write(numberId, [{ op: 'keys.remove', numberId }])
      forget()
    },
    forget,
  }
}
