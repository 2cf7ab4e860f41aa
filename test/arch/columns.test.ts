import test from 'ava'
import { ENTITIES } from '../../src/storage/entities.ts'
import { columnOf } from '../../src/storage/engine/rows-of.ts'
import { readSourceFiles } from './source-files.ts'
import { tokensOf } from './tokens.ts'

/*
 * Columns are declared in the entity of their table, and every statement must agree with the entities: columns of an
 * alias (`m.created_at`), inserted columns, and every word with an underscore, which must be a column, a table, a name
 * given in some statement, or a word of PostgreSQL.
 */
const TABLES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  ENTITIES.map(({ meta }) => [meta.tableName, new Set(Object.keys(meta.properties).map(columnOf))]),
)
const COLUMNS: ReadonlySet<string> = new Set([...TABLES.values()].flatMap((columns) => [...columns]))
/** Columns that PostgreSQL adds to every table. */
const OF_EVERY_TABLE = ['xmin', 'xmax']
/** Words and settings of PostgreSQL, and columns of the job queue's own tables. */
const OTHERS = [
  'skip_locked',
  'default_transaction_read_only',
  'search_path',
  'statement_timeout',
  'idle_in_transaction_session_timeout',
  'expire_seconds',
  'start_after',
  'started_on',
]

/** Marks a gap between two parts of a template. */
const CUT = ' … '
const FILES = readSourceFiles(['src/storage', 'src/jobs', 'src/cluster'])
  .filter(({ path }) => !path.endsWith('entity.ts'))
  .map(({ path, text }) => {
    const parts = tokensOf(text).filter(
      (token) => ['string', 'template'].includes(token.kind) && /[ .(]/.test(token.text),
    )
    return { path, sql: parts.map((part) => part.text).join(CUT) }
  })

const BOUND = /\b(?:from|join|update|into|using|,)\s+(\w+)\s+(?:as\s+)?(\w+)\b/g
/** A name for a query in brackets, or for what a template inserts there. */
const BOUND_ELSE = /[)…]\s+(?:as\s+)?(\w+)\b/g
const ASKED = /(?<![\w.])([a-z]\w*)\.([a-z_]+)\b(?!\()/g
const INSERTED = /insert into (\w+)(?: as \w+)? \(([^)…]*)\)/g
const GIVEN = /\bas (\w+)|(\w+) as (?:materialized )?\(|(\w+) (?:text|integer|bigint|boolean|timestamptz|json)\b/g
/** A list of names, such as `as listed (post, place)`. */
const GIVEN_LIST = /\bas \w+ \(([\w, ]+)\)/g
const WORD = /(?<![\w'"-])([a-z]+(?:_[a-z]+)+)\b(?!['(])/g

/** The tables that each alias of a file may mean; empty when it may mean something else. */
function aliasesOf(sql: string): ReadonlyMap<string, readonly string[]> {
  const tables = Map.groupBy(sql.matchAll(BOUND), ([, , alias = '']) => alias)
  const others = new Set([...sql.matchAll(BOUND_ELSE)].map(([, alias]) => alias))
  const bound = [...tables].map(([alias, found]) => [alias, found.map(([, table = '']) => table)] as const)
  return new Map(bound.filter(([alias, names]) => !others.has(alias) && names.every((name) => TABLES.has(name))))
}

test('columns that statements read from an alias are columns of its entity', (t) => {
  let count = 0
  for (const { path, sql } of FILES) {
    const aliases = aliasesOf(sql)
    for (const [, alias = '', column = ''] of sql.matchAll(ASKED)) {
      const tables = aliases.get(alias) ?? []
      if (tables.length > 0 && !OF_EVERY_TABLE.includes(column))
        t.true(
          tables.some((table) => TABLES.get(table)?.has(column)),
          `${path}: ${alias}.${column}`,
        )
      count += tables.length > 0 ? 1 : 0
    }
  }
  t.true(count > 500, `${count} are looked at`)
})

test('columns that statements insert are columns of the entity', (t) => {
  for (const { path, sql } of FILES) {
    for (const [, table = '', list = ''] of sql.matchAll(INSERTED)) {
      for (const column of list
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''))
        t.true(TABLES.get(table)?.has(column), `${path}: ${table}.${column}`)
    }
  }
})

test('a word of a statement with an underscore is a column, a table, or a name that is given', (t) => {
  const given: ReadonlySet<string | undefined> = new Set(
    FILES.flatMap(({ sql }) => [
      ...[...sql.matchAll(GIVEN)].flatMap((names) => names.slice(1)),
      ...[...sql.matchAll(GIVEN_LIST)].flatMap(([, list = '']) => list.split(', ')),
    ]),
  )
  for (const { path, sql } of FILES) {
    const unknown = [...sql.matchAll(WORD)]
      .map(([word]) => word)
      .filter(
        (word) =>
          !COLUMNS.has(word)
          && !TABLES.has(word)
          && !given.has(word)
          && !word.startsWith('pg_')
          && !OTHERS.includes(word),
      )
    t.deepEqual(unknown, [], path)
  }
})
