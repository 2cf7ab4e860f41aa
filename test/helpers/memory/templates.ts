import type { TemplateId, TenantId } from '../../../src/domain/ids.ts'
import type { ChannelNumber, NumberRef } from '../../../src/domain/number.ts'
import type { TemplateRef } from '../../../src/domain/template-events.ts'
import { isSameLanguage } from '../../../src/domain/template-language.ts'
import type { Template } from '../../../src/domain/template.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type {
  DueListing,
  FoundTemplate,
  ListedTemplate,
  MergeListed,
  NewTemplate,
  StoredTemplate,
  TemplateCreation,
  TemplateFate,
  TemplateOwner,
  TemplateQuery,
  TemplateStore,
} from '../../../src/ports/stores/template-store.ts'
import type { NewMessage } from '../../../src/ports/stores/message-store.ts'
import { newRow, patched } from '../../../src/storage/templates/row.ts'
import { storedTemplate } from '../scripted-templates.ts'
import { MemoryAccounts } from './accounts.ts'
import type { MemoryRows } from './rows.ts'

type AccountOwner = TemplateOwner & { readonly kind: 'ACCOUNT' }

/** A key that is different for each owner. */
function keyOf(owner: TemplateOwner): string {
  return `${owner.tenantId} ${owner.kind === 'ACCOUNT' ? owner.accountId : owner.numberId}`
}

function isOf(owner: TemplateOwner, row: StoredTemplate): boolean {
  return keyOf(owner) === keyOf(row.owner)
}

/** A version that is different for each state of a row. */
function versionOf(row: StoredTemplate): string {
  return JSON.stringify(row)
}

/** Templates in memory. Files are not deleted, because there is no store of files here. */
export class MemoryTemplates implements TemplateStore {
  /** Ids and names that were looked up. */
  readonly asked: string[] = []
  readonly #tables: MemoryRows
  readonly #clock: Clock
  #templates = new Map<TemplateId, StoredTemplate>()
  readonly #seen = new Map<TemplateId, string>()
  readonly #remembered = new Map<string, readonly FoundTemplate[]>()
  readonly #accounts: MemoryAccounts

  constructor(tables: MemoryRows, clock: Clock) {
    this.#tables = tables
    this.#clock = clock
    this.#accounts = new MemoryAccounts(tables, clock)
  }

  /** Adds a stored template, of a body in any of its forms. */
  add({ id, tenantId, provider }: ChannelNumber, body: unknown, fields: Partial<StoredTemplate> = {}): StoredTemplate {
    const owner = this.#ownerOf(id, tenantId)
    if (!owner) throw new Error('the number is gone')
    return this.#put({ ...storedTemplate(provider, body, fields), owner })
  }

  remove(id: TemplateId): void {
    this.#templates.delete(id)
  }

  async ownerOf({ id, tenantId }: NumberRef): Promise<TemplateOwner | null> {
    return this.#ownerOf(id, tenantId)
  }

  async find(number: NumberRef, idOrName: string): Promise<readonly FoundTemplate[]> {
    this.asked.push(idOrName)
    const own = this.#ofNumber(number)
    const exact = own.find(({ id }) => id === idOrName)
    const found = (
      exact
        ? [exact]
        : own.filter(({ name }) => name === idOrName).toSorted((a, b) => (a.language < b.language ? -1 : 1))
    ).map((row) => ({ ...row, version: versionOf(row) }))
    this.#remembered.set(`${number.id} ${idOrName}`, found)
    return found
  }

  recall({ id }: NumberRef, idOrName: string): readonly FoundTemplate[] | null {
    return this.#remembered.get(`${id} ${idOrName}`) ?? null
  }

  /** Whether the template of a message is still as the message saw it. */
  isCurrent({ numberId, tenantId, provider, template, templateId, seenTemplate }: NewMessage): boolean {
    if (!seenTemplate) return true
    const own = this.#ofNumber({ id: numberId, tenantId, provider, number: '' })
    const row = own.find(({ id }) => id === templateId)
    return (
      row !== undefined
      && versionOf(row) === seenTemplate.version
      && (seenTemplate.languages === null
        || seenTemplate.languages === own.filter(({ name }) => name === template).length)
    )
  }

  async list(number: NumberRef, { page, pageSize, name, ...exact }: TemplateQuery) {
    const found = this.#ofNumber(number)
      .filter(
        (row) =>
          (name === null || row.name.includes(name))
          && Object.entries(exact).every(
            ([field, value]) => value === null || row[field as keyof typeof exact] === value,
          ),
      )
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
    return { items: found.slice((page - 1) * pageSize, page * pageSize).map(shown), total: found.length }
  }

  async create(template: NewTemplate): Promise<TemplateCreation> {
    if (!this.#hasOwner(template.owner)) return { kind: 'gone' }
    const taken = this.#of(template.owner).find(
      ({ name, language, externalId }) =>
        (name === template.name && language === template.language)
        || (externalId !== null && externalId === template.externalId),
    )
    if (taken) return { kind: 'taken', template: taken }
    return { kind: 'created', template: this.#put(newRow(template, this.#clock.now())) }
  }

  async change(id: TemplateId, decide: (row: StoredTemplate) => TemplateFate) {
    const row = this.all().find((one) => one.id === id)
    if (!row) return null
    const fate = decide(row)
    if (fate.kind === 'REMOVE') this.#remove(row)
    const template = fate.kind === 'CHANGE' ? this.#put(patched(row, fate.patch, this.#clock.now())) : row
    return { template, isRemoved: fate.kind === 'REMOVE' }
  }

  #remove({ id, owner, externalId }: StoredTemplate): void {
    this.#templates.delete(id)
    if (owner.kind === 'ACCOUNT') this.#accounts.removed(owner, externalId)
  }

  async ofAccount(accountId: string, { externalId, name, language }: TemplateRef) {
    const rows = this.all().filter(({ owner }) => owner.kind === 'ACCOUNT' && owner.accountId === accountId)
    const exact = rows.filter((row) => externalId !== null && row.externalId === externalId)
    const named = rows.filter(
      (row) =>
        name !== null
        && row.name === name
        && isSameLanguage(row.language, language ?? '')
        && !exact.some(({ owner }) => owner.tenantId === row.owner.tenantId),
    )
    return [...exact, ...named].map(({ id, owner: { tenantId } }) => ({ id, tenantId }))
  }

  async withUnknownFlows(owner: AccountOwner) {
    return [...this.#templates.values()].filter((row) => isOf(owner, row) && row.unsupported.includes('FLOW'))
  }

  async tenantsOf(accountId: string): Promise<readonly TenantId[]> {
    return this.#accounts.tenantsOf(accountId)
  }

  async takeAsked(limit: number, leaseMs: number) {
    const nowMs = this.#clock.now()
    return this.all()
      .filter(({ ask, askedUntil }) => ask !== null && (askedUntil?.getTime() ?? 0) <= nowMs)
      .slice(0, limit)
      .map((row) => this.#put({ ...row, askedUntil: new Date(nowMs + leaseMs) }))
  }

  async merge<T extends ListedTemplate>(
    owner: AccountOwner,
    listing: string | null,
    listed: readonly T[],
    decide: MergeListed<T>,
  ) {
    const [imported, updated] = [new Set<TemplateId>(), new Set<TemplateId>()]
    for (const one of this.#hasOwner(owner) ? listed : []) {
      const own = this.#of(owner)
      const row =
        own.find(({ externalId }) => externalId === one.externalId)
        ?? own.find(({ name, language }) => name === one.name && isSameLanguage(language, one.language))
        ?? null
      if (row === null && this.#accounts.isJustRemoved(owner, one.externalId)) continue
      const fate = decide(one, row)
      if (fate.kind === 'CREATE' && row === null) imported.add(this.#put(newRow(fate.template, this.#clock.now())).id)
      if (fate.kind === 'REMOVE' && row) this.#remove(row)
      if (fate.kind === 'CHANGE' && row && !imported.has(this.#put(patched(row, fate.patch, this.#clock.now())).id))
        updated.add(row.id)
      const met = row?.id ?? (fate.kind === 'CREATE' ? fate.template.id : null)
      if (met !== null && listing !== null && listing > (this.#seen.get(met) ?? '')) this.#seen.set(met, listing)
    }
    return { imported: imported.size, updated: updated.size }
  }

  async removeUnseen(owner: AccountOwner, listing: string, since: Date): Promise<number> {
    const gone = this.#of(owner).filter(
      ({ id, ask, updatedAt }) => ask === null && updatedAt < since && (this.#seen.get(id) ?? '') < listing,
    )
    for (const { id } of gone) this.#templates.delete(id)
    return gone.length
  }

  async takeDueListings(limit: number, everyMs: number, pendingMs: number, leaseMs: number) {
    const isWaiting = (account: DueListing) =>
      this.#of({ kind: 'ACCOUNT', ...account }).some(({ officialStatus }) => officialStatus === 'PENDING')
    return this.#accounts.takeDue(limit, (account) => (isWaiting(account) ? pendingMs : everyMs), leaseMs)
  }

  async listed(tenantId: TenantId, accountId: string): Promise<void> {
    this.#accounts.listed({ tenantId, accountId })
  }

  #put(row: StoredTemplate): StoredTemplate {
    this.#templates.set(row.id, row)
    return row
  }

  /** The rows without those whose owner is gone. */
  all(): StoredTemplate[] {
    this.#templates = new Map([...this.#templates].filter(([, row]) => this.#hasOwner(row.owner)))
    return [...this.#templates.values()]
  }

  #of(owner: TemplateOwner): StoredTemplate[] {
    return this.all().filter((row) => isOf(owner, row))
  }

  #ofNumber({ id, tenantId }: NumberRef): StoredTemplate[] {
    const owner = this.#ownerOf(id, tenantId)
    return owner ? this.#of(owner) : []
  }

  #ownerOf(id: NumberRef['id'], tenantId: TenantId): TemplateOwner | null {
    const number = this.#tables.numbers.get(id)
    if (number?.tenantId !== tenantId) return null
    return number.official
      ? { kind: 'ACCOUNT', tenantId, accountId: number.official.accountId }
      : { kind: 'NUMBER', tenantId, numberId: id }
  }

  #hasOwner(owner: TemplateOwner): boolean {
    return [...this.#tables.numbers.keys()].some((id) => {
      const one = this.#ownerOf(id, owner.tenantId)
      return one !== null && keyOf(one) === keyOf(owner)
    })
  }
}

/** The fields of a row that lists show. */
function shown({
  owner: _owner,
  parameters: _parameters,
  submitted: _submitted,
  files: _files,
  applied: _applied,
  ask: _ask,
  askedUntil: _askedUntil,
  askTries: _askTries,
  ...template
}: StoredTemplate): Template {
  return template
}
