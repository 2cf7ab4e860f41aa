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

/** The newest that was sent with the token, of the conversation before others: a tenant may give many messages one token. */
const BY_TOKEN = `select m.id, m.flow_id from messages m join channel_numbers s on s.id = m.number_id
        where m.flow_token = a.answer_token and m.tenant_id = a.tenant_id and s.official_account_id = a.account_id and m.flow_id is not null and m.direction = 'OUTBOUND'
        order by (m.conversation_id = a.conversation_id) desc, m.position desc limit 1`

/**
 * What upstream calls it may become known: a Flow message of the conversation is being sent, and no message of the number is called so. Such a row waits
 * without a Flow, and nobody sees it.
 */
const MAY_BE_JOINED = `j.message_id is null and j.quoted_id is not null
        and exists (select 1 from messages q where q.number_id = j.number_id and q.conversation_id = j.conversation_id and q.due_at is not null and q.flow_id is not null)
        and not exists (select 1 from messages q where q.number_id = j.number_id and q.external_id = j.quoted_id)`

/**
 * CTEs that store the answers to Flows among what came in, and count them. `came` is a query of messages that are new: `number_id, tenant_id, conversation_id,
 * external_id, from_address, from_name, quoted_id, at, is_kept` and ANSWER_COLUMNS. Each is joined to the message it answers, else by its token, both of
 * the account of the number in its tenant; what is neither is not stored, nor is what is not kept. Once for each message, however often it comes.
 */
export function answerCtes(came: string): string {
  return `answers as (
      select c.*, n.official_account_id as account_id from (${came}) c join channel_numbers n on n.id = c.number_id where c.answer_id is not null and c.is_kept
    ), joined as (
      select a.*, coalesce(context.id, token.id) as message_id, coalesce(context.flow_id, token.flow_id) as flow_id
      from answers a left join lateral (${byContext('a.quoted_id')}) context on true left join lateral (${BY_TOKEN}) token on context.id is null
    ), ${HELD_FLOWS}, responded as (
      insert into flow_responses (id, tenant_id, number_id, flow_id, conversation_id, contact, contact_name, message_id, external_message_id, context_id, flow_token, response, submitted_at)
      select answer_id, tenant_id, number_id, flow_id, conversation_id, from_address, from_name, message_id, external_id, quoted_id, answer_token, answer, at
      from joined j where flow_id in (select id from held_flows) or (${MAY_BE_JOINED}) order by number_id, external_id
      on conflict (number_id, external_message_id) do nothing
      returning flow_id, number_id, submitted_at
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

/**
 * CTEs that join the answers which came before it was known what upstream calls the message they answer. `told` is a query of messages of which that is known
 * now: `id, number_id, external_id, flow_id`; those without a Flow cost nothing.
 */
export function lateAnswerCtes(told: string): string {
  return joinCtes(`select r.id, t.id as message_id, t.flow_id from (${told}) t join channel_numbers s on s.id = t.number_id
        join flow_responses r on r.context_id = t.external_id and r.message_id is null and r.tenant_id = s.tenant_id
        join channel_numbers n on n.id = r.number_id and n.official_account_id = s.official_account_id
      where t.flow_id is not null`)
}

/** Joins up to `limit` answers that a statement missed whose message was settled at the same time. Answers a row for each. */
export function joinWaitingSql(limit: number): string {
  return `with ${joinCtes(`select a.id, context.id as message_id, context.flow_id from (
        select r.id, r.tenant_id, r.context_id, n.official_account_id as account_id from flow_responses r join channel_numbers n on n.id = r.number_id
        where r.context_id is not null and r.message_id is null limit ${limit}
      ) a cross join lateral (${byContext('a.context_id')}) context`)}
    select 1 from responded`
}
