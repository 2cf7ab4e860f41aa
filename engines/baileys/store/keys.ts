import { BufferJSON, proto, type SignalDataSet, type SignalKeyStore } from 'baileys'
import type { Change } from './changes.ts'
import { keyContext } from './contexts.ts'
import type { KeyRow } from './driver.ts'
import type { JournalStore } from './journal.ts'
import type { Parts } from './parts.ts'
import type { JournalPart } from './stanza-part.ts'

/**
 * The type under which a journal row is stored together with the keys of its ratchet step, so that one transaction of
 * the library carries both.
 */
export const JOURNAL_TYPE = 'inbound-journal'
/** The library expects values of this type as a message of its protocol, not as plain JSON objects. */
const SYNC_KEY_TYPE = 'app-state-sync-key'
/**
 * The types that are read for each message, and how they are cached. Sessions grow with their chat to tens of
 * kilobytes, and the library copies what it gets; a mapping is a text. The others stay sealed and are opened each
 * time, because the library may change what it gets.
 */
const CACHED: Readonly<Record<string, 'opened' | 'sealed'>> = {
  session: 'opened',
  'lid-mapping': 'opened',
  tctoken: 'sealed',
  'sender-key': 'sealed',
  'sender-key-memory': 'sealed',
}
/** What the cache holds for a key that is not stored, and our choice of the bytes that this counts for. */
const ABSENT = Symbol('absent')
const ABSENT_BYTES = 100

/** Values by type and id. */
type Values = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

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
export function keysOf(parts: Parts, journal: JournalStore): KeyStore {
  const { numberId, reader, writer, seal, cache } = parts
  const nameOf = (type: string, id: string): string => `key ${type} ${id}`
  /** Counts writes, because what was read before a write and comes after it is old. */
  let writes = 0

  function open(type: string, { id, value }: KeyRow): unknown {
    const opened: unknown = JSON.parse(seal.open(keyContext(numberId, type, id), value).toString(), BufferJSON.reviver)
    return type === SYNC_KEY_TYPE ? proto.Message.AppStateSyncKeyData.fromObject(opened as object) : opened
  }

  function remember(type: string, { id, value }: KeyRow, opened: unknown): void {
    const kind = CACHED[type]
    if (kind !== undefined) cache.set(nameOf(type, id), kind === 'opened' ? opened : value, value.length)
  }

  /** The value of a cached key; ABSENT where it is not stored, undefined where that is not known. */
  function recall(type: string, id: string): unknown {
    const cached = cache.get(nameOf(type, id))
    if (cached === undefined || cached === ABSENT || CACHED[type] === 'opened') return cached
    return open(type, { id, value: cached as Uint8Array })
  }

  async function readStored(type: string, ids: readonly string[]): Promise<readonly (readonly [string, unknown])[]> {
    const before = writes
    const rows = ids.length === 0 ? [] : await reader.keys(type, ids)
    const found = rows.map((row) => [row.id, open(type, row)] as const)
    if (CACHED[type] === undefined || writes !== before) return found
    const values = new Map(found)
    for (const id of ids) if (!values.has(id)) cache.set(nameOf(type, id), ABSENT, ABSENT_BYTES)
    for (const row of rows) remember(type, row, values.get(row.id))
    return found
  }

  async function read(type: string, ids: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
    if (CACHED[type] === undefined) return Object.fromEntries(await readStored(type, ids))
    const cached = ids.map((id) => [id, recall(type, id)] as const).filter(([, value]) => value !== undefined)
    const known = new Set(cached.map(([id]) => id))
    const stored = await readStored(
      type,
      ids.filter((id) => !known.has(id)),
    )
    return Object.fromEntries([...cached.filter(([, value]) => value !== ABSENT), ...stored])
  }

  function changeOf(type: string, id: string, value: unknown): Change {
    if (type === JOURNAL_TYPE) return journal.row(value as JournalPart)
    if (value === null || value === undefined) return { op: 'key.remove', numberId, type, id }
    const sealed = seal.seal(keyContext(numberId, type, id), Buffer.from(JSON.stringify(value, BufferJSON.replacer)))
    return { op: 'key.put', numberId, type, id, value: sealed }
  }

  /** Commits changes to keys. What is cached is what is committed: neither ahead of it nor behind. */
  async function commit(changes: readonly Change[], data: Values): Promise<void> {
    const names = Object.entries(data).flatMap(([type, values]) =>
      CACHED[type] === undefined ? [] : Object.keys(values ?? {}).map((id) => nameOf(type, id)),
    )
    for (const name of names) cache.delete(name)
    try {
      await writer.write(changes)
    } catch (error) {
      forget()
      throw error
    }
    writes += 1
    for (const name of names) cache.delete(name)
    for (const change of changes)
      if (change.op === 'key.put') remember(change.type, change, data[change.type]?.[change.id])
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
      await commit(changes, data as Values)
    },
    async clear() {
      await writer.write([{ op: 'keys.remove', numberId }])
      forget()
    },
    forget,
  }
}
