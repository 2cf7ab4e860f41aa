import type { TemplateId, TenantId } from '../../domain/ids.ts'
import { kindOf } from '../../domain/kinds/kinds.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { TemplateRef } from '../../domain/template-events.ts'
import { isSameLanguage } from '../../domain/template-language.ts'
import type {
  DueListing,
  FoundTemplate,
  ListedTemplate,
  MergeCounts,
  MergeListed,
  NewTemplate,
  StoredTemplate,
  TemplateCreation,
  TemplateFate,
  TemplateOwner,
  TemplateQuery,
  TemplateStore,
} from '../../ports/stores/template-store.ts'
import { isOwnerGone } from '../engine/database.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { AccountListings, tenantsOf } from '../official-accounts/accounts.ts'
import { mergePage, type AccountOwner } from './merge.ts'
import { listTemplates, TemplateLookups } from './reads.ts'
import { ALL_COLUMNS, C, newRow, patched, S, T, toStored, type TemplateRow } from './row.ts'
import { insertRows, moveFiles, removeNoted, writeRows } from './write.ts'

/** Our choice: tries of a creation. A row that has the name may be removed before it is read; then the name is free. */
const CREATE_TRIES = 5

const TAKE_ASKED = `with due as (
    select ${C.id} from templates where ${C.ask} is not null and (${C.askedUntil} is null or ${C.askedUntil} <= $1::timestamptz)
    order by ${C.askedUntil} nulls first limit $3 for update skip locked
  )
  update templates t set ${C.askedUntil} = $2::timestamptz from due where ${T.id} = due.id returning ${ALL_COLUMNS}`

const OF_ACCOUNT = `select ${C.id}, ${C.tenantId}, ${C.language}, true as is_exact from templates where ${C.accountId} = $1 and ${C.externalId} = $2
  union all
  select ${T.id}, ${T.tenantId}, ${T.language}, false from official_accounts a join templates t on ${T.accountId} = a.account_id and ${T.tenantId} = a.tenant_id
  where a.account_id = $1 and ${T.name} = $3`

/** True of accounts that are due sooner: those with a PENDING template that were listed before `$5`. */
const HASTY = `(a.templates_listed_at <= $5::timestamptz and exists (
    select 1 from templates t where ${T.accountId} = a.account_id and ${T.tenantId} = a.tenant_id and ${T.officialStatus} = 'PENDING'))`

/** Templates as rows. */
class SqlTemplateStore implements TemplateStore {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']
  readonly #lookups: TemplateLookups
  readonly #listings: AccountListings

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
    this.#lookups = new TemplateLookups(database)
    this.#listings = new AccountListings(
      { database, clock },
      { listed: 'templates', sightings: 'template_sightings', hasty: HASTY },
    )
  }

  async ownerOf({ id, tenantId, provider }: NumberRef): Promise<TemplateOwner | null> {
    const number = await this.#database.entities({ tenantId }).readOne(ChannelNumberEntity, { id })
    if (!number) return null
    if (kindOf({ provider }).templates.owner === 'NUMBER') return { kind: 'NUMBER', tenantId, numberId: id }
    return number.officialAccountId === null ? null : { kind: 'ACCOUNT', tenantId, accountId: number.officialAccountId }
  }

  find(number: NumberRef, idOrName: string): Promise<readonly FoundTemplate[]> {
    return this.#lookups.find(number, idOrName)
  }

  recall(number: NumberRef, idOrName: string): readonly FoundTemplate[] | null {
    return this.#lookups.recall(number, idOrName)
  }

  list(number: NumberRef, query: TemplateQuery): ReturnType<TemplateStore['list']> {
    return listTemplates(this.#database, number, query)
  }

  async create(template: NewTemplate): Promise<TemplateCreation> {
    const row = newRow(template, this.#clock.now())
    try {
      for (let tries = 0; tries < CREATE_TRIES; tries++) {
        if (await this.#insert(row)) return { kind: 'created', template: row }
        const taken = await this.#named(row)
        if (taken) return { kind: 'taken', template: taken }
      }
      throw new Error('the name of a new template is taken and free in turns')
    } catch (error) {
      if (isOwnerGone(error)) return { kind: 'gone' }
      throw error
    }
  }

  #insert(row: StoredTemplate): Promise<boolean> {
    return this.#database.transaction(async (session) => {
      const inserted = await insertRows(session, [row])
      if (inserted.size > 0) await moveFiles(session, row.owner.tenantId, [{ before: null, after: row }])
      return inserted.size > 0
    })
  }

  async #named({ owner, name, language, externalId }: StoredTemplate): Promise<StoredTemplate | null> {
    const [column, id] =
      owner.kind === 'ACCOUNT' ? ([C.accountId, owner.accountId] as const) : ([C.numberId, owner.numberId] as const)
    const rows = await this.#database.query<TemplateRow>(
      `select ${ALL_COLUMNS} from templates t
      where ${column} = $1 and ${C.tenantId} = $2 and ((${C.name} = $3 and ${C.language} = $4) or ${C.externalId} = $5) limit 1`,
      [id, owner.tenantId, name, language, externalId],
    )
    return rows[0] ? toStored(rows[0]) : null
  }

  change(id: TemplateId, decide: (row: StoredTemplate) => TemplateFate): ReturnType<TemplateStore['change']> {
    return this.#database.transaction(async (session) => {
      const rows = await session.query<TemplateRow>(
        `select ${ALL_COLUMNS} from templates t where ${T.id} = $1 for update`,
        [id],
      )
      if (!rows[0]) return null
      const before = toStored(rows[0])
      const fate = decide(before)
      if (fate.kind === 'REMOVE') await removeNoted(session, [id], this.#clock.now())
      if (fate.kind !== 'CHANGE') return { template: before, isRemoved: fate.kind === 'REMOVE' }
      const after = patched(before, fate.patch, this.#clock.now())
      await writeRows(session, [after])
      await moveFiles(session, after.owner.tenantId, [{ before, after }])
      return { template: after, isRemoved: false }
    })
  }

  async ofAccount(
    accountId: string,
    { externalId, name, language }: TemplateRef,
  ): ReturnType<TemplateStore['ofAccount']> {
    const rows = await this.#database.query<Pick<TemplateRow, 'id' | 'tenant_id' | 'language'> & { is_exact: boolean }>(
      OF_ACCOUNT,
      [accountId, externalId, language === null ? null : name],
    )
    const exact = new Set(rows.flatMap((row) => (row.is_exact ? [row.tenant_id] : [])))
    return rows
      .filter((row) => (exact.has(row.tenant_id) ? row.is_exact : isSameLanguage(row.language, language ?? '')))
      .map((row) => ({ id: row.id, tenantId: row.tenant_id }))
  }

  tenantsOf(accountId: string): Promise<readonly TenantId[]> {
    return tenantsOf(this.#database, accountId)
  }

  async withUnknownFlows({ accountId, tenantId }: AccountOwner): Promise<readonly StoredTemplate[]> {
    const rows = await this.#database.chores.query<TemplateRow>(
      `select ${ALL_COLUMNS} from templates t where ${C.accountId} = $1 and ${C.tenantId} = $2 and strpos(${C.unsupported}, '"FLOW"') > 0`,
      [accountId, tenantId],
    )
    return rows.map(toStored)
  }

  async takeAsked(limit: number, leaseMs: number): Promise<readonly StoredTemplate[]> {
    const rows = await this.#database.query<TemplateRow>(TAKE_ASKED, [this.#time(0), this.#time(leaseMs), limit])
    return rows.map(toStored)
  }

  async merge<T extends ListedTemplate>(
    owner: AccountOwner,
    listing: string | null,
    listed: readonly T[],
    decide: MergeListed<T>,
  ): Promise<MergeCounts> {
    // `takeAsked` may lock rows of the page one by one, in any order.
    const counts = await despiteDeadlock(() =>
      this.#database.transaction((session) => mergePage(session, owner, listing, listed, decide, this.#clock.now())),
    )
    this.#listings.merged(counts.imported + counts.updated)
    return counts
  }

  async removeUnseen({ accountId, tenantId }: AccountOwner, listing: string, since: Date): Promise<number> {
    const rows = await this.#database.chores.query(
      `delete from templates t where ${C.accountId} = $1 and ${C.tenantId} = $2 and ${C.updatedAt} < $3::timestamptz and ${C.ask} is null
      and not exists (select 1 from template_sightings s where s.${S.templateId} = ${T.id} and s.${S.listing} >= $4) returning 1`,
      [accountId, tenantId, since.toISOString(), listing],
    )
    return rows.length
  }

  takeDueListings(limit: number, everyMs: number, pendingMs: number, leaseMs: number): Promise<readonly DueListing[]> {
    return this.#listings.takeDue(limit, everyMs, leaseMs, [this.#time(-pendingMs)])
  }

  listed(tenantId: TenantId, accountId: string): Promise<void> {
    return this.#listings.listed({ tenantId, accountId })
  }

  /** The present plus `inMs`, as ISO text. */
  #time(inMs: number): string {
    return new Date(this.#clock.now() + inMs).toISOString()
  }
}

/** Templates over an open database. */
export function openTemplates(engine: Pick<Engine, 'database' | 'clock'>): { readonly templates: TemplateStore } {
  return { templates: new SqlTemplateStore(engine) }
}
