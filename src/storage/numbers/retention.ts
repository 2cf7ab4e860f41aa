import type { NumberId } from '../../domain/ids.ts'
import type { PrivacyStore } from '../../ports/stores/lead-store.ts'
import { keptStatement } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { conditions, keyOf, PURGE_BATCH, type NameOf, type Table } from '../engine/purge.ts'
import { columnOf, rowsOf, type RowIn } from '../engine/rows-of.ts'
import { ChannelNumberEntity } from './entity.ts'

/** SQL that is true of a number `n` with privacy mode STORE_X_DAYS. */
export const LIMITED = `n.pii_mode = 'STORE_X_DAYS' and n.pii_retention_days is not null`
/** SQL of the time before which messages of number `n` are not kept; `$1` is the present. */
export const CUT = `$1::timestamptz - n.pii_retention_days * interval '1 day'`

/** SQL that is true of a RELAY_ONLY number `n` that may still have what it stored before. */
export const UNWIPED = `n.pii_mode = 'RELAY_ONLY' and not n.is_wiped`

/**
 * SQL that is true when the privacy of number `n`, as it is now, withholds what is from the time `at`; `now` is the
 * time parameter. A STORE_X_DAYS number without days withholds everything.
 */
export function isWithheld(at: string, now: string): string {
  return `(n.pii_mode = 'RELAY_ONLY' or (n.pii_mode = 'STORE_X_DAYS' and coalesce(${at} < ${now}::timestamptz - n.pii_retention_days * interval '1 day', true)))`
}

/**
 * SQL that empties columns of up to PURGE_BATCH rows `r` that have a value in them, for rows of which `only` is true
 * and whose number `n` makes `numbers` true.
 */
export function emptySql<Properties extends { readonly numberId: unknown }>(
  table: Table<Properties>,
  emptied: readonly NameOf<Properties>[],
  numbers: string,
  only?: string,
): string {
  const columns = emptied.map(columnOf)
  const isFull = `(${columns.map((column) => `r.${column} is not null`).join(' or ')})`
  return `update ${table.tableName} set ${columns.map((column) => `${column} = null`).join(', ')} where (${keyOf(table)}) in (
    select ${keyOf(table, 'found')} from channel_numbers n cross join lateral (
      select ${keyOf(table)} from ${table.tableName} r where ${conditions('r.number_id = n.id', isFull, only)} limit ${PURGE_BATCH}) found
    where ${numbers} limit ${PURGE_BATCH}) returning 1`
}

const RETENTION = rowsOf(ChannelNumberEntity).only('piiMode', 'piiRetentionDays')
const OF_NUMBER = keptStatement(`select ${RETENTION.list()} from channel_numbers where id = $1`)

/** Privacy modes of numbers, from their columns. */
class SqlPrivacyStore implements PrivacyStore {
  readonly #database: Engine['database']

  constructor({ database }: Pick<Engine, 'database'>) {
    this.#database = database
  }

  async retentionOf(numberId: NumberId): ReturnType<PrivacyStore['retentionOf']> {
    const [row] = await this.#database.queryKept<RowIn<typeof RETENTION>>(OF_NUMBER, [numberId])
    return row ? RETENTION.read(row) : null
  }
}

/** Modes over an open database. */
export function openPrivacy(engine: Pick<Engine, 'database'>): { readonly privacy: PrivacyStore } {
  return { privacy: new SqlPrivacyStore(engine) }
}
