import type { TemplateId } from '../../domain/ids.ts'
import type {
  ListedTemplate,
  MergeCounts,
  MergeListed,
  StoredTemplate,
  TemplateOwner,
} from '../../ports/stores/template-store.ts'
import type { SqlSession } from '../engine/database.ts'
import { LOCK_ACCOUNT } from '../official-accounts/accounts.ts'
import { PageRows, type PageFate } from '../official-accounts/page.ts'
import { sparingRemoved } from '../official-accounts/removals.ts'
import { ALL_COLUMNS, C, newRow, patched, S, T, toStored, type TemplateRow } from './row.ts'
import { insertRows, moveFiles, removeNoted, writeRows } from './write.ts'

export type AccountOwner = TemplateOwner & { readonly kind: 'ACCOUNT' }

const LOCK_ROWS = `select ${ALL_COLUMNS} from templates t where ${T.id} in (
    select ${C.id} from templates where ${C.accountId} = $1 and ${C.tenantId} = $2 and ${C.externalId} = any($3::text[])
    union all select ${C.id} from templates where ${C.accountId} = $1 and ${C.tenantId} = $2 and ${C.name} = any($4::text[])
  ) order by ${T.id} for update`

const SEE = `insert into template_sightings (${S.templateId}, ${S.listing}) select ${C.id}, $2 from templates where ${C.id} = any($1::text[])
  on conflict (${S.templateId}) do update set ${S.listing} = greatest(template_sightings.${S.listing}, excluded.${S.listing})`

/**
 * Keys of a template: upstream's id, then name and language. Spellings of a language count as the same
 * (`isSameLanguage`).
 */
function keysOf({ externalId, name, language }: Pick<StoredTemplate, 'externalId' | 'name' | 'language'>): string[] {
  const byName = `name ${name} ${language.replaceAll('-', '_').toLowerCase()}`
  return externalId ? [`id ${externalId}`, byName] : [byName]
}

/** Merges a page in a transaction, with the same number of statements however many templates it has. */
export async function mergePage<T extends ListedTemplate>(
  session: SqlSession,
  owner: AccountOwner,
  listing: string | null,
  listed: readonly T[],
  decide: MergeListed<T>,
  nowMs: number,
): Promise<MergeCounts> {
  const account = [owner.accountId, owner.tenantId]
  if (listed.length === 0 || (await session.query(LOCK_ACCOUNT, account)).length === 0)
    return { imported: 0, updated: 0 }
  const found = await session.query<TemplateRow>(LOCK_ROWS, [
    ...account,
    listed.map(({ externalId }) => externalId),
    [...new Set(listed.map(({ name }) => name))],
  ])
  const settled = await sparingRemoved(session, owner, listed, decide, nowMs)
  const rows = new PageRows<StoredTemplate>(found.map(toStored), keysOf)
  const met = listed
    .map((one) => rows.settle(keysOf(one), (row) => fateOf(settled(one, row), nowMs)))
    .filter((id) => id !== null)
  const counts = await write(session, owner, rows, nowMs)
  if (listing !== null) await session.query(SEE, [[...new Set(met)], listing])
  return counts
}

function fateOf(fate: ReturnType<MergeListed<ListedTemplate>>, nowMs: number): PageFate<StoredTemplate> {
  if (fate.kind === 'CREATE') return { kind: 'CREATE', row: newRow(fate.template, nowMs) }
  return fate.kind === 'CHANGE' ? { kind: 'CHANGE', change: (row) => patched(row, fate.patch, nowMs) } : fate
}

async function write(
  session: SqlSession,
  { tenantId }: AccountOwner,
  { removed, changed, fresh }: PageRows<StoredTemplate>,
  nowMs: number,
): Promise<MergeCounts> {
  await removeNoted(session, removed, nowMs)
  await writeRows(
    session,
    changed.map(({ after }) => after),
  )
  const inserted: ReadonlySet<TemplateId> = await insertRows(
    session,
    fresh.map(({ after }) => after),
  )
  await moveFiles(session, tenantId, [...changed, ...fresh.filter(({ after }) => inserted.has(after.id))])
  return { imported: inserted.size, updated: changed.length }
}
