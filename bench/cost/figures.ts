/** What messages cost a PostgreSQL server: sizes and writes of its tables, its log, and its processor time. */
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { TICKS_PER_SECOND } from '../programs.ts'

/** Counts of one table with all of its partitions. */
export interface TableFigures {
  readonly heapBytes: number
  readonly indexBytes: number
  readonly inserted: number
  readonly updated: number
  readonly deleted: number
}

export interface Figures {
  readonly tables: ReadonlyMap<string, TableFigures>
  readonly walBytes: number
  /** Pages that stand whole in the log, because they were written first after a checkpoint. */
  readonly walPages: number
  /** Of all processes of the server, in ms; null when it is not on this machine. */
  readonly cpuMs: number | null
}

/** A table counts under the root of its partitions; what it keeps out of line counts as its heap. */
const TABLES = `
  select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name,
    sum(pg_table_size(c.oid))::bigint as heap, sum(pg_indexes_size(c.oid))::bigint as indexes,
    sum(coalesce(s.n_tup_ins, 0))::bigint as inserted, sum(coalesce(s.n_tup_upd, 0))::bigint as updated,
    sum(coalesce(s.n_tup_del, 0))::bigint as deleted
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
  left join pg_stat_user_tables s on s.relid = c.oid
  where c.relkind = 'r' group by 1`

/** Reads the figures, after what was deleted or updated has made room and all sessions have told their counts. */
export async function figuresOf(client: pg.Client): Promise<Figures> {
  await client.query('vacuum')
  await client.query('select pg_stat_clear_snapshot()')
  const { rows } = await client.query(TABLES)
  const { rows: wal } = await client.query(
    `select (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint as bytes, wal_fpi as pages from pg_stat_wal`,
  )
  return {
    tables: new Map(
      rows.map(({ name, heap, indexes, inserted, updated, deleted }) => [
        name,
        {
          heapBytes: Number(heap),
          indexBytes: Number(indexes),
          inserted: Number(inserted),
          updated: Number(updated),
          deleted: Number(deleted),
        },
      ]),
    ),
    walBytes: Number(wal[0].bytes),
    walPages: Number(wal[0].pages),
    cpuMs: serverCpuMs(),
  }
}

/** The processor time of all PostgreSQL processes of this machine; those that ended count with their parents. */
function serverCpuMs(): number | null {
  const ticks = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => ticksOf(pid))
  return ticks.length === 0 ? null : (ticks.reduce((sum, one) => sum + one, 0) * 1_000) / TICKS_PER_SECOND
}

/** proc(5): utime, stime, cutime and cstime of a process of PostgreSQL; none of another or one that is gone. */
function ticksOf(pid: string): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    if (!text.includes('(postgres)')) return []
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return [[11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0)]
  } catch {
    return []
  }
}

/** What came between two figures. */
export function between(before: Figures, after: Figures): Figures {
  const none: TableFigures = { heapBytes: 0, indexBytes: 0, inserted: 0, updated: 0, deleted: 0 }
  return {
    tables: new Map(
      [...after.tables].map(([name, then]) => {
        const was = before.tables.get(name) ?? none
        return [
          name,
          {
            heapBytes: then.heapBytes - was.heapBytes,
            indexBytes: then.indexBytes - was.indexBytes,
            inserted: then.inserted - was.inserted,
            updated: then.updated - was.updated,
            deleted: then.deleted - was.deleted,
          },
        ]
      }),
    ),
    walBytes: after.walBytes - before.walBytes,
    walPages: after.walPages - before.walPages,
    cpuMs: after.cpuMs === null || before.cpuMs === null ? null : after.cpuMs - before.cpuMs,
  }
}
