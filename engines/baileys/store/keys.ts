import { BufferJSON, proto, type SignalDataSet, type SignalKeyStore } from 'baileys'
import type { DatabaseSync } from 'node:sqlite'
import type { JournalStore } from './journal.ts'
import type { Seal } from './seal.ts'
import type { JournalPart } from './stanza-part.ts'
import { statement } from './statement.ts'
import type { ValueCache } from './value-cache.ts'
import type { Writer } from './writer.ts'

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

/**
 * The device keys of one number. Each `set` is one commit over all types, including journal rows. Types are free text,
 * because libraries add some between versions.
 */
export function keysOf(
  db: DatabaseSync,
  seal: Seal,
  writer: Writer,
  numberId: string,
  journal: JournalStore,
  cache: ValueCache,
): SignalKeyStore {
  const select = statement(db, 'select value from keys where number_id = ? and type = ? and id = ?')
  const upsert = statement(
    db,
    'insert into keys (number_id, type, id, value) values (?, ?, ?, ?) on conflict do update set value = excluded.value',
  )
  const remove = statement(db, 'delete from keys where number_id = ? and type = ? and id = ?')
  const removeAll = statement(db, 'delete from keys where number_id = ?')
  const contextOf = (type: string, id: string): readonly string[] => ['key', numberId, type, id]

  const nameOf = (id: string): string => `${numberId} ${id}`

  function read(type: string, id: string): unknown {
    return (type === CACHED_TYPE ? cache.get(nameOf(id)) : undefined) ?? readStored(type, id)
  }

  function readStored(type: string, id: string): unknown {
    const row = select.get(numberId, type, id) as { value: Uint8Array } | undefined
    if (!row) return undefined
    const value: unknown = JSON.parse(seal.open(contextOf(type, id), row.value).toString(), BufferJSON.reviver)
    if (type === CACHED_TYPE) cache.set(nameOf(id), value, row.value.length)
    return type === SYNC_KEY_TYPE ? proto.Message.AppStateSyncKeyData.fromObject(value as object) : value
  }

  function put(type: string, id: string, value: unknown): void {
    if (type === JOURNAL_TYPE) return journal.put(value as JournalPart)
    if (type === CACHED_TYPE) cache.delete(nameOf(id))
    if (value === null || value === undefined) return void remove.run(numberId, type, id)
    const sealed = seal.seal(contextOf(type, id), Buffer.from(JSON.stringify(value, BufferJSON.replacer)))
    upsert.run(numberId, type, id, sealed)
    if (type === CACHED_TYPE) cache.set(nameOf(id), value, sealed.length)
  }

  return {
    get(type, ids) {
      const found = ids.map((id) => [id, read(type, id)] as const).filter(([, value]) => value !== undefined)
      return Object.fromEntries(found) as Awaited<ReturnType<SignalKeyStore['get']>> as never
    },
    set(data: SignalDataSet) {
      return writer
        .write(() => {
          for (const [type, values] of Object.entries(data))
            for (const [id, value] of Object.entries(values ?? {})) put(type, id, value)
        })
        .catch((error: unknown) => {
          // The cache must not be ahead of the disk.
          cache.clear()
          throw error
        })
    },
    clear: () =>
      writer.write(() => {
        cache.clear()
        removeAll.run(numberId)
      }),
  }
}
