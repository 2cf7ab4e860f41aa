import type { NumberRef } from '../../domain/number.ts'
import type { FlowResponseQuery, FlowResponseStore } from '../../ports/stores/flow-response-store.ts'
import { keptStatement } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { dayOf } from '../messages/counts.ts'
import { RESPONSE_COLUMNS, toResponse, type ResponseRow } from './row.ts'

/** What number `$1` of tenant `$2` may be shown of Flow `$3`, from `$4` to `$5` at `$6`: the later of start and window, as the number has them now. */
const SHOWN = `asked as (
    select n.id as number_id, f.id as flow_id, n.pii_mode = 'RELAY_ONLY' as is_relay_only, coalesce($5::timestamptz, 'infinity') as until,
      greatest(coalesce($4::timestamptz, '-infinity'), case when n.pii_mode = 'STORE_X_DAYS'
        then coalesce($6::timestamptz - n.pii_retention_days * interval '1 day', 'infinity') else '-infinity' end) as since
    from channel_numbers n left join flows f on f.id = $3 and f.account_id = n.official_account_id and f.tenant_id = n.tenant_id
    where n.id = $1 and n.tenant_id = $2
  ), shown as (
    select *, ${dayOf(`(since + interval '1 day' - interval '1 millisecond')`)} as first_day, ${dayOf(`(until + interval '1 millisecond')`)} as end_day
    from asked where not is_relay_only
  )`

/** A value of SHOWN, known before rows are looked for, so that these are found along their index. */
function of(column: string): string {
  return `(select ${column} from shown)`
}

const ROWS = `flow_responses r where r.flow_id = ${of('flow_id')} and r.number_id = ${of('number_id')}`

/** Whole days from their counts, what is left of the first and the last day by the index. */
const TOTAL = `case when ${of('first_day')} < ${of('end_day')} then
      (select coalesce(sum(responses), 0) from flow_response_counts
        where flow_id = ${of('flow_id')} and number_id = ${of('number_id')} and day >= ${of('first_day')} and day < ${of('end_day')})
      + (select count(*) from ${ROWS} and r.submitted_at >= ${of('since')} and r.submitted_at < ${of(`first_day::timestamp at time zone 'UTC'`)})
      + (select count(*) from ${ROWS} and r.submitted_at >= ${of(`end_day::timestamp at time zone 'UTC'`)} and r.submitted_at <= ${of('until')})
    else (select count(*) from ${ROWS} and r.submitted_at >= ${of('since')} and r.submitted_at <= ${of('until')}) end`

/** The ids of a page come from the index alone; their rows are read after. */
const LIST = keptStatement(`with ${SHOWN}, page as (
    select r.id from ${ROWS} and r.submitted_at >= ${of('since')} and r.submitted_at <= ${of('until')} order by r.submitted_at desc, r.id desc limit $7::integer offset $8::integer
  ), total as (
    select (${TOTAL})::integer as total, coalesce((select is_relay_only from asked), false) as is_relay_only
  )
  select total.total, total.is_relay_only, ${RESPONSE_COLUMNS} from total left join page on true left join flow_responses r on r.id = page.id
  order by r.submitted_at desc, r.id desc`)

type ListedRow = { readonly total: number, readonly is_relay_only: boolean } & (ResponseRow | { readonly id: null })

/** Responses as rows. */
class SqlFlowResponseStore implements FlowResponseStore {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async list(number: NumberRef, flowId: string, { page, pageSize, startDate, endDate }: FlowResponseQuery): ReturnType<FlowResponseStore['list']> {
    const now = new Date(this.#clock.now()).toISOString()
    const rows = await this.#database.queryKept<ListedRow>(LIST, [
      number.id, number.tenantId, flowId, startDate?.toISOString() ?? null, endDate?.toISOString() ?? null, now, pageSize, (page - 1) * pageSize,
    ])
    // A page beyond the last has one row, of the total alone.
    return { items: rows.flatMap((row) => row.id === null ? [] : toResponse(row)), total: rows[0]?.total ?? 0, isRelayOnly: rows[0]?.is_relay_only ?? false }
  }
}

/** Responses over an open database. */
export function openFlowResponses(engine: Pick<Engine, 'database' | 'clock'>): { readonly flowResponses: FlowResponseStore } {
  return { flowResponses: new SqlFlowResponseStore(engine) }
}
