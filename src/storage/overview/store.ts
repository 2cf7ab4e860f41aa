import { CALL_STATUSES, LIVE_STATUSES } from '../../domain/call.ts'
import type { TenantId } from '../../domain/ids.ts'
import { NUMBER_STATES, type NumberState } from '../../domain/number.ts'
import { CHECKLIST_STEPS, type ChecklistStep, type FailingWebhook, type Overview } from '../../domain/overview.ts'
import type { OverviewStore } from '../../ports/stores/overview-store.ts'
import type { Engine } from '../engine/engine.ts'
import { ALONG_INDEX } from '../engine/partitions.ts'

const DAY_MS = 86_400_000
/**
 * Our choice: of how many numbers or webhooks something that went through is sought, and among how many of the newest
 * messages or attempts of each.
 */
const LOOKED_AT = 1_000
const NEWEST = 10
/** Our choice: most failing webhooks that are told, those that fail for longest, and most failures of each. */
const MOST_FAILING = 50
const MOST_FAILURES = 1_000

const inList = (values: readonly string[]): string => `(${values.map((value) => `'${value}'`).join(', ')})`

/**
 * SQL that is true once tenant `t` did a step; `numbers` has the numbers of the tenant by state. Each looks at a few
 * rows of an index, once for each number or webhook at most, and ends at the first that it finds.
 */
const IS_DONE: Readonly<Record<ChecklistStep, string>> = {
  numberConnected: 'numbers.is_connected',
  messageSent: `exists (select 1 from (
      select id from channel_numbers where tenant_id = t.id order by state = 'OPEN' desc, created_at, id limit ${LOOKED_AT}
    ) n cross join lateral (
      select m.sent_at from messages m where m.number_id = n.id and m.direction = 'OUTBOUND' order by m.created_at desc, m.id desc limit ${NEWEST}
    ) newest where newest.sent_at is not null)`,
  callPlaced: `exists (select 1 from calls c where c.tenant_id = t.id and c.status in ${inList(CALL_STATUSES)} and c.direction = 'OUTBOUND')`,
  webhookDelivered: `exists (select 1 from (
      select id from webhooks where tenant_id = t.id and last_triggered is not null order by last_triggered desc, id limit ${LOOKED_AT}
    ) w cross join lateral (
      select l.status from webhook_logs l ${ALONG_INDEX} where l.webhook_id = w.id order by l.created_at desc, l.id desc limit ${NEWEST}
    ) newest where newest.status = 'SUCCESS')`,
  brandingSet: `exists (select 1 from tenant_branding b where b.tenant_id = t.id and b.fields <> '{}')`,
  embedMinted: 'exists (select 1 from embed_sessions e where e.tenant_id = t.id)',
}

/** The step where it is done; what is known is not looked for again. */
const DONE = CHECKLIST_STEPS.map(
  (step) => `case when '${step}' = any(t.steps_done) then '${step}' when ${IS_DONE[step]} then '${step}' end`,
)
const BY_STATE = NUMBER_STATES.map((state) => `'${state}', count(*) filter (where state = '${state}')`)

/** `$1` is the tenant, `$2` the time since which failures count. */
const READ = `with numbers as materialized (
    select json_build_object(${BY_STATE.join(', ')}) as by_state,
      coalesce(bool_or(state = 'OPEN' or sealed_credentials is not null), false) as is_connected
    from channel_numbers where tenant_id = $1
  ), failing as materialized (
    select w.id, (select count(*) from (
        select 1 from webhook_logs l where l.webhook_id = w.id and l.status = 'FAILED' and l.created_at >= $2::timestamptz limit ${MOST_FAILURES}
      ) failed) as failures
    from (
      select id from webhooks where tenant_id = $1 and removed_at is null and failing_since is not null order by failing_since, id limit ${MOST_FAILING}
    ) w
  )
  select numbers.by_state as numbers, t.steps_done as known, array_remove(array[${DONE.join(', ')}], null) as done,
    (select coalesce(json_agg(json_build_object('webhookId', id, 'failed24h', failures) order by failures desc, id), '[]') from failing) as failing,
    (select count(*)::integer from calls where tenant_id = $1 and status in ${inList(LIVE_STATUSES)}) as live
  from tenants t cross join numbers where t.id = $1`

const NOTE = `update tenants set steps_done = array(select distinct step from unnest(steps_done || $2::text[]) step order by step) where id = $1`

interface OverviewRow {
  readonly numbers: Readonly<Record<NumberState, number>>
  readonly known: readonly ChecklistStep[]
  readonly done: readonly ChecklistStep[]
  readonly failing: readonly FailingWebhook[]
  readonly live: number
}

class SqlOverviewStore implements OverviewStore {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async read(tenantId: TenantId): Promise<Overview> {
    const since = new Date(this.#clock.now() - DAY_MS).toISOString()
    const [row] = await this.#database.query<OverviewRow>(READ, [tenantId, since])
    if (!row) throw new Error('the tenant is gone')
    const { numbers, known, done, failing, live } = row
    const news = done.filter((step) => !known.includes(step))
    if (news.length > 0) await this.#database.query(NOTE, [tenantId, news])
    const checklist = Object.fromEntries(CHECKLIST_STEPS.map((step) => [step, done.includes(step)]))
    return { numbers, checklist: checklist as Overview['checklist'], failing, liveCalls: live }
  }
}

/** Overviews over an open database. */
export function openOverview(engine: Pick<Engine, 'database' | 'clock'>): { readonly overview: OverviewStore } {
  return { overview: new SqlOverviewStore(engine) }
}
