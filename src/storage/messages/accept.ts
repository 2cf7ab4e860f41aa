import { IDEMPOTENCY_LOCK_MS, IDEMPOTENCY_MS } from '../../domain/limits.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { ClaimedAnswer, NewMessage } from '../../ports/stores/message-store.ts'
import { answerContext, takeOver } from '../idempotency/store.ts'
import { ledToBy } from './aliases-sql.ts'
import { conversationIdOf } from './conversation-id.ts'
import { countCtes, dayOf } from './counts.ts'
import { keptStatement, type SqlParameter } from '../engine/database.ts'
import { digestOf, toRecordset } from '../engine/rows.ts'

/** One send. */
export interface Accepting {
  readonly message: NewMessage
  readonly claim: ClaimedAnswer | null
}

/** What is stored, as the counts take it. */
const ADDED = `select number_id, conversation_id, 'OUTBOUND' as direction, kind as conversation_type, ${dayOf('created_at')} as day, false as is_unread,
        id in (select last_message_id from begun) as is_first
      from taken`

/** Of send `g` of number `n`: whether what was seen of its template is so now. Looked up by id, and by name in the index of the owner. */
const IS_CURRENT = `(g.seen_version is null or (
        exists (select 1 from templates t where t.id = g.template_id and t.xmin::text = g.seen_version
          and (t.number_id = n.id or (t.account_id = n.official_account_id and t.tenant_id = n.tenant_id)))
        and (g.seen_languages is null or g.seen_languages = case when n.official_account_id is null
          then (select count(*) from templates t where t.number_id = n.id and t.name = g.template)
          else (select count(*) from templates t where t.account_id = n.official_account_id and t.tenant_id = n.tenant_id and t.name = g.template) end)))`

/** Of send `g` of number `n`: whether its Flow is there, and in a state that it was made for. */
const HAS_FLOW = `(g.flow_id is null or exists (select 1 from flows f where f.id = g.flow_id and f.account_id = n.official_account_id and f.tenant_id = n.tenant_id
        and f.external_id is not null and f.official_status = any(g.flow_statuses)))`

/**
 * Stores many sends: what the number is alive for, its claim if it has one, the conversation when it is new, the message, the counts. Rows are
 * inserted in one order everywhere, so that nodes do not wait for each other in a circle, and numbers are held first, as by who removes one.
 * RELAY_ONLY keeps what is to be sent and nothing beside it, the token of a Flow neither: it keeps no answers. What became of a send is looked up (`in`), not joined: a join of so many is taken for one
 * of few, and costs more than the rest (measured). Answers a row for each send whose number is there. `is_current`: template and Flow are as they were when the message
 * was made of them, or there are none to be looked at; current and not stored: its key was claimed before.
 */
export const ACCEPT_MESSAGES = keptStatement(`with asked as (
    select g.*, ${ledToBy('g.address', 'g.kind', 'g.named_id')} as conversation_id
    from json_to_recordset($1::json) as g (place integer, id text, tenant_id text, number_id text, provider text, named_id text, kind text, address text,
      type text, content text, outgoing text, quoted_id text, correlation_id text, template text, template_id text, seen_version text, seen_languages integer, flow_id text, flow_token text, flow_statuses text[], due_at timestamptz, deliver_until timestamptz,
      created_at timestamptz, key_hash text, key text, fingerprint text, status integer, sealed_body text)
  ), numbers as (
    select id, tenant_id, number, pii_mode, official_account_id from channel_numbers where id in (select number_id from asked) order by id for key share
  ), given as (
    select g.*, n.number as from_address, n.pii_mode = 'RELAY_ONLY' as is_relay, (${IS_CURRENT} and ${HAS_FLOW}) as is_current
    from asked g join numbers n on n.id = g.number_id and n.tenant_id = g.tenant_id
  ), claimed as (
    insert into idempotent_requests as old (key_id_hash, key, fingerprint, claimed_at, status, sealed_body)
    select key_hash, key, fingerprint, $2::timestamptz, status, sealed_body from given where key is not null and is_current order by key_hash, key
    ${takeOver('$3', '$4')}
    returning key_id_hash, key
  ), taken as (
    select * from given where is_current and (key is null or (key_hash, key) in (select key_id_hash, key from claimed))
  ), begun as (
    insert into conversations (id, tenant_id, number_id, type, peer, last_message_id, last_message_at, created_at)
    select distinct on (conversation_id) conversation_id, tenant_id, number_id, kind, case when not is_relay then address end, id, created_at, created_at
    from taken order by conversation_id, place desc
    on conflict (id) do nothing
    returning last_message_id
  ), stored as (
    insert into messages (id, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, content, from_address, to_address,
      quoted_id, correlation_id, template, template_id, flow_id, flow_token, outgoing, due_at, deliver_until, created_at)
    select id, tenant_id, number_id, provider, conversation_id, kind, 'OUTBOUND', 'QUEUED', type, case when not is_relay then content end,
      case when not is_relay then from_address end, address, quoted_id, correlation_id, template, template_id, flow_id, case when not is_relay then flow_token end, outgoing, due_at, deliver_until, created_at
    from taken order by place
    returning id
  ), ${countCtes(ADDED)}
  select place, is_current, id in (select id from stored) as is_stored from given`)

/** The parameters of ACCEPT_MESSAGES; of a key no two sends may be among them. */
export function acceptedParameters(cipher: Cipher, sends: readonly Accepting[], nowMs: number): SqlParameter[] {
  const rows = sends.map(({ message, claim }, place) => ({ place, ...messageFields(cipher, message), ...claimFields(cipher, claim) }))
  return [toRecordset(rows), timeText(nowMs), timeText(nowMs - IDEMPOTENCY_MS), timeText(nowMs - IDEMPOTENCY_LOCK_MS)]
}

function timeText(ms: number): string {
  return new Date(ms).toISOString()
}

function messageFields(cipher: Cipher, message: NewMessage) {
  const { to, content, outgoing, createdAt, deliverAt } = message
  return {
    id: message.id, tenant_id: message.tenantId, number_id: message.numberId, provider: message.provider,
    named_id: conversationIdOf(cipher, message.numberId, to.address), kind: to.type, address: to.address, type: message.type,
    content: JSON.stringify(content), outgoing: JSON.stringify(outgoing), quoted_id: message.quotedMessageId, correlation_id: message.correlationId,
    template: message.template, template_id: message.templateId, seen_version: message.seenTemplate?.version, seen_languages: message.seenTemplate?.languages,
    flow_id: message.flow?.id, flow_token: message.flow?.token, flow_statuses: message.flow?.statuses, due_at: deliverAt ?? createdAt, deliver_until: message.deliverUntil, created_at: createdAt,
  }
}

function claimFields(cipher: Cipher, claim: ClaimedAnswer | null) {
  if (claim === null) return {}
  const { request: { ownerId, key, fingerprint }, answer } = claim
  const keyHash = digestOf(ownerId)
  return { key_hash: keyHash, key, fingerprint, status: answer.status, sealed_body: cipher.seal(answer.body, answerContext(keyHash, key)) }
}
