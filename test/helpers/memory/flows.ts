import { newId, type FlowId, type TenantId } from '../../../src/domain/ids.ts'
import type { Flow } from '../../../src/domain/flow.ts'
import type { ChannelNumber, NumberRef } from '../../../src/domain/number.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type {
  FlowCreation,
  FlowFate,
  FlowOwner,
  FlowQuery,
  FlowStore,
  ListedFlow,
  MergeListedFlow,
  NewFlow,
  StoredFlow,
} from '../../../src/ports/stores/flow-store.ts'
import type { NewMessage } from '../../../src/ports/stores/message-store.ts'
import { newRow, patched } from '../../../src/storage/flows/row.ts'
import { MemoryAccounts } from './accounts.ts'
import type { MemoryRows } from './rows.ts'

function isOf({ tenantId, accountId }: FlowOwner, { owner }: StoredFlow): boolean {
  return owner.tenantId === tenantId && owner.accountId === accountId
}

/** A stored Flow; by default a DRAFT that is not upstream yet. */
export function storedFlow(owner: FlowOwner, fields: Partial<StoredFlow> = {}): StoredFlow {
  const id = newId('flow')
  return {
    id,
    owner,
    officialFlowId: null,
    name: `form ${id}`,
    officialStatus: 'DRAFT',
    categories: ['OTHER'],
    jsonVersion: '',
    healthStatus: 'AVAILABLE',
    validationErrors: [],
    previewUrl: null,
    clonedFromFlowId: null,
    supersededByFlowId: null,
    syncError: null,
    publishedAt: null,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    statusAt: null,
    ask: null,
    askedUntil: null,
    askTries: 0,
    nameHeldUntil: null,
    isImported: false,
    ...fields,
  }
}

/** Flows in memory. */
export class MemoryFlows implements FlowStore {
  readonly #clock: Clock
  readonly #accounts: MemoryAccounts
  #flows = new Map<FlowId, StoredFlow>()
  readonly #seen = new Map<FlowId, string>()

  constructor(tables: MemoryRows, clock: Clock) {
    this.#clock = clock
    this.#accounts = new MemoryAccounts(tables, clock)
  }

  /** Adds a stored Flow to the number's account, by default with an upstream id of its own. */
  add(number: ChannelNumber, fields: Partial<StoredFlow> = {}): StoredFlow {
    const owner = this.#accounts.ofNumber(number)
    if (!owner) throw new Error('the number has no account')
    return this.#put(storedFlow(owner, { officialFlowId: `9007199254740993${this.#flows.size}`, ...fields }))
  }

  /** Whether the Flow of a message is still as the message saw it. */
  isCurrent({ tenantId, numberId, provider, flow }: NewMessage): boolean {
    const row = this.#ofNumber({ id: numberId, tenantId, provider, number: '' }).find(({ id }) => id === flow?.id)
    return (
      flow === null || (row !== undefined && row.officialFlowId !== null && flow.statuses.includes(row.officialStatus))
    )
  }

  async ownerOf(number: NumberRef): Promise<FlowOwner | null> {
    return this.#accounts.ofNumber(number)
  }

  async find(number: NumberRef, id: string): Promise<StoredFlow | null> {
    return this.#ofNumber(number).find((row) => row.id === id) ?? null
  }

  async list(number: NumberRef, { page, pageSize, officialStatus }: FlowQuery) {
    const found = this.#ofNumber(number)
      .filter((row) => officialStatus === null || row.officialStatus === officialStatus)
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
    return { items: found.slice((page - 1) * pageSize, page * pageSize).map(shown), total: found.length }
  }

  async byExternalIds(owner: FlowOwner, externalIds: readonly string[]) {
    return new Map(
      this.#of(owner).flatMap(({ officialFlowId, id }) =>
        officialFlowId !== null && externalIds.includes(officialFlowId) ? [[officialFlowId, id]] : [],
      ),
    )
  }

  async create(flow: NewFlow): Promise<FlowCreation> {
    if (!this.#accounts.has(flow.owner)) return { kind: 'gone' }
    return this.#isTaken(flow)
      ? { kind: 'taken' }
      : { kind: 'created', flow: this.#put(newRow(flow, this.#clock.now())) }
  }

  async change(id: FlowId, decide: (row: StoredFlow) => FlowFate) {
    const row = this.all().find((one) => one.id === id)
    if (!row) return null
    const fate = decide(row)
    if (fate.kind === 'REMOVE') this.#remove(row)
    const after = fate.kind === 'CHANGE' ? patched(row, fate.patch, this.#clock.now()) : row
    const isWritten = after !== row && !this.#isTaken(after)
    return { flow: isWritten ? this.#put(after) : row, isRemoved: fate.kind === 'REMOVE' }
  }

  #remove({ id, owner, officialFlowId }: StoredFlow): void {
    this.#flows.delete(id)
    this.#accounts.removed(owner, officialFlowId)
  }

  async ofAccount(accountId: string, externalId: string) {
    return this.all()
      .filter((row) => row.owner.accountId === accountId && row.officialFlowId === externalId)
      .map(({ id, owner: { tenantId } }) => ({ id, tenantId }))
  }

  async known(accountId: string, externalIds: readonly string[], by: Date): Promise<ReadonlySet<string>> {
    const rows = this.all().filter(
      ({ owner, createdAt, isImported }) => owner.accountId === accountId && (createdAt <= by || !isImported),
    )
    const known = rows.flatMap(({ officialFlowId }) => officialFlowId ?? [])
    const removed = this.#accounts
      .tenantsOf(accountId)
      .flatMap((tenantId) => externalIds.filter((id) => this.#accounts.isJustRemoved({ tenantId, accountId }, id)))
    return new Set([...known.filter((id) => externalIds.includes(id)), ...removed])
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

  async merge<T extends ListedFlow>(
    owner: FlowOwner,
    listing: string | null,
    listed: readonly T[],
    decide: MergeListedFlow<T>,
  ) {
    const [imported, updated] = [new Set<FlowId>(), new Set<FlowId>()]
    for (const one of this.#accounts.has(owner) ? listed : []) {
      const own = this.#of(owner)
      const row =
        own.find(({ officialFlowId }) => officialFlowId === one.externalId)
        ?? own.find(({ name, officialFlowId, ask }) => officialFlowId === null && ask !== null && name === one.name)
        ?? null
      if (row === null && this.#accounts.isJustRemoved(owner, one.externalId)) continue
      const fate = decide(one, row)
      if (fate.kind === 'CREATE' && row === null) imported.add(this.#put(newRow(fate.flow, this.#clock.now())).id)
      if (fate.kind === 'REMOVE' && row) this.#remove(row)
      if (fate.kind === 'CHANGE' && row && !imported.has(this.#put(patched(row, fate.patch, this.#clock.now())).id))
        updated.add(row.id)
      const met = row?.id ?? (fate.kind === 'CREATE' ? fate.flow.id : null)
      if (met !== null && listing !== null && listing > (this.#seen.get(met) ?? '')) this.#seen.set(met, listing)
    }
    return { imported: imported.size, updated: updated.size }
  }

  async removeUnseen(owner: FlowOwner, listing: string, since: Date): Promise<number> {
    const gone = this.#of(owner).filter(
      ({ id, officialStatus, officialFlowId, ask, updatedAt }) =>
        officialStatus === 'DRAFT'
        && officialFlowId !== null
        && ask === null
        && updatedAt < since
        && (this.#seen.get(id) ?? '') < listing,
    )
    for (const { id } of gone) this.#flows.delete(id)
    return gone.length
  }

  async takeDueListings(limit: number, everyMs: number, leaseMs: number) {
    return this.#accounts.takeDue(limit, () => everyMs, leaseMs)
  }

  async listed(owner: FlowOwner): Promise<void> {
    this.#accounts.listed(owner)
  }

  /** Whether another row has its upstream id, or its name while both wait to reach the upstream. */
  #isTaken({ id, owner, name, officialFlowId }: NewFlow): boolean {
    return this.#of(owner).some(
      (row) => row.id !== id && row.officialFlowId === officialFlowId && (officialFlowId !== null || row.name === name),
    )
  }

  #put(row: StoredFlow): StoredFlow {
    this.#flows.set(row.id, row)
    return row
  }

  /** The rows without those whose account is gone. */
  all(): StoredFlow[] {
    this.#flows = new Map([...this.#flows].filter(([, row]) => this.#accounts.has(row.owner)))
    return [...this.#flows.values()]
  }

  #of(owner: FlowOwner): StoredFlow[] {
    return this.all().filter((row) => isOf(owner, row))
  }

  #ofNumber(number: NumberRef): StoredFlow[] {
    const owner = this.#accounts.ofNumber(number)
    return owner ? this.#of(owner) : []
  }
}

/** The fields of a row that lists show. */
function shown({
  owner: _owner,
  statusAt: _statusAt,
  ask: _ask,
  askedUntil: _askedUntil,
  askTries: _askTries,
  nameHeldUntil: _nameHeldUntil,
  isImported: _isImported,
  ...flow
}: StoredFlow): Flow {
  return flow
}
