import { MikroORM, SchemaGenerator } from '@mikro-orm/postgresql'
import { randomBytes } from 'node:crypto'
import type { TestFn } from 'ava'
import type { Database } from '../../src/storage/engine/database.ts'
import { ENTITIES } from '../../src/storage/entities.ts'
import { recordset, toRecordset } from '../../src/storage/engine/rows.ts'
import { columnOf, rowsOf } from '../../src/storage/engine/rows-of.ts'

/** The mapper with all entities; it never connects. */
const ORM = new MikroORM({ entities: ENTITIES, dbName: 'none' })

/** A fact of a table that its entity does not state, with the reason. */
interface Unsaid {
  readonly table: string
  readonly what: string
}

/**
 * Entities hold ids of what they belong to, not objects: a reference of the ORM would be an object, and references
 * cannot share columns as those of accounts do.
 */
const OF_NUMBER = [
  'ad_access',
  'ads',
  'api_keys',
  'call_sessions',
  'calls',
  'conversation_aliases',
  'conversation_assignments',
  'conversation_notes',
  'conversations',
  'counted_conversations',
  'lead_backfills',
  'lead_pages',
  'message_batches',
  'message_changes',
  'messages',
  'number_errands',
  'number_leases',
  'oauth_grant_numbers',
  'pairing_links',
  'templates',
]
const OF_TENANT = [
  'brand_logos',
  'canned_replies',
  'embed_sessions',
  'login_tokens',
  'message_batches',
  'oauth_grants',
  'reached_people',
  'tenant_branding',
  'usage_days',
  'users',
  'web_sessions',
]
const REFERENCES: readonly Unsaid[] = [
  ...OF_NUMBER.map((table) => ({
    table,
    what: 'FOREIGN KEY (number_id) REFERENCES channel_numbers(id) ON DELETE CASCADE',
  })),
  ...OF_TENANT.map((table) => ({ table, what: 'FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE' })),
  ...['api_keys', 'channel_numbers', 'webhooks'].map((table) => ({
    table,
    what: 'FOREIGN KEY (tenant_id) REFERENCES tenants(id)',
  })),
  ...['flow_keys', 'flows', 'templates'].map((table) => ({
    table,
    what: 'FOREIGN KEY (account_id, tenant_id) REFERENCES official_accounts(account_id, tenant_id) ON DELETE CASCADE',
  })),
  ...['conversation_assignments', 'invitations', 'oauth_grants', 'web_sessions'].map((table) => ({
    table,
    what: 'FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE',
  })),
  ...['lead_forms', 'lead_notices'].map((table) => ({
    table,
    what: 'FOREIGN KEY (page_id) REFERENCES lead_pages(page_id) ON DELETE CASCADE',
  })),
  ...['oauth_grant_numbers', 'oauth_tokens'].map((table) => ({
    table,
    what: 'FOREIGN KEY (grant_id) REFERENCES oauth_grants(id) ON DELETE CASCADE',
  })),
  { table: 'embed_secrets', what: 'FOREIGN KEY (session_id) REFERENCES embed_sessions(id) ON DELETE CASCADE' },
  { table: 'flow_sightings', what: 'FOREIGN KEY (flow_id) REFERENCES flows(id) ON DELETE CASCADE' },
  { table: 'message_files', what: 'FOREIGN KEY (template_id) REFERENCES templates(id) ON DELETE SET NULL' },
  { table: 'template_sightings', what: 'FOREIGN KEY (template_id) REFERENCES templates(id) ON DELETE CASCADE' },
]

/** Storage options of tables, which the ORM cannot state. */
const STORAGE: readonly Unsaid[] = [
  ...['conversation_counts', 'conversations', 'messages'].map((table) => ({ table, what: 'fillfactor=85' })),
  { table: 'usage_days', what: 'fillfactor=70' },
  ...['flow_response_counts', 'lead_counts', 'number_counts'].map((table) => ({ table, what: 'fillfactor=50' })),
]

/** This table has a single row and no key, and the ORM requires a key. */
const KEYLESS = 'counting_progress'

/** The ORM's own table of migrations that ran. */
const MIGRATIONS_TABLE = 'schema_migrations'

interface Table {
  readonly columns: readonly string[]
  /**
   * The indexes; for a table by month those of each partition. Their names are left out, because they contain the names
   * of the partitions.
   */
  readonly indexes: readonly (readonly string[])[]
  readonly checks: readonly string[]
  readonly unsaid: readonly string[]
}

/** Every counter looks the same here, because tables by month share a sequence and older tables have one each. */
const COLUMNS = `select c.relname as table, a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end ||
    case when a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval%' then ' counter' else coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') end as text
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`

/** The names of keys are left out, because they contain the names of the tables they were made for. */
const INDEXES = `select coalesce(parent.relname, t.relname) as table, t.relname as part, t.relkind = 'p' as is_whole,
    case when x.indisprimary then 'primary ' when x.indisunique then 'unique ' else '' end ||
    case when x.indisprimary or t.relispartition then '' else i.relname || ' ' end || substring(pg_get_indexdef(i.oid) from ' USING (.*)$') as text
  from pg_class t left join pg_inherits h on h.inhrelid = t.oid left join pg_class parent on parent.oid = h.inhparent
    left join pg_index x on x.indrelid = t.oid left join pg_class i on i.oid = x.indexrelid
  where t.relnamespace = $1::regnamespace and t.relkind in ('r', 'p')`

const CONSTRAINTS = `select t.relname as table, k.contype = 'c' as is_check, pg_get_constraintdef(k.oid) as text from pg_constraint k join pg_class t on t.oid = k.conrelid
  where t.relnamespace = $1::regnamespace and not t.relispartition and k.contype in ('c', 'f')
  union all select t.relname, false, array_to_string(t.reloptions, ', ') from pg_class t
  where t.relnamespace = $1::regnamespace and t.relkind in ('r', 'p') and not t.relispartition and t.reloptions is not null`

interface Line {
  readonly table: string
  /** Null when the table has no options. */
  readonly text: string | null
}

/** Reads the catalogue of a schema, by table. */
async function tablesOf(database: Database, schema: string): Promise<Map<string, Table>> {
  const ask = async <L extends Line>(sql: string): Promise<L[]> =>
    (await database.query<L>(sql, [schema])).map((row) => ({
      ...row,
      text: row.text?.replaceAll(`${schema}.`, '') ?? null,
    }))
  const columns = Map.groupBy(await ask(COLUMNS), ({ table }) => table)
  const indexes = await ask<Line & { readonly part: string; readonly is_whole: boolean }>(INDEXES)
  const constraints = await ask<Line & { readonly is_check: boolean }>(CONSTRAINTS)
  const texts = (lines: readonly Line[]) =>
    lines
      .map(({ text }) => text)
      .filter((text) => text !== null)
      .toSorted()
  return new Map(
    [...columns]
      .filter(([table]) => table !== MIGRATIONS_TABLE)
      .map(([table, lines]) => [
        table,
        {
          columns: texts(lines),
          indexes: [
            ...Map.groupBy(
              indexes.filter((index) => index.table === table && !index.is_whole),
              ({ part }) => part,
            ).values(),
          ].map(texts),
          checks: texts(constraints.filter((one) => one.table === table && one.is_check)),
          unsaid: texts(constraints.filter((one) => one.table === table && !one.is_check)),
        },
      ]),
  )
}

/** Creates the tables as the entities describe them in a schema of their own, beside the migrated ones. */
async function describe(database: Database): Promise<string> {
  const schema = `described_${randomBytes(6).toString('hex')}`
  const sql = await new SchemaGenerator(ORM.em).getCreateSchemaSQL({ wrap: false })
  await database.script(`begin; create schema ${schema}; set local search_path to ${schema}; ${sql}; commit`)
  return schema
}

/** Entities and migrations must describe the same tables. */
export function entitySuite(test: TestFn, name: string, database: () => Database): void {
  test(`${name}: every table is as its entity describes it`, async (t) => {
    const schema = await describe(database())
    t.teardown(() => database().script(`drop schema ${schema} cascade`))
    const [own] = await database().query<{ name: string }>('select current_schema() as name')
    const [made, described] = [await tablesOf(database(), own?.name ?? ''), await tablesOf(database(), schema)]
    t.deepEqual([...made.keys()].toSorted(), ENTITIES.map(({ meta }) => meta.tableName).toSorted())
    for (const [table, { columns, indexes, checks, unsaid }] of made) {
      const said = described.get(table)
      t.deepEqual(columns, said?.columns, table)
      const whole = said?.indexes[0]?.filter((index) => table !== KEYLESS || !index.startsWith('primary')) ?? []
      for (const part of indexes)
        t.deepEqual(
          part,
          indexes.length === 1
            ? whole
            : whole.map((index) => index.replace(/^(unique )?(?!primary )\w+ (?=btree|brin)/, '$1')).toSorted(),
          table,
        )
      t.deepEqual(checks, said?.checks, table)
      t.deepEqual(
        unsaid,
        [...REFERENCES, ...STORAGE]
          .filter((one) => one.table === table)
          .map(({ what }) => what)
          .toSorted(),
        table,
      )
    }
  })

  test(`${name}: rows of an entity name its columns as the ORM does`, async (t) => {
    const known = [...ORM.getMetadata().getAll().values()]
    t.is(known.length, ENTITIES.length)
    for (const { tableName, properties } of known) {
      t.deepEqual(
        Object.keys(properties).map((property) => [columnOf(property)]),
        Object.values(properties).map(({ fieldNames }) => fieldNames),
        tableName,
      )
    }
  })

  test(`${name}: a row of every table is read as it was written`, async (t) => {
    // One connection is enough, so the other tests keep theirs.
    await database().transaction(async (session) => {
      for (const entity of ENTITIES) {
        const rows = rowsOf(entity) as unknown as AnyRows
        const full = Object.fromEntries(
          Object.entries(rows.columns).map(([property, column]) => [property, SAMPLES[rows.types[column] ?? '']]),
        )
        const bare = Object.fromEntries(Object.keys(full).map((property) => [property, null]))
        const sent = await session.query(
          `select ${rows.list()} from json_to_recordset($1::json) as r (${recordset(rows.types)})`,
          [toRecordset([full, bare].map(rows.write))],
        )
        t.deepEqual(sent.map(rows.read), [full, bare], entity.meta.tableName)
      }
    })
  })
}

/** The rows of any entity. */
interface AnyRows {
  readonly columns: Readonly<Record<string, string>>
  readonly types: Readonly<Record<string, string>>
  list(): string
  readonly read: (row: object) => object
  readonly write: (record: object) => object
}

/** A sample value for each type of column; a column without a sample fails the test. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  text: 'a "text" \u00e9',
  boolean: true,
  integer: 7,
  bigint: 5_000_000_000,
  timestamptz: new Date('2026-01-02T03:04:05.678Z'),
  date: '2026-01-02',
  jsonb: { list: [1, null, 'a'] },
  'text[]': ['a', 'b "c", {d}', '', 'NULL'],
  xid8: '18446744073709551615',
  'timestamptz(3)[]': ['2026-01-02T03:04:05.678Z'],
}
