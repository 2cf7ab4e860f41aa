import type { ConversationId, MessageId } from '../../domain/ids.ts'
import type { MessageType } from '../../domain/message.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { Referral, ReferralSummary, ResolvedNames } from '../../domain/referral.ts'
import type { ListedMessage, Paged } from '../../ports/stores/message-store.ts'
import type { ReferralQuery, ReferralRange, ReferralStore } from '../../ports/stores/referral-store.ts'
import type { Engine } from '../engine/engine.ts'
import type { RowOf } from '../engine/rows-of.ts'
import { toDate } from '../engine/rows.ts'
import { between, Parameters } from '../engine/statement.ts'
import { listedColumns, toListed, type ListedRow } from '../messages/row.ts'
import { JOIN_AD, NAME_COLUMNS, NAMES } from '../referrals/sql.ts'

/** A message as the list of referrals reads it; columns of the message are null when it is gone. */
type Listed = Omit<ListedRow, 'id'> & {
  readonly id: MessageId | null
  readonly referral_of: MessageId
  readonly kept_conversation_id: ConversationId
  readonly kept_type: MessageType
  readonly kept_external_id: string | null
  readonly kept_at: string
}

const KEPT_COLUMNS =
  'r.conversation_id as kept_conversation_id, r.type as kept_type, r.external_message_id as kept_external_id, r.created_at as kept_at'

type SummaryRow = RowOf<Pick<Referral, 'sourceType' | 'sourceUrl' | 'headline'> & ResolvedNames> & {
  readonly source_id: string
  readonly conversations: number
  readonly messages: number
  readonly last_at: string
}

/** Referrals as rows. */
class SqlReferralStore implements ReferralStore {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  /** The ids of a page come from the index alone; their rows are read afterwards. */
  async list(number: NumberRef, query: ReferralQuery): Promise<Paged<ListedMessage>> {
    const [p, q] = [new Parameters(), new Parameters()]
    const now = p.add(new Date(this.#clock.now()).toISOString())
    const page = `select message_id from referrals where ${matching(p, number, query)} order by created_at desc, message_id desc
        limit ${p.add(query.pageSize)} offset ${p.add((query.page - 1) * query.pageSize)}`
    const sql = `select ${listedColumns(now)}, ${KEPT_COLUMNS} from (${page}) page join referrals r on r.message_id = page.message_id join channel_numbers n on n.id = r.number_id
        left join messages m on m.id = r.message_id and m.number_id = r.number_id left join conversations c on c.id = r.conversation_id ${JOIN_AD}
      order by r.created_at desc, r.message_id desc`
    const [rows, counts] = await Promise.all([
      this.#database.lists.query<Listed>(sql, p.values),
      this.#database.lists.query<{ total: number }>(
        `select count(*)::integer as total from referrals where ${matching(q, number, query)}`,
        q.values,
      ),
    ])
    return { items: rows.map((row) => toListed(wholeRow(row, number))), total: counts[0]?.total ?? 0 }
  }

  /**
   * Walks the number's rows once. A conversation counts at the first of its rows in the range, whose previous row is
   * out of the range or missing. The newest row of an ad is looked up only for ads that are shown.
   */
  async summary(number: NumberRef, range: ReferralRange, limit: number): ReturnType<ReferralStore['summary']> {
    const p = new Parameters()
    const ofNumber = `number_id = ${p.add(number.id)}`
    const dates = between(p, range)
    const isFirst =
      range.startDate === null
        ? 'previous_at is null'
        : `(previous_at is null or previous_at < ${p.time(range.startDate)})`
    const most = p.add(limit + 1)
    const rows = await this.#database.lists.query<SummaryRow>(
      `with counted as materialized (
        select source_id, count(*) filter (where ${isFirst})::integer as conversations, count(*)::integer as messages, max(created_at) as last_at
        from referrals where ${[ofNumber, 'source_id is not null', ...dates].join(' and ')}
        group by source_id order by conversations desc, messages desc, last_at desc, source_id collate "C" desc limit ${most}
      )
      select s.source_id, s.conversations, s.messages, s.last_at, r.source_type, r.source_url, r.headline, ${NAME_COLUMNS}
      from counted s cross join lateral (
        select * from referrals where ${[ofNumber, 'source_id = s.source_id', ...dates].join(' and ')} order by created_at desc, message_id desc limit 1
      ) r ${JOIN_AD}
      order by s.conversations desc, s.messages desc, s.last_at desc, s.source_id collate "C" desc`,
      p.values,
    )
    return { ads: rows.slice(0, limit).map(toSummary), isTruncated: rows.length > limit }
  }
}

/** SQL of conditions on columns of `referrals` alone. */
function matching(p: Parameters, number: NumberRef, query: ReferralQuery): string {
  return [
    `number_id = ${p.add(number.id)}`,
    ...(query.sourceId === null ? [] : [`source_id = ${p.add(query.sourceId)}`]),
    ...(query.sourceType === null ? [] : [`source_type = ${p.add(query.sourceType)}`]),
    ...between(p, query),
  ].join(' and ')
}

/** Fills in a message that is gone from what its referral keeps. */
function wholeRow(row: Listed, number: NumberRef): ListedRow {
  if (row.id !== null) return { ...row, id: row.id }
  return {
    ...row,
    id: row.referral_of,
    tenant_id: number.tenantId,
    number_id: number.id,
    provider: number.provider,
    conversation_id: row.kept_conversation_id,
    direction: 'INBOUND',
    status: 'RECEIVED',
    type: row.kept_type,
    external_id: row.kept_external_id,
    created_at: row.kept_at,
    ctwa_clid: null,
  }
}

function toSummary(row: SummaryRow): ReferralSummary {
  return {
    sourceId: row.source_id,
    sourceType: row.source_type,
    conversations: row.conversations,
    messages: row.messages,
    lastSourceUrl: row.source_url,
    lastHeadline: row.headline,
    lastMessageAt: toDate(row.last_at),
    ...NAMES.read(row),
  }
}

/** Referrals over an open database. */
export function openReferrals(engine: Pick<Engine, 'database' | 'clock'>): { readonly referrals: ReferralStore } {
  return { referrals: new SqlReferralStore(engine) }
}
