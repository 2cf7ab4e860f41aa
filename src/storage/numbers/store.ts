import type { EngineFacts, SessionHealth } from '../../domain/engine.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { VoiceWithHeaders } from '../../domain/number-voice.ts'
import { storableText } from '../../domain/storable.ts'
import type { Fence } from '../../ports/leases.ts'
import type { WriteResult } from '../../ports/stores/call-store.ts'
import type { ConnectionPatch, NumberPatch, NumberRange, NumberStore } from '../../ports/stores/number-store.ts'
import type { SqlSession } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { fenceCte, fencedAnswer, toWriteResult, type FencedRow } from '../engine/fence.ts'
import { eventCtes, toOutboxParameter } from '../engine/outbox.ts'
import { Parameters } from '../engine/statement.ts'
import { TenantEntity } from '../tenants/entity.ts'
import { ChannelNumberEntity } from './entity.ts'
import { credentialsContext, toNumber, toVoiceColumns, toVoiceWithHeaders } from './rows.ts'

function among(numberIds: readonly NumberId[] | null) {
  return numberIds === null ? {} : { id: { $in: [...numberIds] } }
}

/** A connection change whose credentials are sealed already. */
interface SealedConnection {
  readonly state?: ChannelNumber['state']
  readonly isFullyConnected?: boolean
  readonly pairingReason?: ChannelNumber['pairingReason']
  readonly engine?: EngineFacts | null
  readonly sessionHealth?: SessionHealth | null
  readonly sealedCredentials?: string | null
  readonly ackedSeq?: number
}

/**
 * Stores a connection change, its credentials and its events in one statement, under the fence. number.connected is
 * told by whichever write moves the number to OPEN first: this one, or `opened` of official-numbers/store.ts.
 */
async function saveConnection(
  session: SqlSession,
  fence: Fence,
  patch: SealedConnection,
  events: readonly NewEvent[],
  nowMs: number,
): Promise<WriteResult> {
  const p = new Parameters()
  const numberId = p.add(fence.numberId)
  const token = p.add(fence.token)
  const now = p.time(nowMs)
  const sets = [`updated_at = ${now}`]
  if (patch.state !== undefined) sets.push(`state = ${p.add(patch.state)}`)
  if (patch.isFullyConnected !== undefined) sets.push(`is_fully_connected = ${p.add(patch.isFullyConnected)}`)
  if (patch.pairingReason !== undefined) sets.push(`pairing_reason = ${p.add(patch.pairingReason)}`)
  if (patch.engine !== undefined) sets.push(`engine = ${p.add(jsonOf(patch.engine))}::jsonb`)
  if (patch.sessionHealth !== undefined) sets.push(`session_health = ${p.add(jsonOf(patch.sessionHealth))}::jsonb`)
  if (patch.sealedCredentials !== undefined) sets.push(`sealed_credentials = ${p.add(patch.sealedCredentials)}`)
  // Two stores under way may commit in either order, so the highest `seq` stays.
  if (patch.ackedSeq !== undefined) sets.push(`acked_seq = greatest(acked_seq, ${p.add(patch.ackedSeq)}::bigint)`)
  // The row is locked before it is written, so that no other writer changes the state read here.
  const before = `before as (select id, state from channel_numbers where id = ${numberId} and exists (select 1 from fence) for no key update)`
  const written = `written as (
    update channel_numbers n set ${sets.join(', ')} from before where n.id = before.id
    returning n.tenant_id, n.id as number_id, before.state as state_before)`
  const told =
    events.length === 0
      ? ''
      : `, tellers as (select * from written${patch.state === 'OPEN' ? ` where state_before <> 'OPEN'` : ''}), ${eventCtes('tellers', p.add(toOutboxParameter(events)), now)}`
  const rows = await session.query<FencedRow>(
    `with ${fenceCte(numberId, token)}, ${before}, ${written}${told} ${fencedAnswer('written')}`,
    p.values,
  )
  return toWriteResult(rows[0])
}

/** JSON in a form that `jsonb` can keep. */
function jsonOf(value: object | null): string | null {
  return value === null
    ? null
    : JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? storableText(part) : part))
}

export type NumberDeps = Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents' | 'onMoved'>

/**
 * Numbers that exist: tenants read and set them as entities of the tenant, and their owners write them in SQL under the
 * fence. Creation and removal are in provisioning/numbers.ts.
 */
export class NumberRows implements Omit<NumberStore, 'create' | 'remove'> {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']
  #onEvents: Engine['onEvents']
  #onMoved: Engine['onMoved']

  constructor({ database, cipher, clock, onEvents, onMoved }: NumberDeps) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
    this.#onEvents = onEvents
    this.#onMoved = onMoved
  }

  async find(tenantId: TenantId, numberId: NumberId): Promise<ChannelNumber | null> {
    const row = await this.#database.entities({ tenantId }).readOne(ChannelNumberEntity, { id: numberId })
    return row && toNumber(row)
  }

  async findByDigits(tenantId: TenantId, digits: string): Promise<ChannelNumber | null> {
    const row = await this.#database.entities({ tenantId }).readOne(ChannelNumberEntity, { number: digits })
    return row && toNumber(row)
  }

  async load(numberId: NumberId): Promise<ChannelNumber | null> {
    const row = await this.#database.entities('everybody').readOne(ChannelNumberEntity, { id: numberId })
    return row && toNumber(row)
  }

  /** Oldest first. */
  async list(tenantId: TenantId): Promise<ChannelNumber[]> {
    const rows = await this.#database
      .entities({ tenantId })
      .read(ChannelNumberEntity, {}, { orderBy: { createdAt: 'asc', id: 'asc' } })
    return rows.map(toNumber)
  }

  async listSome(
    tenantId: TenantId,
    numberIds: readonly NumberId[] | null,
    range: NumberRange,
  ): Promise<ChannelNumber[]> {
    const after = 'after' in range ? range.after : null
    const rows = await this.#database.entities({ tenantId }).read(
      ChannelNumberEntity,
      {
        ...among(numberIds),
        ...(after
          ? { $or: [{ createdAt: { $gt: after.createdAt } }, { createdAt: after.createdAt, id: { $gt: after.id } }] }
          : {}),
      },
      { orderBy: { createdAt: 'asc', id: 'asc' }, limit: range.limit, offset: 'offset' in range ? range.offset : 0 },
    )
    return rows.map(toNumber)
  }

  count(tenantId: TenantId, numberIds: readonly NumberId[] | null): Promise<number> {
    return this.#database.entities({ tenantId }).count(ChannelNumberEntity, among(numberIds))
  }

  async patch(
    tenantId: TenantId,
    numberId: NumberId,
    { name, settings, piiMode, piiRetentionDays, voice, marketing }: NumberPatch,
  ): Promise<ChannelNumber | null> {
    const [row] = await this.#database.entities({ tenantId }).updated(
      ChannelNumberEntity,
      { id: numberId },
      {
        updatedAt: new Date(this.#clock.now()),
        ...(name === undefined ? {} : { name }),
        ...(settings === undefined ? {} : { settings }),
        ...(piiMode === undefined ? {} : { piiMode, isWiped: false }),
        ...(piiRetentionDays === undefined ? {} : { piiRetentionDays }),
        ...(marketing === undefined ? {} : { marketing }),
        ...(voice === undefined ? {} : toVoiceColumns(this.#cipher, numberId, voice)),
      },
    )
    return row ? toNumber(row) : null
  }

  async saveConnection(
    fence: Fence,
    patch: ConnectionPatch,
    events: readonly NewEvent[],
  ): ReturnType<NumberStore['saveConnection']> {
    const { credentials, ...plain } = patch
    const sealed =
      typeof credentials === 'string' ? this.#cipher.seal(credentials, credentialsContext(fence.numberId)) : credentials
    const change = sealed === undefined ? plain : { ...plain, sealedCredentials: sealed }
    const result = await saveConnection(this.#database, fence, change, events, this.#clock.now())
    if (result === 'applied' && events.length > 0) this.#onEvents()
    if (result === 'applied' && (plain.state ?? plain.isFullyConnected) !== undefined)
      this.#onMoved.number(fence.numberId)
    return result
  }

  async credentials(numberId: NumberId): Promise<{ credentials: string | null; ackedSeq: number }> {
    const row = await this.#database.entities('everybody').readOne(ChannelNumberEntity, { id: numberId })
    const sealed = row?.sealedCredentials ?? null
    return {
      credentials: sealed === null ? null : this.#cipher.open(sealed, credentialsContext(numberId)),
      ackedSeq: row?.ackedSeq ?? 0,
    }
  }

  async voiceOf(numberId: NumberId): Promise<VoiceWithHeaders | null> {
    const row = await this.#database.entities('everybody').readOne(ChannelNumberEntity, { id: numberId })
    return row && toVoiceWithHeaders(this.#cipher, row)
  }

  async usage(tenantId: TenantId): Promise<{ plan: string; maxNumbers: number | null; usedNumbers: number }> {
    const tenant = await this.#database.entities().readOne(TenantEntity, { id: tenantId })
    if (!tenant) throw new Error('the tenant does not exist')
    return { plan: tenant.plan, maxNumbers: tenant.maxNumbers, usedNumbers: await this.count(tenantId, null) }
  }
}
