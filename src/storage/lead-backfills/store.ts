import { newId, type LeadBackfillId, type TenantId } from '../../domain/ids.ts'
import type {
  BackfillStep,
  LeadBackfill,
  LeadBackfillStore,
  NewLeadBackfill,
  TakenBackfill,
} from '../../ports/stores/lead-backfill-store.ts'
import type { SqlSession } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { LeadBackfillEntity } from './entity.ts'

/** Columns of imports that are read, and those that clients are shown. */
const BACKFILLS = rowsOf(LeadBackfillEntity).without('tenantId', 'numberId')
const SHOWN = BACKFILLS.without('cursor', 'tries', 'dueAt')
/** The columns read of imports `b`. */
const COLUMNS = BACKFILLS.list('b')

type BackfillRow = RowIn<typeof BACKFILLS>

/** Starts an import. The Page is locked, so that its removal waits, and then ends the running import. */
const START = `with page as (
    select p.page_id, p.tenant_id, p.number_id from lead_pages p where p.page_id = $2 and p.tenant_id = $3 and p.number_id = $4 for key share
  ), made as (
    insert into lead_backfills as b (id, tenant_id, number_id, page_id, form_id, status, since, until, due_at, started_at)
    select $1, tenant_id, number_id, page_id, $5, 'RUNNING', $6::timestamptz, $7::timestamptz, $8::timestamptz, $8::timestamptz from page
    on conflict (page_id, form_id) where status = 'RUNNING' do nothing returning ${COLUMNS}
  )
  select made.* from page left join made on true`

const RUNNING = `select id from lead_backfills where page_id = $1 and form_id = $2 and status = 'RUNNING'`

const NEWEST = `select ${COLUMNS} from lead_backfills b where b.page_id = $2 and b.form_id = $3 and b.tenant_id = $1 order by b.started_at desc, b.id desc limit 1`

const TAKE = `with due as (
    select id from lead_backfills where status = 'RUNNING' and due_at <= $1::timestamptz order by due_at limit $3 for update skip locked
  )
  update lead_backfills b set due_at = $2::timestamptz from due where b.id = due.id returning ${COLUMNS}`

/** True while an import still belongs to whoever took it. */
const CLAIMED = `b.id = $1 and b.due_at = $2::timestamptz and b.status = 'RUNNING'`

const ADVANCE = `update lead_backfills b set read = b.read + $3::integer, imported = b.imported + $4::integer, duplicates = b.duplicates + $5::integer, cursor = $6,
    status = case when $6::text is null then 'DONE' else b.status end, finished_at = case when $6::text is null then $7::timestamptz end,
    due_at = case when $6::text is not null then $8::timestamptz end, waiting_until = null, tries = 0
  where ${CLAIMED} returning ${COLUMNS}`

const POSTPONE = `update lead_backfills b set due_at = $3::timestamptz, waiting_until = case when $4::boolean then $3::timestamptz end, tries = b.tries + 1 where ${CLAIMED}`

const FAIL = `update lead_backfills b set status = 'FAILED', error_code = $3, error_message = $4, waiting_until = null, due_at = null, finished_at = $5::timestamptz where ${CLAIMED}`

/** An import as taken. One that has ended has no `dueAt`, and keeps the claim that it was taken with. */
function toTaken(row: BackfillRow, claim: Date): TakenBackfill {
  const { dueAt, ...backfill } = BACKFILLS.read(row)
  return { ...backfill, claim: dueAt ?? claim }
}

/** Imports as rows. The row is the job: `due_at` says when it goes on, and until when it belongs to whoever took it. */
class SqlLeadBackfillStore implements LeadBackfillStore {
  readonly #database: SqlSession
  readonly #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async start({
    tenantId,
    numberId,
    pageId,
    formId,
    since,
    until,
  }: NewLeadBackfill): ReturnType<LeadBackfillStore['start']> {
    // A running import may end before its id is read, so the start is tried again.
    for (;;) {
      const [row] = await this.#database.query<BackfillRow | { readonly id: null }>(START, [
        newId('lbf'),
        pageId,
        tenantId,
        numberId,
        formId,
        since.toISOString(),
        until.toISOString(),
        this.#at(),
      ])
      if (!row) return { kind: 'gone' }
      if (row.id !== null) return { kind: 'started', backfill: SHOWN.read(row) }
      const [running] = await this.#database.query<{ id: LeadBackfillId }>(RUNNING, [pageId, formId])
      if (running) return { kind: 'running', id: running.id }
    }
  }

  async newest(tenantId: TenantId, pageId: string, formId: string): Promise<LeadBackfill | null> {
    const rows = await this.#database.query<BackfillRow>(NEWEST, [tenantId, pageId, formId])
    return rows[0] ? SHOWN.read(rows[0]) : null
  }

  async formsWith(tenantId: TenantId, pageId: string): Promise<ReadonlySet<string>> {
    const rows = await this.#database.query<{ form_id: string }>(
      'select distinct form_id from lead_backfills where page_id = $2 and tenant_id = $1',
      [tenantId, pageId],
    )
    return new Set(rows.map((row) => row.form_id))
  }

  async take(limit: number, leaseMs: number): Promise<readonly TakenBackfill[]> {
    const until = this.#clock.now() + leaseMs
    const rows = await this.#database.query<BackfillRow>(TAKE, [this.#at(), new Date(until).toISOString(), limit])
    return rows.map((row) => toTaken(row, new Date(until)))
  }

  async advance(
    taken: TakenBackfill,
    { read, imported, duplicates, cursor }: BackfillStep,
    leaseMs: number,
  ): Promise<TakenBackfill | null> {
    const rows = await this.#database.query<BackfillRow>(ADVANCE, [
      ...claimed(taken),
      read,
      imported,
      duplicates,
      cursor,
      this.#at(),
      this.#at(leaseMs),
    ])
    return rows[0] ? toTaken(rows[0], taken.claim) : null
  }

  async postpone(taken: TakenBackfill, dueAt: Date, isThrottled: boolean): Promise<void> {
    await this.#database.query(POSTPONE, [...claimed(taken), dueAt.toISOString(), isThrottled])
  }

  async fail(taken: TakenBackfill, errorCode: string, errorMessage: string): Promise<void> {
    await this.#database.query(FAIL, [...claimed(taken), errorCode, errorMessage, this.#at()])
  }

  #at(inMs = 0): string {
    return new Date(this.#clock.now() + inMs).toISOString()
  }
}

function claimed({ id, claim }: TakenBackfill): [string, string] {
  return [id, claim.toISOString()]
}

/** Imports over an open database. */
export function openLeadBackfills(engine: Pick<Engine, 'database' | 'clock'>): {
  readonly leadBackfills: LeadBackfillStore
} {
  return { leadBackfills: new SqlLeadBackfillStore(engine) }
}
