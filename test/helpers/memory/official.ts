import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { NumberId, TenantId } from '../../../src/domain/ids.ts'
import type { ChannelNumber } from '../../../src/domain/number.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { OfficialCredentials } from '../../../src/ports/official/credentials.ts'
import { hasSameLimits } from '../../../src/domain/official.ts'
import type { OfficialHealth, PhoneLimits } from '../../../src/ports/official/health.ts'
import type {
  CredentialsChange,
  DueCalling,
  NewOfficialNumber,
  OfficialPatch,
  OfficialStore,
} from '../../../src/ports/stores/official-store.ts'
import { numberEvent } from '../../../src/storage/numbers/rows.ts'
import type { MemoryNumbers } from './numbers.ts'
import type { MemoryOfficialSecrets, MemoryRows } from './rows.ts'

/** OFFICIAL numbers in memory. */
export class MemoryOfficial implements OfficialStore {
  readonly secrets: Map<NumberId, MemoryOfficialSecrets>
  /** Saved patches, oldest first. */
  readonly patches: OfficialPatch[] = []
  readonly #retries = new Map<NumberId, { readonly tries: number; readonly dueMs: number }>()
  readonly #rows: MemoryRows
  readonly #numbers: MemoryNumbers
  readonly #clock: Clock

  constructor(rows: MemoryRows, numbers: MemoryNumbers, clock: Clock) {
    this.secrets = rows.official
    this.#rows = rows
    this.#numbers = numbers
    this.#clock = clock
  }

  async create({ credentials, verifyToken, health, ...number }: NewOfficialNumber) {
    const { phoneId, accountId, appId } = credentials
    if (this.#byPhone(phoneId)) return fail(refuse('NUMBER_ALREADY_EXISTS', 'phone'))
    const making = this.#numbers.create({ ...number, provider: 'OFFICIAL' })
    // This must happen before any other call runs, or the phone id could be taken twice.
    if (this.#rows.numbers.has(number.id)) {
      const { number: _digits, ...known } = health
      const official = {
        phoneId,
        accountId,
        appId,
        ...known,
        callingStatus: 'NOT_ENABLED',
        checkedAt: new Date(this.#clock.now()),
        isTokenValid: true,
      } as const
      this.#numbers.put({ id: number.id, isPaired: true, official })
      this.#rows.connections.set(number.id, { credentials: JSON.stringify(credentials), ackedSeq: 0 })
      this.secrets.set(number.id, { credentials, verifyToken })
    }
    const made = await making
    return made.ok ? succeed({ number: this.#numbers.put({ id: number.id }), key: made.value.key }) : made
  }

  async opened(tenantId: TenantId, numberId: NumberId): Promise<ChannelNumber | null> {
    const number = this.#rows.numbers.get(numberId)
    if (number?.tenantId !== tenantId) return null
    if (number.state === 'OPEN') return number
    const opened = this.#numbers.put({
      id: numberId,
      state: 'OPEN',
      isFullyConnected: true,
      updatedAt: new Date(this.#clock.now()),
    })
    this.#rows.tell(numberId, [numberEvent('number.connected', opened)], this.#clock.now())
    return opened
  }

  async credentials(tenantId: TenantId, numberId: NumberId): Promise<OfficialCredentials | null> {
    return (await this.#numbers.find(tenantId, numberId)) ? (this.secrets.get(numberId)?.credentials ?? null) : null
  }

  async replaceCredentials(
    tenantId: TenantId,
    numberId: NumberId,
    change: CredentialsChange,
    health: OfficialHealth,
  ): Promise<ChannelNumber | null> {
    const number = await this.#numbers.find(tenantId, numberId)
    const secrets = this.secrets.get(numberId)
    if (!number?.official || !secrets) return null
    const credentials = { ...secrets.credentials, ...change }
    this.secrets.set(numberId, { ...secrets, credentials })
    this.#rows.connections.set(numberId, {
      ...this.#rows.connectionOf(numberId),
      credentials: JSON.stringify(credentials),
    })
    const { number: _digits, ...known } = health
    const now = new Date(this.#clock.now())
    return this.#numbers.put({
      id: numberId,
      updatedAt: now,
      official: { ...number.official, ...known, appId: credentials.appId, isTokenValid: true, checkedAt: now },
    })
  }

  async save(tenantId: TenantId, numberId: NumberId, patch: OfficialPatch): Promise<ChannelNumber | null> {
    this.patches.push(patch)
    const number = await this.#numbers.find(tenantId, numberId)
    if (!number?.official) return null
    const {
      health,
      isTokenValid = number.official.isTokenValid,
      callingStatus = number.official.callingStatus,
      sessionHealth = number.sessionHealth ?? null,
      callingRetry,
    } = patch
    const { number: _digits, ...known } = health ?? {}
    if (callingRetry)
      this.#retries.set(numberId, { tries: callingRetry.tries, dueMs: this.#clock.now() + callingRetry.inMs })
    if (callingRetry === null) this.#retries.delete(numberId)
    const checkedAt = health ? new Date(this.#clock.now()) : number.official.checkedAt
    return this.#numbers.put({
      id: numberId,
      updatedAt: new Date(this.#clock.now()),
      sessionHealth,
      official: { ...number.official, ...known, isTokenValid, callingStatus, checkedAt },
    })
  }

  async saveLimits(tenantId: TenantId, accountId: string, limits: readonly PhoneLimits[]): Promise<NumberId[]> {
    const changed: NumberId[] = []
    for (const { phoneId, ...named } of limits) {
      const number = this.#byPhone(phoneId)
      const { official } = number ?? {}
      if (!number || !official || number.tenantId !== tenantId || official.accountId !== accountId) continue
      if (hasSameLimits(official, named)) continue
      this.#numbers.put({ id: number.id, official: { ...official, ...named } })
      if (this.#rows.leases.has(number.id)) changed.push(number.id)
    }
    return changed
  }

  async findByPhone(phoneId: string): Promise<ChannelNumber | null> {
    return this.#byPhone(phoneId)
  }

  async takeDueCalling(limit: number, leaseMs: number): Promise<DueCalling[]> {
    const due = [...this.#retries].filter(([, { dueMs }]) => dueMs <= this.#clock.now()).slice(0, limit)
    return due.flatMap(([numberId, retry]) => {
      this.#retries.set(numberId, { ...retry, dueMs: this.#clock.now() + leaseMs })
      const number = this.#rows.numbers.get(numberId)
      const secrets = this.secrets.get(numberId)
      return number?.official && secrets
        ? [
            {
              tenantId: number.tenantId,
              numberId,
              callingStatus: number.official.callingStatus,
              tries: retry.tries,
              ...secrets,
            },
          ]
        : []
    })
  }

  async hastenCalling(tenantId: TenantId, accountId: string): Promise<number> {
    const put = [...this.#retries].filter(([numberId, { dueMs }]) => {
      const number = this.#rows.numbers.get(numberId)
      return number?.tenantId === tenantId && number.official?.accountId === accountId && dueMs > this.#clock.now()
    })
    for (const [numberId, retry] of put) this.#retries.set(numberId, { ...retry, dueMs: this.#clock.now() })
    return put.length
  }

  #byPhone(phoneId: string): ChannelNumber | null {
    return [...this.#rows.numbers.values()].find(({ official }) => official?.phoneId === phoneId) ?? null
  }
}
