import { keptStatement } from '../engine/database.ts'
import { countResponsesCte, eachResponse } from './counts.ts'

/** What an item of `ownedCtes` has for its answer; see `answerFields`. */
export const ANSWER_COLUMNS = 'answer_id text, answer_token text, answer text'

/** A CTE `held_flows`: the Flows of CTE `joined`, kept until the statement ends: whoever removes one waits, and then removes what was stored. One that is gone is missing. */
const HELD_FLOWS = 'held_flows as (select f.id from flows f where f.id in (select flow_id from joined) order by f.id for key share)'

/** The Flow message of the account that `a` has (`tenant_id, account_id`) which upstream calls `externalId`, SQL. */
function byContext(externalId: string): string {
  return `select m.id, m.flow_id from channel_numbers s join messages m on m.number_id = s.id and m.external_id = ${externalId}
        where s.official_account_id = a.account_id and s.tenant_id = a.tenant_id and m.flow_id is not null and m.direction = 'OUTBOUND' limit 1`
}

/** Our choice: messages of a number with one token that are looked at, the newest. */
const OF_TOKEN = 100

/** Looked for where there is no `context`: the newest that was sent with the token, of the conversation before others, as a tenant may give many messages one token. */
const BY_TOKEN = `select m.id, m.flow_id from channel_numbers s cross join lateral (
          select id, flow_id, conversation_id, position from messages where number_id = s.id and flow_token = a.answer_token order by position desc limit ${OF_TOKEN}) m
        where context.id is null and s.official_account_id = a.account_id and s.tenant_id = a.tenant_id and m.flow_id is not null
        order by (m.conversation_id = a.conversation_id) desc, m.position desc limit 1`

/**
 * What upstream calls it may become known: a Flow message of the conversation was asked of upstream and is not settled, and no message of the number is called so. Such a row waits
 * without a Flow, and nobody sees it.
 */
const MAY_BE_JOINED = `j.message_id is null and j.quoted_id is not null
        and exists (select 1 from messages q where q.number_id = j.number_id and q.conversation_id = j.conversation_id and q.due_at is not null and q.attempted_at is not null and q.flow_id is not null)
        and not exists (select 1 from messages q where q.number_id = j.number_id and q.external_id = j.quoted_id)`

/**
 * CTEs that store the answers to Flows among what came in, and count them. `came` is a query of messages that are new: `number_id, tenant_id, conversation_id,
 * external_id, from_address, from_name, quoted_id, at, is_kept` and ANSWER_COLUMNS. Each is joined to the message it answers, else by its token, both of
 * the account of the number in its tenant; what is neither is not stored, nor is what is not kept. Once for each message, however often it comes.
 * CTE `responded` has what was stored; what has no Flow there waits: whoever stored it joins it once more (`joinNamed`), for its message may have been named meanwhile.
 */
export function answerCtes(came: string): string {
  return `answers as (
      select c.*, n.official_account_id as account_id from (${came}) c join channel_numbers n on n.id = c.number_id where c.answer_id is not null and c.is_kept
    ), joined as (
      select a.*, coalesce(context.id, token.id) as message_id, coalesce(context.flow_id, token.flow_id) as flow_id
      from answers a left join lateral (${byContext('a.quoted_id')}) context on true left join lateral (${BY_TOKEN}) token on true
    ), ${HELD_FLOWS}, responded as (
      insert into flow_responses (id, tenant_id, number_id, flow_id, conversation_id, contact, contact_name, message_id, external_message_id, context_id, flow_token, response, submitted_at)
      select answer_id, tenant_id, number_id, flow_id, conversation_id, from_address, from_name, message_id, external_id, quoted_id, answer_token, answer, at
      from joined j where flow_id in (select id from held_flows) or (${MAY_BE_JOINED}) order by number_id, external_id
      on conflict (number_id, external_message_id) do nothing
      returning id, flow_id, number_id, submitted_at
    ), ${countResponsesCte(eachResponse('responded', 1))}`
}

/** CTEs that give the answers of `found`, a query of `id, message_id, flow_id`, their message and Flow, and count them. */
function joinCtes(found: string): string {
  return `joined as (
      ${found}
    ), ${HELD_FLOWS}, responded as (
      update flow_responses r set message_id = j.message_id, flow_id = j.flow_id
      from joined j where r.id = j.id and r.message_id is null and j.flow_id in (select id from held_flows)
      returning r.flow_id, r.number_id, r.submitted_at
    ), ${countResponsesCte(eachResponse('responded', 1))}`
}

/** Joins the answers of `waiting`, a query of ids of those that wait, whose message is known by now. Answers a row for each. */
function joinSql(waiting: string): string {
  return `with ${joinCtes(`select a.id, context.id as message_id, context.flow_id from (
        select r.id, r.tenant_id, r.context_id, n.official_account_id as account_id from flow_responses r join channel_numbers n on n.id = r.number_id
        where r.context_id is not null and r.message_id is null and ${waiting}
      ) a cross join lateral (${byContext('a.context_id')}) context`)}
    select 1 from responded`
}

/** Joins the answers to messages that upstream calls `$1`. */
export const JOIN_NAMED = keptStatement(joinSql('r.context_id = any($1::text[])'))

/** Joins up to `limit` answers that both who stored them and who named their message missed. */
export function joinWaitingSql(limit: number): string {
  return joinSql(`true limit ${limit}`)
}
