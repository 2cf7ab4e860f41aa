import { BoundedMemory } from '../../domain/bounded-memory.ts'
import { kindOf } from '../../domain/kinds/kinds.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { FoundTemplate, TemplateOwner, TemplateQuery } from '../../ports/stores/template-store.ts'
import type { Paged } from '../../ports/stores/message-store.ts'
import type { Template } from '../../domain/template.ts'
import { storableText } from '../../domain/storable.ts'
import { keptStatement, type KeptStatement, type SqlParameter } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { Gathered } from '../engine/gathered.ts'
import { toRecordset } from '../engine/rows.ts'
import { ALL_COLUMNS, SHOWN, SHOWN_COLUMNS, T, toStored, type ShownRow, type TemplateRow } from './row.ts'

/** Our choice: most reads of one statement, so that none waits long for the others. */
const TOGETHER = 100

/** Our choice: this many look-ups are remembered, none of over 32 KB, the oldest forgotten first: 16 MB at most. */
const REMEMBERED = 500
const REMEMBERED_LENGTH = 32 * 1_024

interface Wanted {
  readonly number: NumberRef
  readonly idOrName: string
}

/** Each kind of look-up has an index of its own. A row found by its name may also be found by its id. */
const FIND = keptStatement(`with asked as (
    select a.*, n.official_account_id as account_id
    from json_to_recordset($1::json) as a (place integer, tenant_id text, number_id text, wanted text)
    join channel_numbers n on n.id = a.number_id and n.tenant_id = a.tenant_id
  )
  select a.place, t.xmin::text as version, ${ALL_COLUMNS} from asked a join templates t on ${T.id} = a.wanted and ${T.tenantId} = a.tenant_id and (${T.accountId} = a.account_id or ${T.numberId} = a.number_id)
  union all
  select a.place, t.xmin::text as version, ${ALL_COLUMNS} from asked a join templates t on ${T.accountId} = a.account_id and ${T.tenantId} = a.tenant_id and ${T.name} = a.wanted
  union all
  select a.place, t.xmin::text as version, ${ALL_COLUMNS} from asked a join templates t on ${T.numberId} = a.number_id and ${T.tenantId} = a.tenant_id and ${T.name} = a.wanted`)

/** `version` changes whenever the row is written. */
type FoundRow = TemplateRow & { readonly place: number; readonly version: string }

/** Looks templates up. Look-ups that come while a statement runs share the next one, and equal ones are read once. */
export class TemplateLookups {
  readonly #database: Engine['database']
  readonly #remembered = new BoundedMemory<readonly FoundTemplate[]>({ most: REMEMBERED })
  readonly #gathered = new Gathered<Wanted, readonly FoundTemplate[]>({
    run: (items) => this.#find(items),
    weightOf: () => 1,
    maxWeight: TOGETHER,
  })

  constructor(database: Engine['database']) {
    this.#database = database
  }

  async find(number: NumberRef, idOrName: string): Promise<readonly FoundTemplate[]> {
    const wanted = { number, idOrName: storableText(idOrName) }
    const found = await this.#gathered.add(wanted)
    this.#remember(keyOf(wanted), found)
    return found
  }

  recall(number: NumberRef, idOrName: string): readonly FoundTemplate[] | null {
    return this.#remembered.get(keyOf({ number, idOrName: storableText(idOrName) }))
  }

  #remember(key: string, found: readonly FoundTemplate[]): void {
    if (found.length === 0 || JSON.stringify(found).length > REMEMBERED_LENGTH) this.#remembered.delete(key)
    else this.#remembered.set(key, found)
  }

  async #find(items: readonly Wanted[]): Promise<(readonly FoundTemplate[])[]> {
    const keys = items.map(keyOf)
    const places = new Map<string, number>()
    for (const [place, key] of keys.entries()) if (!places.has(key)) places.set(key, place)
    const asked = [...places.values()].flatMap((place) =>
      items
        .slice(place, place + 1)
        .map(({ number, idOrName }) => ({ place, tenant_id: number.tenantId, number_id: number.id, wanted: idOrName })),
    )
    const rows = await this.#database.queryKept<FoundRow>(FIND, [toRecordset(asked)])
    const found = new Map(
      [...Map.groupBy(rows, ({ place }) => place)].map(([place, some]) => [place, named(some, items[place]?.idOrName)]),
    )
    return keys.map((key) => found.get(places.get(key) ?? -1) ?? [])
  }
}

function keyOf({ number, idOrName }: Wanted): string {
  return `${number.tenantId} ${number.id} ${idOrName}`
}

/** The template with this id, which may also be the name of another; else all templates with this name. */
function named(rows: readonly FoundRow[], idOrName: string | undefined): FoundTemplate[] {
  const exact = rows.find(({ id }) => id === idOrName)
  return (exact ? [exact] : rows.toSorted((one, other) => (one.language < other.language ? -1 : 1))).map((row) => ({
    ...toStored(row),
    version: row.version,
  }))
}

/** SQL that is true of the templates of number `$1` of tenant `$2`: those of its account, or its own. */
const SCOPES: Readonly<Record<TemplateOwner['kind'], string>> = {
  ACCOUNT: `${T.accountId} = (select n.official_account_id from channel_numbers n where n.id = $1 and n.tenant_id = $2) and ${T.tenantId} = $2`,
  NUMBER: `${T.numberId} = (select n.id from channel_numbers n where n.id = $1 and n.tenant_id = $2) and ${T.tenantId} = $2`,
}

type Filter = Exclude<keyof TemplateQuery, 'page' | 'pageSize'>

/** Conditions of the filters, in the order of their parameters. */
const FILTERS: readonly (readonly [name: Filter, condition: (parameter: string) => string])[] = [
  // Not a pattern: the searched text is taken literally.
  ['name', (parameter) => `strpos(${T.name}, ${parameter}) > 0`],
  ['category', (parameter) => `${T.category} = ${parameter}`],
  ['language', (parameter) => `${T.language} = ${parameter}`],
  ['source', (parameter) => `${T.source} = ${parameter}`],
  ['officialStatus', (parameter) => `${T.officialStatus} = ${parameter}`],
  ['sendable', (parameter) => `${T.sendable} = ${parameter}::boolean`],
]
const FIRST_FILTER = 5

/** Statements of lists, by owner and by the filters that are set: 128 at most. */
const LISTS = new Map<string, KeptStatement>()

function listStatement(owner: TemplateOwner['kind'], set: readonly Filter[]): KeptStatement {
  const key = [owner, ...set].join()
  const known = LISTS.get(key)
  if (known) return known
  const conditions = FILTERS.filter(([name]) => set.includes(name)).map(([, condition], at) =>
    condition(`$${FIRST_FILTER + at}`),
  )
  const where = [SCOPES[owner], ...conditions].join(' and ')
  // The ids of a page, and its total, come from the index alone; the rows are read afterwards.
  const made = keptStatement(`with total as (select count(*)::integer as total from templates t where ${where}),
    page as (select ${T.id} from templates t where ${where} order by ${T.createdAt} desc, ${T.id} desc limit $3::integer offset $4::integer)
    select total.total, ${SHOWN_COLUMNS} from total left join page on true left join templates t on ${T.id} = page.id order by ${T.createdAt} desc, ${T.id} desc`)
  LISTS.set(key, made)
  return made
}

type ListedRow = { readonly total: number } & (ShownRow | { readonly id: null })

/** A page of a number's templates, newest first, with how many there are. */
export async function listTemplates(
  database: Engine['database'],
  number: NumberRef,
  query: TemplateQuery,
): Promise<Paged<Template>> {
  const set = FILTERS.map(([name]) => name).filter((name) => query[name] !== null)
  const values: SqlParameter[] = [
    number.id,
    number.tenantId,
    query.pageSize,
    (query.page - 1) * query.pageSize,
    ...set.map((name) => query[name]),
  ]
  const rows = await database.queryKept<ListedRow>(listStatement(kindOf(number).templates.owner, set), values)
  // A page beyond the last has one row, which holds the total alone.
  return { items: rows.flatMap((row) => (row.id === null ? [] : SHOWN.read(row))), total: rows[0]?.total ?? 0 }
}
