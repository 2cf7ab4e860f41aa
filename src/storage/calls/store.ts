import { isLive, LIVE_STATUSES, type Call, type CallStatus, type Playback } from '../../domain/call.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { CallId, NumberId, TenantId } from '../../domain/ids.ts'
import type { Fence } from '../../ports/leases.ts'
import type {
  CallPatch,
  CallStore,
  CallTransition,
  NewCall,
  TenantCallPage,
  WriteResult,
} from '../../ports/stores/call-store.ts'
import { isDuplicate } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { Gathered } from '../engine/gathered.ts'
import { fenceCte, fencedAnswer, toWriteResult, type FencedRow } from '../engine/fence.ts'
import { eventCtes, toOutboxParameter } from '../engine/outbox.ts'
import { dayOf, Parameters } from '../engine/statement.ts'
import { tallyCte } from '../usage/tally.ts'
import { findOfTenant, listOfTenant } from './of-tenant.ts'
import { CALL_COLUMNS, CALLS, toCall, type CallRow } from './row.ts'

/** The live statuses, written as the partial index `calls_live` has them. */
const LIVE = LIVE_STATUSES.map((status) => `'${status}'`).join(', ')

/** The columns that a transition may set. */
const PATCHED = [
  'externalCallId',
  'startedAt',
  'connectedAt',
  'endedAt',
  'durationSeconds',
  'errorCode',
  'errorMessage',
  'media',
  'sdpOffer',
  'sdpAnswer',
  'playback',
  'mediaHost',
  'recording',
] as const satisfies readonly (keyof CallPatch)[]

/** What a write returns of its call. */
const WRITTEN = 'tenant_id, number_id, direction, created_at, duration_seconds'
/** SQL of a call that has ended in the form that usage takes, on the day on which it began ([usage.objects.3]). */
const USED = `select tenant_id, ${dayOf('created_at')} as day, number_id, u.metric, u.amount
      from written cross join lateral (values ('calls.' || lower(direction), 1), ('calls.seconds', duration_seconds)) as u (metric, amount) where u.amount > 0`

/** SQL of the CTE that writes a call, and whether the call has ended with it. */
interface CallWrite {
  readonly written: string
  readonly isEnded: boolean
}

function toParameter(value: CallPatch[keyof CallPatch]): string | number | null {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null)
}

function assignments(parameters: Parameters, patch: CallPatch): string[] {
  return PATCHED.filter((name) => patch[name] !== undefined).map((name) => {
    const column = CALLS.columns[name]
    return `${column} = ${parameters.add(toParameter(patch[name]))}::${CALLS.types[column]}`
  })
}

interface WantedCall {
  readonly numberId: NumberId
  readonly callId: string
}

/** Our choice: most calls that one statement looks up. */
const FINDS_TOGETHER = 100
/** Where a provider's id equals a service id of the same number, the service id wins. */
const FIND = `select wanted.place::integer as place, found.*
  from unnest($1::text[], $2::text[]) with ordinality as wanted (number_id, call_id, place)
  cross join lateral (
    select ${CALL_COLUMNS} from calls where number_id = wanted.number_id and (id = wanted.call_id or external_call_id = wanted.call_id)
    order by id = wanted.call_id desc limit 1
  ) found`

type CallDeps = Pick<Engine, 'database' | 'clock' | 'onEvents' | 'onMoved'>

/** Calls as rows; each write is one statement with its events, applied only under a valid fence. */
class SqlCallStore implements CallStore {
  #database: Engine['database']
  #clock: Engine['clock']
  #onEvents: Engine['onEvents']
  #onMoved: Engine['onMoved']
  /** Reads that come while one is under way share the next: most of what a read costs is its round trip (measured). */
  #finds = new Gathered<WantedCall, Call | null>({
    run: (wanted) => this.#findAll(wanted),
    weightOf: () => 1,
    maxWeight: FINDS_TOGETHER,
  })

  constructor({ database, clock, onEvents, onMoved }: CallDeps) {
    this.#database = database
    this.#clock = clock
    this.#onEvents = onEvents
    this.#onMoved = onMoved
  }

  async insert(fence: Fence, call: NewCall, events: readonly NewEvent[]): Promise<WriteResult> {
    if (call.numberId !== fence.numberId) throw new Error('the fence belongs to another number than the call')
    const p = new Parameters()
    const numberId = p.add(fence.numberId)
    const token = p.add(fence.token)
    const now = p.time(this.#clock.now())
    const values = [
      p.add(call.id),
      'owner.tenant_id',
      'owner.id',
      p.add(call.provider),
      p.add(call.externalCallId),
      p.add(call.direction),
      p.add(call.status),
      p.add(call.peerNumber),
      p.add(call.fromNumber),
      p.add(call.conversationId),
      p.add(call.bizOpaqueCallbackData),
      p.time(call.startedAt),
      p.add(call.media),
      p.add(call.sdpOffer),
      p.add(call.sdpAnswer),
      p.add(call.recording),
      now,
      now,
    ]
    const written = `written as (
      insert into calls (id, tenant_id, number_id, provider, external_call_id, direction, status, peer_number, from_number,
        conversation_id, biz_opaque_callback_data, started_at, media, sdp_offer, sdp_answer, recording, created_at, updated_at)
      select ${values.join(', ')} from channel_numbers owner, fence
      where owner.id = ${numberId} and owner.tenant_id = ${p.add(call.tenantId)}
      on conflict do nothing returning ${WRITTEN})`
    return this.#write(p, numberId, token, { written, isEnded: !isLive(call.status) }, events, now)
  }

  async transition(fence: Fence, move: CallTransition): Promise<WriteResult> {
    const p = new Parameters()
    const numberId = p.add(fence.numberId)
    const token = p.add(fence.token)
    const now = p.time(this.#clock.now())
    const sets = [
      `status = ${p.add(move.to)}`,
      `updated_at = ${now}`,
      ...assignments(p, move.patch),
      ...(isLive(move.to) ? [] : [`recording_due_at = case when recording = 'ASKED' then ${now}::timestamptz end`]),
    ]
    const written = `written as (
      update calls set ${sets.join(', ')}
      where number_id = ${numberId} and id = ${p.add(move.callId)} and status = any(string_to_array(${p.add(move.from.join(','))}, ','))
        and exists (select 1 from fence)
      returning ${WRITTEN})`
    const write = { written, isEnded: !isLive(move.to) }
    const result = await this.#write(p, numberId, token, write, move.events, now)
    if (move.events.length === 0) this.#tellMoved(result, fence.numberId, move.callId, move.to)
    return result
  }

  async setExternalId(
    fence: Fence,
    callId: CallId,
    externalCallId: string,
    mediaHost: string | null,
    sdpOffer: string | null = null,
  ): Promise<WriteResult> {
    const offered = sdpOffer === null ? {} : { sdpOffer }
    const result = await this.#patch(fence, callId, { externalCallId, mediaHost, ...offered })
    // Until then the provider may refuse the call, and nothing is told of it.
    this.#tellMoved(result, fence.numberId, callId, 'INITIATED')
    return result
  }

  async savePlayback(fence: Fence, callId: CallId, playback: readonly Playback[]): Promise<WriteResult> {
    return this.#patch(fence, callId, { playback })
  }

  async remove(fence: Fence, callId: CallId): Promise<WriteResult> {
    const p = new Parameters()
    const numberId = p.add(fence.numberId)
    const token = p.add(fence.token)
    const written = `written as (
      delete from calls where number_id = ${numberId} and id = ${p.add(callId)} and exists (select 1 from fence) returning 1)`
    return this.#run(p, `with ${fenceCte(numberId, token)}, ${written} ${fencedAnswer('written')}`)
  }

  async find(numberId: NumberId, callIdOrExternalId: string): Promise<Call | null> {
    return this.#finds.add({ numberId, callId: callIdOrExternalId })
  }

  async #findAll(wanted: readonly WantedCall[]): Promise<(Call | null)[]> {
    const rows = await this.#database.query<CallRow & { readonly place: number }>(FIND, [
      wanted.map(({ numberId }) => numberId),
      wanted.map(({ callId }) => callId),
    ])
    const byPlace = new Map(rows.map((row) => [row.place, row]))
    return wanted.map((_, index) => {
      const row = byPlace.get(index + 1)
      return row ? toCall(row) : null
    })
  }

  async list(numberId: NumberId, page: { readonly limit: number; readonly before: Date | null }): Promise<Call[]> {
    const rows = await this.#database.query<CallRow>(
      `select ${CALL_COLUMNS} from calls where number_id = $1 and created_at < coalesce($2::timestamptz, 'infinity')
       order by created_at desc, id desc limit $3`,
      [numberId, page.before?.toISOString() ?? null, page.limit],
    )
    return rows.map(toCall)
  }

  listOfTenant(tenantId: TenantId, page: TenantCallPage): Promise<Call[] | null> {
    return listOfTenant(this.#database, tenantId, page)
  }

  findOfTenant(tenantId: TenantId, callId: CallId): Promise<Call | null> {
    return findOfTenant(this.#database, tenantId, callId)
  }

  async listLive(numberId: NumberId): Promise<Call[]> {
    const rows = await this.#database.query<CallRow>(
      `select ${CALL_COLUMNS} from calls where number_id = $1 and status in (${LIVE})
         and not exists (select 1 from set_aside where line = 'live-calls' and item = calls.id) order by created_at, id`,
      [numberId],
    )
    return rows.map(toCall)
  }

  async #patch(fence: Fence, callId: CallId, patch: CallPatch): Promise<WriteResult> {
    const p = new Parameters()
    const numberId = p.add(fence.numberId)
    const token = p.add(fence.token)
    const sets = [`updated_at = ${p.time(this.#clock.now())}`, ...assignments(p, patch)]
    const written = `written as (
      update calls set ${sets.join(', ')}
      where number_id = ${numberId} and id = ${p.add(callId)} and exists (select 1 from fence)
      returning 1)`
    return this.#run(p, `with ${fenceCte(numberId, token)}, ${written} ${fencedAnswer('written')}`)
  }

  async #write(
    p: Parameters,
    numberId: string,
    token: string,
    { written, isEnded }: CallWrite,
    events: readonly NewEvent[],
    now: string,
  ): Promise<WriteResult> {
    const told = events.length === 0 ? '' : `, ${eventCtes('written', p.add(toOutboxParameter(events)), now)}`
    const tallied = isEnded ? `, ${tallyCte(USED)}` : ''
    const ctes = `${fenceCte(numberId, token)}, ${written}${told}${tallied}`
    const result = await this.#run(p, `with ${ctes} ${fencedAnswer('written')}`)
    if (result === 'applied' && events.length > 0) this.#onEvents()
    return result
  }

  #tellMoved(result: WriteResult, numberId: NumberId, callId: CallId, status: CallStatus): void {
    if (result === 'applied') this.#onMoved.call({ numberId, callId, status, atMs: this.#clock.now() })
  }

  async #run(p: Parameters, sql: string): Promise<WriteResult> {
    try {
      const rows = await this.#database.query<FencedRow>(sql, p.values)
      return toWriteResult(rows[0])
    } catch (error) {
      // Two calls of one number were given the same provider id.
      if (isDuplicate(error, 'calls_number_external_id')) return 'conflict'
      throw error
    }
  }
}

/** Calls over an open database. */
export function openCalls(engine: CallDeps): { readonly calls: CallStore } {
  return { calls: new SqlCallStore(engine) }
}
