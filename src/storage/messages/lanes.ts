import type { NumberId } from '../../domain/ids.ts'
import { IDEMPOTENCY_LOCK_MS, IDEMPOTENCY_MS } from '../../domain/limits.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { AcceptOutcome, ClaimedAnswer, MessageStore, NewMessage } from '../../ports/stores/message-store.ts'
import { CLOCKS_APART, dayOf } from '../engine/statement.ts'
import { answerContext, CLAIM, readClaim, takeOver, type ClaimRow } from '../idempotency/store.ts'
import { isOwnerGone, keptStatement, type SqlParameter } from '../engine/database.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { Gathered } from '../engine/gathered.ts'
import { digestOf, toRecordset } from '../engine/rows.ts'
import { bestAddress, ledToBy } from '../conversations/aliases.ts'
import { peerIdsOf } from '../conversations/conversation-id.ts'
import { contentText } from './content.ts'
import { countCtes } from './counts.ts'
import { quotedFields } from '../message-keys/ids.ts'
import { YoungTable } from './young-table.ts'

/**
 * Our choice: statements that store sends side by side on a node. Sends of one number go one after another, so that its
 * messages keep the order they came in.
 */
const LANES = 4
/** Our choice: most sends of one statement, so that none waits long for the others. */
const LANE_SENDS = 250

/** SQL of the stored messages in the form that the counts take. */
const ADDED = `select tenant_id, number_id, conversation_id, 'OUTBOUND' as direction, kind as conversation_type, type, ${dayOf('created_at')} as day, false as is_unread,
        id in (select last_message_id from begun) as is_first
      from taken`

/**
 * SQL that is true of send `g` of number `n` when its template is still as it was read. Templates are looked up by id,
 * and by name in the index of the owner.
 */
const IS_CURRENT = `(g.seen_version is null or (
        exists (select 1 from templates t where t.id = g.template_id and t.xmin::text = g.seen_version
          and (t.number_id = n.id or (t.account_id = n.official_account_id and t.tenant_id = n.tenant_id)))
        and (g.seen_languages is null or g.seen_languages = case when n.official_account_id is null
          then (select count(*) from templates t where t.number_id = n.id and t.name = g.template)
          else (select count(*) from templates t where t.account_id = n.official_account_id and t.tenant_id = n.tenant_id and t.name = g.template) end)))`

/**
 * SQL that is true of send `g` of number `n` when its Flow exists, in a state that the send was made for, or when it
 * has none.
 */
const HAS_FLOW = `(g.flow_id is null or exists (select 1 from flows f where f.id = g.flow_id and f.account_id = n.official_account_id and f.tenant_id = n.tenant_id
        and f.external_id is not null and f.official_status = any(g.flow_statuses)))`

/**
 * SQL of the time of a send `g` without a schedule: its own, or that of the last one that waits before it in its
 * conversation, which a gateway with a faster clock may have accepted. What is accepted later stands behind it. A send
 * that waits later than clocks are apart was scheduled by its client.
 */
const IN_TURN = `case when g.due_at = g.created_at then greatest(g.created_at, (select m.due_at from messages m where m.number_id = g.number_id and m.conversation_id = g.conversation_id
        and m.due_at > g.created_at and m.due_at <= g.created_at + ${CLOCKS_APART} and m.due_at = m.created_at and m.batch_id = '' order by m.due_at desc limit 1)) end`

/** The parts of ACCEPT_MESSAGES and ACCEPT_BATCH that differ, in the order in which they stand. */
interface AcceptParts {
  /** CTEs before the sends, each with a comma behind it; so are `whole` and `opened`. */
  readonly given: string
  /** The CTE whose `number_id` names the numbers. */
  readonly owner: string
  readonly whole: string
  /** The rows whose keys are claimed. */
  readonly claims: string
  readonly opened: string
  /** True of a send that is stored. */
  readonly isTaken: string
  /** The time of a send without a schedule; null for the one that its gateway gave it. */
  readonly turn: string
  readonly batchId: string
  readonly answer: string
}

/**
 * Stores many sends: lock of the number, claim of the key if there is one, conversation when it is new, message,
 * counts. Rows are inserted in one order everywhere, so that nodes do not wait for each other in a circle, and numbers
 * are locked first, as by their removal. RELAY_ONLY keeps only what is to be sent, and not the token of a Flow, because
 * it keeps no answers. The result of a send is looked up (`in`) and not joined: the planner takes a join of many for
 * one of few, which costs more than the rest (measured). Answers a row for each send whose number exists. `is_current`
 * is true when template and Flow are as they were when the message was made, or when there are none; a send that is
 * current and not stored has a key that was claimed before.
 */
const acceptSql = (as: AcceptParts) => `with ${as.given}asked as (
    select g.*, ${ledToBy('g.named_id', 'g.other_ids')} as conversation_id
    from json_to_recordset($1::json) as g (place integer, id text, tenant_id text, number_id text, provider text, named_id text, other_ids text[], kind text, address text,
      type text, content text, outgoing text, quoted_id text, quoted_key text, correlation_id text, template text, template_id text, seen_version text, seen_languages integer, flow_id text, flow_token text, flow_statuses text[], due_at timestamptz, deliver_until timestamptz,
      created_at timestamptz, key_hash text, key text, fingerprint text, status integer, sealed_body text, trace text)
  ), numbers as (
    select id, tenant_id, number, pii_mode, official_account_id from channel_numbers where id in (select number_id from ${as.owner}) order by id for key share
  ), given as (
    select g.*, n.number as from_address, n.pii_mode = 'RELAY_ONLY' as is_relay, (${IS_CURRENT} and ${HAS_FLOW}) as is_current
    from asked g join numbers n on n.id = g.number_id and n.tenant_id = g.tenant_id
  ), ${as.whole}claimed as (
    insert into idempotent_requests as old (key_id_hash, key, fingerprint, claimed_at, status, sealed_body)
    select key_hash, key, fingerprint, $2::timestamptz, status, sealed_body from ${as.claims} order by key_hash, key
    ${takeOver('$3', '$4')}
    returning key_id_hash, key
  ), ${as.opened}taken as (
    select g.*, ${as.turn} as turn_at from given g where ${as.isTaken}
  ), begun as (
    insert into conversations (id, tenant_id, number_id, type, peer, last_message_id, last_message_at, created_at)
    select distinct on (conversation_id) conversation_id, tenant_id, number_id, kind, case when not is_relay then ${bestAddress('taken.address', 'taken.named_id', 'taken.conversation_id')} end, id, created_at, created_at
    from taken order by conversation_id, place desc
    on conflict (id) do nothing
    returning last_message_id
  ), stored as (
    insert into messages (id, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, content, from_address, to_address,
      quoted_id, quoted_key, correlation_id, template, template_id, flow_id, flow_token, outgoing, due_at, deliver_until, created_at, trace, batch_id)
    select id, tenant_id, number_id, provider, conversation_id, kind, 'OUTBOUND', 'QUEUED', type, case when not is_relay then content end,
      case when not is_relay then from_address end, address, quoted_id, quoted_key, correlation_id, template, template_id, flow_id, case when not is_relay then flow_token end, outgoing, coalesce(turn_at, due_at), deliver_until, coalesce(turn_at, created_at), trace, ${as.batchId}
    from taken order by place
    returning id
  ), ${countCtes(ADDED)}
  ${as.answer}`

/** Stores sends; `acceptedParameters` gives what it takes. */
export const ACCEPT_MESSAGES = keptStatement(
  acceptSql({
    given: '',
    owner: 'asked',
    whole: '',
    claims: 'given where key is not null and is_current',
    opened: '',
    isTaken: 'is_current and (key is null or (key_hash, key) in (select key_id_hash, key from claimed))',
    turn: IN_TURN,
    batchId: `''`,
    answer: 'select place, is_current, id in (select id from stored) as is_stored from given',
  }),
)

/**
 * Stores the batch `$5` with all its sends, in the same way, or nothing. Answers one row: `has_number` is false when
 * the number is gone; `stale` are the places of sends that are not current; a batch that has a number, is not stale and
 * not stored has a key that was claimed before.
 */
export const ACCEPT_BATCH = keptStatement(
  acceptSql({
    given: `batch as (
    select * from json_to_record($5::json) as b (id text, tenant_id text, number_id text, per_minute integer, created_at timestamptz, key_hash text, key text, fingerprint text, status integer, sealed_body text)
  ), `,
    owner: 'batch',
    whole: `whole as (
    select b.* from batch b join numbers n on n.id = b.number_id and n.tenant_id = b.tenant_id
    where (select count(*) from asked) = (select count(*) from given where is_current)
  ), `,
    claims: 'whole where key is not null',
    opened: `opened as (
    insert into message_batches (id, tenant_id, number_id, per_minute, accepted, created_at)
    select id, tenant_id, number_id, per_minute, (select count(*) from asked), created_at from whole where key is null or exists (select 1 from claimed)
    returning id
  ), `,
    isTaken: 'exists (select 1 from opened)',
    turn: 'null::timestamptz',
    batchId: '(select id from opened)',
    answer: `select exists (select 1 from numbers n join batch b on b.tenant_id = n.tenant_id) as has_number, exists (select 1 from opened) as is_stored,
    coalesce((select json_agg(place order by place) from given where not is_current), '[]')::text as stale`,
  }),
)

/** The parameters of ACCEPT_MESSAGES. No two of the sends may have the same key. */
export function acceptedParameters(sends: readonly SendRow[], nowMs: number): SqlParameter[] {
  const rows = sends.map(({ claimed, ...row }, place) => ({ place, ...row, ...claimed }))
  return [toRecordset(rows), timeText(nowMs), timeText(nowMs - IDEMPOTENCY_MS), timeText(nowMs - IDEMPOTENCY_LOCK_MS)]
}

function timeText(ms: number): string {
  return new Date(ms).toISOString()
}

/** One send in the form that ACCEPT_MESSAGES takes. `claimed` is what is stored of its key; null without one. */
type SendRow = ReturnType<typeof rowOf>

export function rowOf(cipher: Cipher, message: NewMessage, claim: ClaimedAnswer | null) {
  const { to, content, outgoing, createdAt, deliverAt } = message
  const peer = peerIdsOf(cipher, message.numberId, to.address)
  return {
    id: message.id,
    tenant_id: message.tenantId,
    number_id: message.numberId,
    provider: message.provider,
    named_id: peer.id,
    other_ids: peer.others,
    kind: to.type,
    address: to.address,
    type: message.type,
    content: contentText(content),
    outgoing: JSON.stringify(outgoing),
    ...quotedFields(message.quotedMessageId),
    correlation_id: message.correlationId,
    template: message.template,
    template_id: message.templateId,
    seen_version: message.seenTemplate?.version,
    seen_languages: message.seenTemplate?.languages,
    flow_id: message.flow?.id,
    flow_token: message.flow?.token,
    flow_statuses: message.flow?.statuses,
    due_at: deliverAt ?? createdAt,
    deliver_until: message.deliverUntil,
    created_at: createdAt,
    trace: message.trace,
    claimed: claim && claimFields(cipher, claim),
  }
}

export function claimFields(cipher: Cipher, { request: { ownerId, key, fingerprint }, answer }: ClaimedAnswer) {
  const keyHash = digestOf(ownerId)
  return {
    key_hash: keyHash,
    key,
    fingerprint,
    status: answer.status,
    sealed_body: cipher.seal(answer.body, answerContext(keyHash, key)),
  }
}

/** Finds the claims of keys that earlier sends have. */
const FIND_CLAIMS = `select c.place, ${CLAIM.list('r')}
  from json_to_recordset($1::json) as c (place integer, key_hash text, key text)
  join idempotent_requests r on r.key_id_hash = c.key_hash and r.key = c.key`

/**
 * Sends as they are accepted. Sends that arrive while a statement runs share the next one: under load, many messages
 * share one commit.
 */
export class AcceptedSends implements Pick<MessageStore, 'accept'> {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']
  #lanes: readonly Gathered<SendRow, AcceptOutcome>[]
  #young: YoungTable

  constructor({ database, cipher, clock }: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
    this.#young = new YoungTable(database)
    this.#lanes = Array.from(
      { length: LANES },
      () =>
        new Gathered<SendRow, AcceptOutcome>({
          run: (sends) => this.#accept(sends),
          weightOf: () => 1,
          maxWeight: LANE_SENDS,
        }),
    )
  }

  /** Accepts a send, which is durable once this resolves. */
  accept(message: NewMessage, claim: ClaimedAnswer | null): Promise<AcceptOutcome> {
    const lane = this.#lanes[laneOf(message.numberId)]
    if (!lane) throw new Error('there is no such lane')
    return lane.add(rowOf(this.#cipher, message, claim))
  }

  async #accept(sends: readonly SendRow[]): Promise<AcceptOutcome[]> {
    const outcomes = new Map<SendRow, AcceptOutcome>()
    // The first of the sends that share a key goes ahead; the others find its claim.
    const first = firstOfKeys(sends)
    for (const [send, outcome] of await this.#store(first)) outcomes.set(send, outcome)
    let open = sends.filter((send) => !outcomes.has(send))
    while (open.length > 0) {
      for (const [send, outcome] of await this.#findClaims(open)) outcomes.set(send, outcome)
      open = open.filter((send) => !outcomes.has(send))
      // Claims purged between the two statements are made anew.
      for (const [send, outcome] of await this.#store(firstOfKeys(open))) outcomes.set(send, outcome)
      open = open.filter((send) => !outcomes.has(send))
    }
    return sends.flatMap((send) => outcomes.get(send) ?? [])
  }

  /** Answers sends whose outcome is certain; the keys of the others were claimed before. */
  async #store(sends: readonly SendRow[]): Promise<Map<SendRow, AcceptOutcome>> {
    const outcomes = new Map<SendRow, AcceptOutcome>()
    if (sends.length === 0) return outcomes
    const parameters = acceptedParameters(sends, this.#clock.now())
    const rows = await despiteDeadlock(() =>
      this.#database.queryKept<{ place: number; is_current: boolean; is_stored: boolean }>(ACCEPT_MESSAGES, parameters),
    ).catch((error: unknown) => {
      // A send that fails alone has lost its number; among others, each is tried alone.
      if (sends.length === 1 && isOwnerGone(error)) return []
      throw error
    })
    const found = new Map(rows.map((row) => [row.place, row]))
    for (const [place, send] of sends.entries()) {
      const row = found.get(place)
      if (!row) outcomes.set(send, { kind: 'gone' })
      else if (!row.is_current) outcomes.set(send, { kind: 'stale' })
      else if (row.is_stored) outcomes.set(send, { kind: 'accepted' })
    }
    this.#young.count(rows.length)
    return outcomes
  }

  async #findClaims(sends: readonly SendRow[]): Promise<Map<SendRow, AcceptOutcome>> {
    const keys = sends.flatMap(({ claimed }, place) =>
      claimed === null ? [] : [{ place, key_hash: claimed.key_hash, key: claimed.key }],
    )
    const rows = await this.#database.query<ClaimRow & { readonly place: number }>(FIND_CLAIMS, [toRecordset(keys)])
    const outcomes = new Map<SendRow, AcceptOutcome>()
    for (const row of rows) {
      const send = sends[row.place]
      if (send?.claimed) outcomes.set(send, readClaim(this.#cipher, send.claimed.key_hash, send.claimed, row))
    }
    return outcomes
  }
}

function firstOfKeys(sends: readonly SendRow[]): SendRow[] {
  const seen = new Set<string>()
  return sends.filter(({ claimed }) => {
    if (claimed === null) return true
    const identity = `${claimed.key_hash} ${claimed.key}`
    if (seen.has(identity)) return false
    seen.add(identity)
    return true
  })
}

/** Index of the lane of a number's sends, always the same. */
function laneOf(numberId: NumberId): number {
  let hash = 0
  for (let i = 0; i < numberId.length; i++) hash = (hash * 31 + numberId.charCodeAt(i)) >>> 0
  return hash % LANES
}
