import type { FlowId, NumberId, TenantId } from '../../domain/ids.ts'
import type { FlowAnswer } from '../../ports/stores/flow-response-store.ts'
import { keptStatement, type SqlSession } from '../engine/database.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { PURGE_BATCH, removalOf } from '../engine/purge.ts'
import { dayOf } from '../engine/statement.ts'
import { ledTo } from '../conversations/aliases.ts'
import { isOfParts } from '../conversations/parts.ts'
import { isQuoted, messagesQuoted, shownId } from '../message-keys/ids.ts'
import { CUT, LIMITED, UNWIPED } from '../numbers/retention.ts'
import { FlowResponseCountsEntity, FlowResponseEntity, type KeptAnswer } from './entity.ts'

const KEY = 'flow_id, number_id, day'

/**
 * SQL of a CTE that adds to the counts what `changes` lists: `flow_id, number_id, day, responses`. It comes last in a
 * statement and in one order everywhere, so that nodes do not wait for each other in a circle.
 */
function countResponsesCte(changes: string): string {
  return `counted_responses as (
      insert into flow_response_counts as c (${KEY}, responses)
      select ${KEY}, sum(responses) from (${changes}) changes group by ${KEY} order by ${KEY}
      on conflict (${KEY}) do update set responses = c.responses + excluded.responses
    )`
}

/** SQL that lists each row with a Flow of the CTE `responses` (rows of `flow_responses`) as one more or one less. */
function eachResponse(responses: string, count: 1 | -1): string {
  return `select flow_id, number_id, ${dayOf('submitted_at')} as day, ${count} as responses from ${responses} where flow_id is not null`
}

/** Columns that an item of `ownedCtes` has for an answer; see `answerFields`. */
export const ANSWER_COLUMNS = 'answer_id text, answer_token text, answer text'

/**
 * The columns that `answerCtes` reads an answer from, beside those of the message that carries it; none when the
 * message carries no answer.
 */
export function answerFields(answer: FlowAnswer | null) {
  if (answer === null) return {}
  const kept: KeptAnswer = answer.response === null ? { raw: answer.rawResponse ?? '' } : { fields: answer.response }
  return { answer_id: answer.id, answer_token: answer.flowToken, answer: JSON.stringify(kept) }
}

/**
 * SQL of a CTE `held_flows`: the Flows of the CTE `joined` that exist, locked until the statement ends. A removal of
 * such a Flow waits, and then removes the response too.
 */
const HELD_FLOWS =
  'held_flows as (select f.id from flows f where f.id in (select flow_id from joined) order by f.id for key share)'

/**
 * SQL of the Flow message of which `isIt` is true, among messages `m` of the account that `a` names (`tenant_id,
 * account_id`).
 */
function byContext(isIt: string): string {
  return `select m.id, m.flow_id from channel_numbers s join messages m on m.number_id = s.id and ${isIt}
        where s.official_account_id = a.account_id and s.tenant_id = a.tenant_id and m.flow_id is not null and m.direction = 'OUTBOUND' limit 1`
}

/** Our choice: most messages of a number with one token that are looked at, the newest first. */
const OF_TOKEN = 100

/**
 * SQL of the newest Flow message sent with the token, used when there is no `context`. Messages of the same
 * conversation come first, because a tenant may give many messages one token.
 */
const BY_TOKEN = `select m.id, m.flow_id from channel_numbers s cross join lateral (
          select id, flow_id, conversation_id, position from messages where number_id = s.id and flow_token = a.answer_token order by position desc limit ${OF_TOKEN}) m
        where context.id is null and s.official_account_id = a.account_id and s.tenant_id = a.tenant_id and m.flow_id is not null
        order by (${ledTo('m.conversation_id')} = a.conversation_id) desc, m.position desc limit 1`

/**
 * True when upstream's id of the answered message may still become known: a Flow message of the conversation was sent
 * upstream and is not settled, and no message of the number has that id. Such a response waits without a Flow, and
 * nobody sees it.
 */
const MAY_BE_JOINED = `j.message_id is null and j.quoted_id is not null
        and exists (select 1 from messages q where q.number_id = j.number_id and ${isOfParts('q.conversation_id', 'j.conversation_id')} and q.due_at is not null and q.attempted_at is not null and q.flow_id is not null)
        and not exists (${messagesQuoted('1', 'j')})`

/**
 * SQL of CTEs that store the answers to Flows among inbound messages, and count them. `came` is a query of new
 * messages: `number_id, tenant_id, conversation_id, external_id, external_form, from_address, from_name, quoted_id,
 * quoted_key, at, is_kept` and ANSWER_COLUMNS. Each answer is joined to the message that it answers, else by its token,
 * both within the account of the number in its tenant. An answer that matches neither, or is not kept, is not stored.
 * There is one response per message, however often the message comes. The CTE `responded` has what was stored; a row
 * without a Flow waits, and its writer calls `joinNamed`, because its message may have got its id meanwhile.
 */
export function answerCtes(came: string): string {
  return `answers as (
      select c.*, n.official_account_id as account_id from (${came}) c join channel_numbers n on n.id = c.number_id where c.answer_id is not null and c.is_kept
    ), joined as (
      select a.*, coalesce(context.id, token.id) as message_id, coalesce(context.flow_id, token.flow_id) as flow_id
      from answers a left join lateral (${byContext(isQuoted('m', 'a'))}) context on true left join lateral (${BY_TOKEN}) token on true
    ), ${HELD_FLOWS}, responded as (
      insert into flow_responses (id, tenant_id, number_id, flow_id, conversation_id, contact, contact_name, message_id, external_message_id, context_id, flow_token, response, submitted_at)
      select answer_id, tenant_id, number_id, flow_id, conversation_id, from_address, from_name, message_id, ${shownId('j')}, coalesce(quoted_key, quoted_id), answer_token, answer, at
      from joined j where flow_id in (select id from held_flows) or (${MAY_BE_JOINED}) order by number_id, external_id
      on conflict (number_id, external_message_id) do nothing
      returning id, flow_id, number_id, submitted_at
    ), ${countResponsesCte(eachResponse('responded', 1))}`
}

/**
 * SQL of CTEs that give the responses of `found`, a query of `id, message_id, flow_id`, their message and Flow, and
 * count them.
 */
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
 * Joins the responses of `waiting`, a query of ids of waiting responses, to messages that are known by now. Answers a
 * row for each.
 */
function joinSql(waiting: string): string {
  return `with ${joinCtes(`select a.id, context.id as message_id, context.flow_id from (
        select r.id, r.tenant_id, r.context_id, n.official_account_id as account_id from flow_responses r join channel_numbers n on n.id = r.number_id
        where r.context_id is not null and r.message_id is null and ${waiting}
      ) a cross join lateral (${byContext('m.external_id = a.context_id')}) context`)}
    select 1 from responded`
}

/** Joins the responses to messages with the upstream ids `$1`; see `idsOf`. */
export const JOIN_NAMED = keptStatement(joinSql('r.context_id = any($1::text[])'))

/**
 * Joins responses that came before the upstream ids of their messages, `externalIds`, were known. The writer of such a
 * response and the writer of such an id both call it, each after its own commit, so that the later one sees both. Never
 * fails: the purge joins what was missed.
 */
export async function joinNamed(database: Engine['database'], externalIds: readonly string[]): Promise<void> {
  if (externalIds.length === 0) return
  await despiteDeadlock(() => database.queryKept(JOIN_NAMED, [externalIds])).catch(() => {})
}

/**
 * Our choice, the same as for changes whose message never came: a response that waits for its message is forgotten
 * after this long.
 */
const WAITED_DAYS = 7

/**
 * SQL that deletes the responses whose ids `old` lists, and takes them from the counts. What another node deleted
 * meanwhile is not taken twice.
 */
function removeSql(old: string): string {
  return `with old as (
      ${old} limit ${PURGE_BATCH}
    ), removed as (
      delete from flow_responses where id in (select id from old) returning flow_id, number_id, submitted_at
    ), ${countResponsesCte(eachResponse('removed', -1))}
    select 1 from removed`
}

/** SQL that deletes days that count nothing any more, of numbers `n`. */
function removeCountsSql(numbers: string): string {
  return `delete from flow_response_counts c using channel_numbers n, flows f
    where ${numbers} and f.account_id = n.official_account_id and f.tenant_id = n.tenant_id and c.flow_id = f.id and c.number_id = n.id and c.responses = 0 returning 1`
}

/** Statements of the purge, each of which takes up to PURGE_BATCH rows or all; `$1` is the present. */
export const RESPONSE_STEPS = [
  // Joins responses that the writers of both the response and its message's id missed.
  joinSql(`true limit ${PURGE_BATCH}`),
  removeSql(
    `select r.id from flow_responses r where r.context_id is not null and r.message_id is null and r.submitted_at < $1::timestamptz - interval '${WAITED_DAYS} days'`,
  ),
  // The lateral join reads along the index of each number.
  removeSql(`select r.id from channel_numbers n cross join lateral (
      select id from flow_responses where number_id = n.id and submitted_at < ${CUT} limit ${PURGE_BATCH}) r
    where ${LIMITED}`),
  removeCountsSql(`${LIMITED} and c.day <= ${dayOf(`(${CUT})`)}`),
]

/** Statements that delete what a number stored before it became RELAY_ONLY. */
export const RESPONSE_WIPES = [
  removeSql(`select r.id from channel_numbers n join flow_responses r on r.number_id = n.id where ${UNWIPED}`),
  removeCountsSql(UNWIPED),
]

/**
 * Removes the responses and counts of Flows whose rows are gone. It is a statement of its own, so that it sees what was
 * stored until then.
 */
export async function removeResponsesOfFlows(session: SqlSession, flowIds: readonly FlowId[]): Promise<void> {
  if (flowIds.length === 0) return
  await session.query('delete from flow_responses where flow_id = any($1::text[])', [flowIds])
  await session.query('delete from flow_response_counts where flow_id = any($1::text[])', [flowIds])
}

/** Removes what a removed number received, for as long as the Flows of its account exist. */
export async function removeResponsesOfNumber(
  session: SqlSession,
  numberId: NumberId,
  [accountId, tenantId]: readonly [accountId: string, tenantId: TenantId],
): Promise<void> {
  await session.query(removalOf(FlowResponseEntity, 'numberId'), [numberId])
  // The removal of a Flow removes its counts. The condition uses the key of the counts, which begins with the Flow.
  await session.query(
    removalOf(
      FlowResponseCountsEntity,
      'numberId',
      'flow_id in (select id from flows where account_id = $2 and tenant_id = $3)',
    ),
    [numberId, accountId, tenantId],
  )
}
