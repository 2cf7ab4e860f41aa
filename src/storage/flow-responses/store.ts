import type { NumberRef } from '../../domain/number.ts'
import type { FlowResponse, FlowResponseQuery, FlowResponseStore } from '../../ports/stores/flow-response-store.ts'
import { keptStatement } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { dayOf } from '../engine/statement.ts'
import { ledTo } from '../conversations/aliases.ts'
import { FlowResponseEntity } from './entity.ts'

/** Columns read of responses whose Flow is known. */
const RESPONSES = rowsOf(FlowResponseEntity).without('tenantId', 'numberId', 'contextId').filled<'flowId'>()
type ResponseRow = RowIn<typeof RESPONSES>

/** The columns of RESPONSES, of responses `r`, whose conversation may have joined another one since. */
const RESPONSE_COLUMNS = `${RESPONSES.without('conversationId').list('r')}, ${ledTo('r.conversation_id')} as conversation_id`

const toKept = RESPONSES.reader({ contact: 'contactNumber' })

/**
 * SQL of what number `$1` of tenant `$2` may be shown of Flow `$3`, from `$4` to `$5`, at the present `$6`: from the
 * later of start and privacy window, by the present mode of the number. A null Flow means that nothing may be shown.
 */
const SHOWN = `asked as (
    select n.id as number_id, n.pii_mode = 'RELAY_ONLY' as is_relay_only, case when n.pii_mode <> 'RELAY_ONLY' then f.id end as flow_id, coalesce($5::timestamptz, 'infinity') as until,
      greatest(coalesce($4::timestamptz, '-infinity'), case when n.pii_mode = 'STORE_X_DAYS'
        then coalesce($6::timestamptz - n.pii_retention_days * interval '1 day', 'infinity') else '-infinity' end) as since
    from channel_numbers n left join flows f on f.id = $3 and f.account_id = n.official_account_id and f.tenant_id = n.tenant_id
    where n.id = $1 and n.tenant_id = $2
  ), shown as (
    select *, ${dayOf(`(since + interval '1 day' - interval '1 millisecond')`)} as first_day, ${dayOf(`(until + interval '1 millisecond')`)} as end_day from asked
  )`

/** SQL of the count of responses of `s` between two times; `until` includes its comparison. */
function countSql(since: string, until: string): string {
  return `(select count(*) from flow_responses r where r.flow_id = s.flow_id and r.number_id = s.number_id and r.submitted_at >= ${since} and r.submitted_at ${until})`
}

/** SQL of the time at which a day of UTC begins. */
function startOf(day: string): string {
  return `${day}::timestamp at time zone 'UTC'`
}

/** The total: whole days from their counts, and the parts of the first and the last day from the index. */
const TOTAL = `select s.is_relay_only, (case when s.first_day < s.end_day then
      (select coalesce(sum(responses), 0) from flow_response_counts c where c.flow_id = s.flow_id and c.number_id = s.number_id and c.day >= s.first_day and c.day < s.end_day)
      + ${countSql('s.since', `< ${startOf('s.first_day')}`)} + ${countSql(startOf('s.end_day'), '<= s.until')}
    else ${countSql('s.since', '<= s.until')} end)::integer as total from shown s`

/**
 * SQL of the ids of a page. The single values are known before rows are looked for, so that rows come along their
 * index. The page is found from what the index has, and read afterwards: a plan made while the number had one Flow
 * would look for the rows of another among all that the number received (measured: 50 ms beside 200,000).
 */
const PAGE = `select r.id from flow_responses r where r.flow_id = (select flow_id from shown) and r.number_id = (select number_id from shown)
      and r.submitted_at >= (select since from shown) and r.submitted_at <= (select until from shown)
    order by r.submitted_at desc, r.id desc limit $7::integer offset $8::integer`

/** The total is materialized, so that it is made once and not for each row of the page. */
const LIST =
  keptStatement(`with ${SHOWN}, total as materialized (${TOTAL}), page as (select r.* from (${PAGE}) p join flow_responses r on r.id = p.id)
    select total.total, total.is_relay_only, ${RESPONSE_COLUMNS} from total left join page r on true order by r.submitted_at desc, r.id desc`)

type ListedRow = { readonly total: number; readonly is_relay_only: boolean } & (ResponseRow | { readonly id: null })

/** Responses as rows. */
class SqlFlowResponseStore implements FlowResponseStore {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async list(
    number: NumberRef,
    flowId: string,
    { page, pageSize, startDate, endDate }: FlowResponseQuery,
  ): ReturnType<FlowResponseStore['list']> {
    const now = new Date(this.#clock.now()).toISOString()
    const rows = await this.#database.queryKept<ListedRow>(LIST, [
      number.id,
      number.tenantId,
      flowId,
      startDate?.toISOString() ?? null,
      endDate?.toISOString() ?? null,
      now,
      pageSize,
      (page - 1) * pageSize,
    ])
    // A page beyond the last has one row, which holds the total alone; a removed number has none.
    return {
      items: rows.flatMap((row) => (row.id === null ? [] : toResponse(row))),
      total: rows[0]?.total ?? 0,
      isRelayOnly: rows[0]?.is_relay_only ?? false,
    }
  }
}

function toResponse(row: ResponseRow): FlowResponse {
  const { response: kept, ...response } = toKept(row)
  return { ...response, response: 'fields' in kept ? kept.fields : null, rawResponse: 'raw' in kept ? kept.raw : null }
}

/** Responses over an open database. */
export function openFlowResponses(engine: Pick<Engine, 'database' | 'clock'>): {
  readonly flowResponses: FlowResponseStore
} {
  return { flowResponses: new SqlFlowResponseStore(engine) }
}
