import type { TemplateId } from '../../domain/ids.ts'
import type { ListedTemplate, MergeCounts, MergeListed, StoredTemplate, TemplateOwner } from '../../ports/stores/template-store.ts'
import type { SqlSession } from '../engine/database.ts'
import { ALL_COLUMNS, newRow, patched, toStored, type TemplateRow } from './row.ts'
import { insertRows, moveFiles, writeRows } from './write.ts'

export type AccountOwner = TemplateOwner & { readonly kind: 'ACCOUNT' }

/** One that merges at a time, and none while the last number of the account goes. Taken before any row, the order in which that removes them. */
const LOCK_ACCOUNT = 'select 1 from official_accounts where account_id = $1 and tenant_id = $2 for no key update'

const LOCK_ROWS = `select ${ALL_COLUMNS} from templates t where t.id in (
    select id from templates where account_id = $1 and tenant_id = $2 and external_id = any($3::text[])
    union all select id from templates where account_id = $1 and tenant_id = $2 and name = any($4::text[])
  ) order by t.id for update`

const SEE = `insert into template_sightings (template_id, listing) select id, $2 from templates where id = any($1::text[])
  on conflict (template_id) do update set listing = excluded.listing`

/** What becomes of one row of a page. */
interface Course {
  readonly before: StoredTemplate | null
  /** Null: it is to be removed. */
  after: StoredTemplate | null
}

/** The rows of a page, found as a listing names them. */
class PageRows {
  readonly courses = new Map<TemplateId, Course>()
  readonly #byExternalId = new Map<string, Course>()
  readonly #byName = new Map<string, Course>()

  constructor(rows: readonly StoredTemplate[]) {
    for (const row of rows) this.add(row.id, { before: row, after: row })
  }

  add(id: TemplateId, course: Course): void {
    const row = course.after
    this.courses.set(id, course)
    if (row?.externalId) this.#byExternalId.set(row.externalId, course)
    if (row) this.#byName.set(nameKey(row), course)
  }

  find(listed: ListedTemplate): Course | null {
    const course = this.#byExternalId.get(listed.externalId) ?? this.#byName.get(nameKey(listed)) ?? null
    return course?.after ? course : null
  }
}

/** Languages are one however they are written (`isSameLanguage`). */
function nameKey({ name, language }: Pick<ListedTemplate, 'name' | 'language'>): string {
  return `${name} ${language.replaceAll('-', '_').toLowerCase()}`
}

/** Merges a page in a transaction, with as many statements however many templates it has. */
export async function mergePage<T extends ListedTemplate>(
  session: SqlSession, owner: AccountOwner, listing: string | null, listed: readonly T[], decide: MergeListed<T>, nowMs: number,
): Promise<MergeCounts> {
  const account = [owner.accountId, owner.tenantId]
  if (listed.length === 0 || (await session.query(LOCK_ACCOUNT, account)).length === 0) return { imported: 0, updated: 0 }
  const found = await session.query<TemplateRow>(LOCK_ROWS, [...account, listed.map(({ externalId }) => externalId), [...new Set(listed.map(({ name }) => name))]])
  const rows = new PageRows(found.map(toStored))
  const met = new Set<TemplateId>()
  for (const one of listed) {
    const id = settle(rows, one, decide, nowMs)
    if (id !== null) met.add(id)
  }
  const counts = await write(session, owner, [...rows.courses])
  if (listing !== null) await session.query(SEE, [[...met], listing])
  return counts
}

/** Decides on one listed template; answers the id of its row, if it has one. */
function settle<T extends ListedTemplate>(rows: PageRows, listed: T, decide: MergeListed<T>, nowMs: number): TemplateId | null {
  const course = rows.find(listed)
  const fate = decide(listed, course?.after ?? null)
  if (fate.kind === 'CREATE') {
    // A row that is there keeps its place: it has the name.
    if (course?.after) return course.after.id
    rows.add(fate.template.id, { before: null, after: newRow(fate.template, nowMs) })
    return fate.template.id
  }
  if (!course?.after) return null
  const { id } = course.after
  if (fate.kind === 'CHANGE') course.after = patched(course.after, fate.patch, nowMs)
  if (fate.kind === 'REMOVE') course.after = null
  return id
}

async function write(session: SqlSession, { tenantId }: AccountOwner, courses: readonly (readonly [TemplateId, Course])[]): Promise<MergeCounts> {
  const removed = courses.flatMap(([id, { after }]) => after === null ? [id] : [])
  if (removed.length > 0) await session.query('delete from templates where id = any($1::text[])', [removed])
  const after = courses.flatMap(([, course]) => course.after === null ? [] : { before: course.before, after: course.after })
  const changed = after.filter((one) => one.before !== null && one.before !== one.after)
  await writeRows(session, changed.map((one) => one.after))
  const fresh = after.filter(({ before }) => before === null)
  const inserted = await insertRows(session, fresh.map((one) => one.after))
  await moveFiles(session, tenantId, [...changed, ...fresh.filter((one) => inserted.has(one.after.id))])
  return { imported: inserted.size, updated: changed.length }
}
