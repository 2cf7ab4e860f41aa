import { randomBytes } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import { openPostgresPlace } from '../../move/postgres-place.ts'
import type { Place } from '../../move/place.ts'
import { pagesOf } from '../../move/rows.ts'
import { openSqlitePlace } from '../../move/sqlite-place.ts'
import { type Row, type Table, TABLES, type Value } from '../../move/tables.ts'
import type { PlaceKind } from '../../store/moves.ts'
import { temporaryFolder } from '../helpers/open-store.ts'
import { temporaryDatabase } from '../helpers/test-database.ts'

/** The two places of a test, and the keys of each. */
export interface Places {
  readonly dataDir: string
  readonly url: string
  /** The key of each; they differ, unless they were given. */
  readonly keys: Readonly<Record<PlaceKind, Buffer>>
  /** Takes a place, as a move does. */
  open(kind: PlaceKind): Promise<Place>
  /** Takes both for what `use` does, and gives them free. */
  withBoth<T>(use: (sqlite: Place, postgres: Place) => Promise<T>): Promise<T>
}

export async function placesFor(
  t: ExecutionContext,
  server: string,
  keys: Places['keys'] = { sqlite: randomBytes(32), postgres: randomBytes(32) },
): Promise<Places> {
  const dataDir = temporaryFolder(t)
  const url = await temporaryDatabase(t, server)
  const open = (kind: PlaceKind): Promise<Place> =>
    kind === 'sqlite'
      ? openSqlitePlace({ dataDir, key: keys.sqlite }, true)
      : openPostgresPlace({ url, schema: 'engine', key: keys.postgres })
  return {
    dataDir,
    url,
    keys,
    open,
    async withBoth(use) {
      const sqlite = await open('sqlite')
      const postgres = await open('postgres')
      try {
        return await use(sqlite, postgres)
      } finally {
        await Promise.allSettled([sqlite.close(), postgres.close()])
      }
    },
  }
}

/** Numbers that look random and are the same for each seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const between = (random: () => number, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1))

const BEGINNINGS = ['a', 'B', 'ä', 'Z', '|', '@lid', "'", '😀']

/** Texts that sort differently by bytes and by language, and differ by the place. */
const nameOf = (random: () => number, place: number): string =>
  `${BEGINNINGS[between(random, 0, BEGINNINGS.length - 1)]}${place}`

function valueOf(random: () => number, type: 'text' | 'bigint' | 'bytea', place: number): Value {
  if (type === 'bytea') return Buffer.from(`plain ${place} ${random()}`)
  return type === 'text' ? nameOf(random, place) : 1_700_000_000 + place
}

const ONCE = new Set(['sessions', 'sequences'])
/** Columns in which null has a meaning. */
const NULLABLE = new Set(['seen quote', 'events message_key'])

/** Rows of a table in the plain, as many as `most` at most. */
export function randomRows(random: () => number, { name, columns }: Table, most: number): readonly Row[] {
  return Array.from({ length: ONCE.has(name) ? 1 : between(random, 0, most) }, (_, place) =>
    Object.fromEntries(
      Object.entries(columns).map(([column, type]) => [
        column,
        NULLABLE.has(`${name} ${column}`) && random() < 0.3 ? null : valueOf(random, type, place),
      ]),
    ),
  )
}

/** Puts a number with rows in every table into a place. */
export async function fill(place: Place, numberId: string, seed: number, most = 8): Promise<void> {
  const random = randomOf(seed)
  await place.transaction(async () => {
    for (const table of TABLES) {
      const rows = randomRows(random, table, most).map((row) => sealedRow(place, table, numberId, row))
      if (rows.length > 0) await place.insert(table, numberId, rows)
    }
  })
}

function sealedRow(place: Place, { contexts }: Table, numberId: string, row: Row): Row {
  const sealed = Object.entries(contexts).map(([column, contextOf]) => {
    const plain = row[column]
    return [column, plain instanceof Uint8Array ? place.seal.seal(contextOf(numberId, row), plain) : null]
  })
  return { ...row, ...Object.fromEntries(sealed) }
}

/** All that a place has of a number, in the plain and in order; empty where it has nothing. */
export async function contentOf(place: Place, numberId: string): Promise<Readonly<Record<string, readonly Row[]>>> {
  const content: Record<string, Row[]> = {}
  for (const table of TABLES)
    for await (const page of pagesOf(place, table, numberId))
      content[table.name] = [
        ...(content[table.name] ?? []),
        ...page.map((row) => plainRow(place, table, numberId, row)),
      ]
  // Databases sort texts by rules of their own; positions alone carry meaning.
  for (const [name, rows] of Object.entries(content))
    if (!['journal', 'backlog'].includes(name))
      rows.sort((one, two) => (JSON.stringify(one) < JSON.stringify(two) ? -1 : 1))
  return content
}

function plainRow(place: Place, { columns, contexts }: Table, numberId: string, row: Row): Row {
  return Object.fromEntries(
    Object.keys(columns).map((column) => {
      const value = row[column] ?? null
      const contextOf = contexts[column]
      if (!(value instanceof Uint8Array) || !contextOf) return [column, value]
      return [column, place.seal.open(contextOf(numberId, row), value).toString()]
    }),
  )
}

/** The notes of moves that stand open in a place. */
export async function marksIn(place: Place): Promise<readonly Row[]> {
  return place.run("select way, number_id from moves where way <> 'gone'")
}
