import type { Flow } from '../../domain/flow.ts'
import type { FlowId, TenantId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
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
} from '../../ports/stores/flow-store.ts'
import type { Paged } from '../../ports/stores/message-store.ts'
import { isDuplicate, isOwnerGone, keptStatement } from '../engine/database.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { EVERYBODY } from '../engine/scope.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { AccountListings, tenantsOf } from '../official-accounts/accounts.ts'
import { justRemoved } from '../official-accounts/removals.ts'
import { FlowEntity } from './entity.ts'
import {
  ALL_COLUMNS,
  C,
  F,
  newRow,
  patched,
  S,
  SHOWN_COLUMNS,
  toShown,
  toStored,
  type FlowRow,
  type ShownFlowRow,
} from './row.ts'
import { insertRows, mergePage, removeNoted, removeRows, writeRows } from './merge.ts'

/**
 * Our choice: tries of a merge. A row may take an upstream id while a page that has it is merged; the next try finds
 * the row by that id.
 */
const MERGE_TRIES = 5

/** SQL that is true of Flows of number `$1` of tenant `$2`. */
const OF_NUMBER = `${F.accountId} = (select n.official_account_id from channel_numbers n where n.id = $1 and n.tenant_id = $2) and ${F.tenantId} = $2`

const FIND = keptStatement(`select ${ALL_COLUMNS} from flows f where ${F.id} = $3 and ${OF_NUMBER}`)

/** SQL of a page. Its ids and its total come from the index alone; the rows are read afterwards. */
function listSql(filter: string) {
  return keptStatement(`with total as (select count(*)::integer as total from flows f where ${OF_NUMBER} ${filter}),
    page as (select ${F.id} from flows f where ${OF_NUMBER} ${filter} order by ${F.createdAt} desc, ${F.id} desc limit $3::integer offset $4::integer)
    select total.total, ${SHOWN_COLUMNS} from total left join page on true left join flows f on ${F.id} = page.id order by ${F.createdAt} desc, ${F.id} desc`)
}
const [LIST, LIST_OF_STATUS] = [listSql(''), listSql(`and ${F.officialStatus} = $5`)]

type ListedRow = { readonly total: number } & (ShownFlowRow | { readonly id: null })

const TAKE_ASKED = `with due as (
    select ${C.id} from flows where ${C.ask} is not null and (${C.askedUntil} is null or ${C.askedUntil} <= $1::timestamptz)
    order by ${C.askedUntil} nulls first limit $3 for update skip locked
  )
  update flows f set ${C.askedUntil} = $2::timestamptz from due where ${F.id} = due.id returning ${ALL_COLUMNS}`

const LOCK_UNSEEN = `select ${C.id} from flows f where ${C.accountId} = $1 and ${C.tenantId} = $2 and ${C.officialStatus} = 'DRAFT' and ${C.externalId} is not null and ${C.ask} is null
  and ${C.updatedAt} < $3::timestamptz and not exists (select 1 from flow_sightings s where s.${S.flowId} = ${F.id} and s.${S.listing} >= $4) order by ${C.id} for update`

/** True when two rows of an account would have the same upstream id, or the same name waiting to reach upstream. */
function isTaken(error: unknown): boolean {
  return isDuplicate(error, 'flows_external_id') || isDuplicate(error, 'flows_unborn')
}

/** Flows as rows. */
class SqlFlowStore implements FlowStore {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']
  readonly #listings: AccountListings

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
    this.#listings = new AccountListings({ database, clock }, { listed: 'flows', sightings: 'flow_sightings' })
  }

  async ownerOf({ id, tenantId }: NumberRef): Promise<FlowOwner | null> {
    const number = await this.#database.entities({ tenantId }).readOne(ChannelNumberEntity, { id })
    return number === null || number.officialAccountId === null
      ? null
      : { tenantId, accountId: number.officialAccountId }
  }

  async find(number: NumberRef, id: string): Promise<StoredFlow | null> {
    const rows = await this.#database.queryKept<FlowRow>(FIND, [number.id, number.tenantId, id])
    return rows[0] ? toStored(rows[0]) : null
  }

  async list(number: NumberRef, { page, pageSize, officialStatus }: FlowQuery): Promise<Paged<Flow>> {
    const values = [number.id, number.tenantId, pageSize, (page - 1) * pageSize]
    const rows = await this.#database.queryKept<ListedRow>(
      officialStatus === null ? LIST : LIST_OF_STATUS,
      officialStatus === null ? values : [...values, officialStatus],
    )
    // A page beyond the last has one row, which holds the total alone.
    return { items: rows.flatMap((row) => (row.id === null ? [] : toShown(row))), total: rows[0]?.total ?? 0 }
  }

  async byExternalIds(
    { accountId, tenantId }: FlowOwner,
    externalIds: readonly string[],
  ): Promise<ReadonlyMap<string, FlowId>> {
    const rows = await this.#database.query<Pick<FlowRow, 'id' | 'external_id'>>(
      `select ${C.id}, ${C.externalId} from flows where ${C.accountId} = $1 and ${C.tenantId} = $2 and ${C.externalId} = any($3::text[])`,
      [accountId, tenantId, externalIds],
    )
    return new Map(rows.flatMap((row) => (row.external_id === null ? [] : [[row.external_id, row.id]])))
  }

  async create(flow: NewFlow): Promise<FlowCreation> {
    const row = newRow(flow, this.#clock.now())
    try {
      const inserted = await insertRows(this.#database, [row])
      return inserted.size > 0 ? { kind: 'created', flow: row } : { kind: 'taken' }
    } catch (error) {
      if (isOwnerGone(error)) return { kind: 'gone' }
      throw error
    }
  }

  async change(id: FlowId, decide: (row: StoredFlow) => FlowFate): ReturnType<FlowStore['change']> {
    let before: StoredFlow | null = null
    try {
      return await this.#database.transaction(async (session) => {
        const rows = await session.query<FlowRow>(`select ${ALL_COLUMNS} from flows f where ${F.id} = $1 for update`, [
          id,
        ])
        if (!rows[0]) return null
        before = toStored(rows[0])
        const fate = decide(before)
        if (fate.kind === 'REMOVE') await removeNoted(session, [id], this.#clock.now())
        if (fate.kind !== 'CHANGE') return { flow: before, isRemoved: fate.kind === 'REMOVE' }
        const after = patched(before, fate.patch, this.#clock.now())
        await writeRows(session, [after])
        return { flow: after, isRemoved: false }
      })
    } catch (error) {
      if (before === null || !isTaken(error)) throw error
      return { flow: before, isRemoved: false }
    }
  }

  async ofAccount(accountId: string, externalId: string): ReturnType<FlowStore['ofAccount']> {
    const flows = await this.#database.entities(EVERYBODY).read(FlowEntity, { accountId, externalId })
    return flows.map(({ id, tenantId }) => ({ id, tenantId }))
  }

  async known(accountId: string, externalIds: readonly string[], by: Date): Promise<ReadonlySet<string>> {
    const rows = await this.#database.query<Pick<FlowRow, 'external_id'>>(
      `select ${C.externalId} from flows where ${C.accountId} = $1 and ${C.externalId} = any($2::text[]) and (${C.createdAt} <= $3::timestamptz or not ${C.isImported})`,
      [accountId, externalIds, by.toISOString()],
    )
    const removed = await justRemoved(this.#database, { accountId, tenantId: null }, externalIds, this.#clock.now())
    return new Set([...rows.flatMap((row) => row.external_id ?? []), ...removed])
  }

  tenantsOf(accountId: string): Promise<readonly TenantId[]> {
    return tenantsOf(this.#database, accountId)
  }

  async takeAsked(limit: number, leaseMs: number): Promise<readonly StoredFlow[]> {
    const nowMs = this.#clock.now()
    const rows = await this.#database.query<FlowRow>(TAKE_ASKED, [
      ...[nowMs, nowMs + leaseMs].map((ms) => new Date(ms).toISOString()),
      limit,
    ])
    return rows.map(toStored)
  }

  async merge<T extends ListedFlow>(
    owner: FlowOwner,
    listing: string | null,
    listed: readonly T[],
    decide: MergeListedFlow<T>,
  ): ReturnType<FlowStore['merge']> {
    for (let tries = 1; ; tries++) {
      try {
        const counts = await despiteDeadlock(() =>
          this.#database.transaction((session) =>
            mergePage(session, owner, listing, listed, decide, this.#clock.now()),
          ),
        )
        this.#listings.merged(counts.imported + counts.updated)
        return counts
      } catch (error) {
        if (tries === MERGE_TRIES || !isTaken(error)) throw error
      }
    }
  }

  removeUnseen({ accountId, tenantId }: FlowOwner, listing: string, since: Date): Promise<number> {
    return despiteDeadlock(() =>
      this.#database.transaction(async (session) => {
        const rows = await session.query<{ id: FlowId }>(LOCK_UNSEEN, [
          accountId,
          tenantId,
          since.toISOString(),
          listing,
        ])
        await removeRows(
          session,
          rows.map(({ id }) => id),
        )
        return rows.length
      }, 'chore'),
    )
  }

  takeDueListings(limit: number, everyMs: number, leaseMs: number): Promise<readonly FlowOwner[]> {
    return this.#listings.takeDue(limit, everyMs, leaseMs)
  }

  listed(owner: FlowOwner): Promise<void> {
    return this.#listings.listed(owner)
  }
}

/** Flows over an open database. */
export function openFlows(engine: Pick<Engine, 'database' | 'clock'>): { readonly flows: FlowStore } {
  return { flows: new SqlFlowStore(engine) }
}
