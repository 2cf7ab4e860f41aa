import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { NewEvent } from '../../../src/domain/events.ts'
import type { NumberId, TenantId } from '../../../src/domain/ids.ts'
import { withoutSecrets } from '../../../src/domain/number-voice.ts'
import type { ChannelNumber } from '../../../src/domain/number.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Fence } from '../../../src/ports/leases.ts'
import type {
  ConnectionPatch,
  NewNumber,
  NumberPatch,
  NumberRange,
  NumberStore,
} from '../../../src/ports/stores/number-store.ts'
import { numberEvent } from '../../../src/storage/numbers/rows.ts'
import { MemoryKeys } from './keys.ts'
import { storable, type MemoryRows } from './rows.ts'

/** Numbers in memory, with the fences of the tables. */
export class MemoryNumbers implements NumberStore {
  readonly rows: Map<NumberId, ChannelNumber>
  readonly keys: MemoryKeys
  /** The limit of tenants without their own. */
  maxNumbers: number | null = null
  plan = 'unlimited'
  readonly #rows: MemoryRows
  readonly #clock: Clock

  constructor(rows: MemoryRows, clock: Clock) {
    this.rows = rows.numbers
    this.keys = new MemoryKeys(rows, clock)
    this.#rows = rows
    this.#clock = clock
  }

  /** Changes an existing number, without a fence. */
  put(change: Partial<ChannelNumber> & Pick<ChannelNumber, 'id'>): ChannelNumber {
    const row = this.rows.get(change.id)
    if (!row) throw new Error('no such number')
    const changed = { ...row, ...change }
    this.rows.set(row.id, changed)
    return changed
  }

  async create(number: NewNumber) {
    const own = this.#of(number.tenantId)
    const max = this.#maxOf(number.tenantId)
    if (max !== null && own.length >= max) return fail(refuse('NUMBER_LIMIT_EXCEEDED', 'full'))
    if (own.some((row) => row.number === number.number)) return fail(refuse('NUMBER_ALREADY_EXISTS', 'exists'))
    const now = new Date(this.#clock.now())
    const row: ChannelNumber = {
      ...storable(number),
      state: 'CLOSE',
      isFullyConnected: false,
      isPaired: false,
      pairingReason: null,
      createdAt: now,
      updatedAt: now,
    }
    this.rows.set(row.id, row)
    this.#rows.tell(row.id, [numberEvent('number.created', row)], this.#clock.now())
    return succeed({ number: row, key: this.keys.issue(row.tenantId, row.id) })
  }

  async find(tenantId: TenantId, numberId: NumberId) {
    const row = this.rows.get(numberId)
    return row?.tenantId === tenantId ? row : null
  }

  async findByDigits(tenantId: TenantId, digits: string) {
    return this.#of(tenantId).find(({ number }) => number === digits) ?? null
  }

  async load(numberId: NumberId) {
    return this.rows.get(numberId) ?? null
  }

  async list(tenantId: TenantId) {
    return this.#of(tenantId)
  }

  async listSome(tenantId: TenantId, numberIds: readonly NumberId[] | null, range: NumberRange) {
    const all = this.#of(tenantId).filter(({ id }) => numberIds === null || numberIds.includes(id))
    const { after, offset } = { after: null, offset: 0, ...range }
    const from = after === null ? offset : all.findIndex(({ id }) => id === after.id) + 1
    return all.slice(from, from + range.limit)
  }

  async count(tenantId: TenantId, numberIds: readonly NumberId[] | null) {
    return (await this.listSome(tenantId, numberIds, { limit: Infinity, after: null })).length
  }

  async patch(tenantId: TenantId, numberId: NumberId, patch: NumberPatch) {
    const row = await this.find(tenantId, numberId)
    if (!row) return null
    const { voice, ...plain } = patch
    if (voice !== undefined) this.#rows.voices.set(numberId, voice)
    return this.put({
      ...storable(plain),
      ...(voice === undefined ? {} : { voice: voice && withoutSecrets(voice) }),
      id: numberId,
      updatedAt: new Date(this.#clock.now()),
    })
  }

  async remove(tenantId: TenantId, numberId: NumberId) {
    const row = await this.find(tenantId, numberId)
    if (!row) return false
    for (const leave of this.#rows.leaving) leave(numberId)
    this.#rows.tell(numberId, [numberEvent('number.removed', { ...row, state: 'CLOSE' })], this.#clock.now())
    this.#rows.removeNumber(numberId)
    return true
  }

  async saveConnection(fence: Fence, patch: ConnectionPatch, events: readonly NewEvent[]) {
    return this.#rows.write('save', fence, () => {
      const row = this.rows.get(fence.numberId)
      if (!row) return 'conflict'
      const known = this.#rows.connectionOf(row.id)
      const { credentials = known.credentials, ackedSeq = known.ackedSeq, ...change } = patch
      this.#rows.connections.set(row.id, { credentials, ackedSeq: Math.max(ackedSeq, known.ackedSeq) })
      this.put({ ...change, id: row.id, isPaired: credentials !== null, updatedAt: new Date(this.#clock.now()) })
      if (patch.state !== 'OPEN' || row.state !== 'OPEN') this.#rows.tell(row.id, events, this.#clock.now())
      return 'applied'
    })
  }

  async credentials(numberId: NumberId) {
    return this.#rows.connectionOf(numberId)
  }

  async voiceOf(numberId: NumberId) {
    const voice = this.#rows.voices.get(numberId) ?? null
    const isRelayed = this.rows.get(numberId)?.piiMode === 'RELAY_ONLY'
    return voice && { ...voice, record: voice.record && !isRelayed }
  }

  async usage(tenantId: TenantId) {
    return { plan: this.plan, maxNumbers: this.#maxOf(tenantId), usedNumbers: this.#of(tenantId).length }
  }

  #of(tenantId: TenantId): ChannelNumber[] {
    return [...this.rows.values()].filter((row) => row.tenantId === tenantId)
  }

  #maxOf(tenantId: TenantId): number | null {
    return this.#rows.tenants.get(tenantId)?.maxNumbers ?? this.maxNumbers
  }
}
