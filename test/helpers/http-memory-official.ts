import { createHmac } from 'node:crypto'
import { fail, refuse, succeed, type Outcome } from '../../src/domain/errors.ts'
import type { NumberId, TenantId } from '../../src/domain/ids.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import type { OfficialFacts } from '../../src/domain/official.ts'
import type { OfficialParts, OfficialUpkeep } from '../../src/http/official-parts.ts'
import type { OfficialChange, OfficialCredentials, OfficialPlatform } from '../../src/ports/official-platform.ts'
import type { InboundStore, InboundTarget } from '../../src/ports/stores/inbound-store.ts'
import type { NewOfficialNumber, OfficialPatch, OfficialStore } from '../../src/ports/stores/official-store.ts'
import type { MemoryNumbers } from './http-memory-stores.ts'

const unused = (): Promise<never> => Promise.reject(new Error('not a part of what HTTP uses'))

export const OFFICIAL_FACTS: OfficialFacts = {
  phoneId: '1000', accountId: '2000', appId: '3000', callingStatus: 'ENABLED', qualityRating: 'GREEN', messagingLimitTier: 'TIER_2K',
  officialStatus: 'CONNECTED', checkedAt: null, isTokenValid: true,
}

/** OFFICIAL numbers of the tests' world, over its numbers. */
export class MemoryOfficial implements OfficialStore {
  readonly secrets = new Map<NumberId, { readonly credentials: OfficialCredentials, readonly verifyToken: string }>()
  readonly patches: OfficialPatch[] = []
  readonly #numbers: MemoryNumbers

  constructor(numbers: MemoryNumbers) {
    this.#numbers = numbers
  }

  async create({ credentials, verifyToken, health, ...number }: NewOfficialNumber) {
    if (await this.findByPhone(credentials.phoneId)) return fail(refuse('NUMBER_ALREADY_EXISTS', 'phone'))
    const made = await this.#numbers.create({ ...number, provider: 'OFFICIAL' })
    if (!made.ok) return made
    this.secrets.set(number.id, { credentials, verifyToken })
    const { phoneId, accountId, appId } = credentials
    const { number: _digits, ...known } = health
    const row = this.#numbers.put({ id: number.id, official: { ...OFFICIAL_FACTS, callingStatus: 'NOT_ENABLED', phoneId, accountId, appId, ...known } })
    return succeed({ number: row, key: made.value.key })
  }

  async opened(tenantId: TenantId, numberId: NumberId): Promise<ChannelNumber | null> {
    return await this.#numbers.find(tenantId, numberId) ? this.#numbers.put({ id: numberId, state: 'OPEN', isFullyConnected: true }) : null
  }

  async credentials(tenantId: TenantId, numberId: NumberId): Promise<OfficialCredentials | null> {
    return await this.#numbers.find(tenantId, numberId) ? this.secrets.get(numberId)?.credentials ?? null : null
  }

  async save(tenantId: TenantId, numberId: NumberId, patch: OfficialPatch): Promise<ChannelNumber | null> {
    this.patches.push(patch)
    const number = await this.#numbers.find(tenantId, numberId)
    if (!number?.official) return null
    const { health, isTokenValid, callingStatus } = patch
    const { number: _digits, ...known } = health ?? {}
    return this.#numbers.put({
      id: numberId,
      official: { ...number.official, ...known, ...(isTokenValid === undefined ? {} : { isTokenValid }), ...(callingStatus ? { callingStatus } : {}) },
    })
  }

  async findByPhone(phoneId: string): Promise<ChannelNumber | null> {
    return [...this.#numbers.rows.values()].find(({ official }) => official?.phoneId === phoneId) ?? null
  }

  takeDueCalling = unused
  hastenCalling = unused
}

type Requests = { readonly [K in keyof OfficialPlatform]: OfficialPlatform[K] extends (...args: infer A) => Promise<Outcome<infer R>> ? (...args: A) => Outcome<R> | Promise<Outcome<R>> : never }

/** An upstream that answers by script, well unless told, and keeps what it was asked. */
export class ScriptedPlatform {
  readonly asked: { readonly op: keyof OfficialPlatform, readonly args: readonly unknown[] }[] = []
  script: Partial<Requests> = {}
  readonly platform: OfficialPlatform

  constructor() {
    const answer = <K extends keyof OfficialPlatform>(op: K, otherwise: unknown) => async (...args: unknown[]) => {
      this.asked.push({ op, args })
      const scripted = this.script[op] as ((...args: unknown[]) => unknown) | undefined
      return await (scripted ? scripted(...args) : otherwise)
    }
    const platform = {
      readHealth: answer('readHealth', succeed({ number: '5511900001111', qualityRating: 'GREEN', messagingLimitTier: 'TIER_2K', officialStatus: 'CONNECTED' })),
      subscribe: answer('subscribe', succeed(null)),
      enableCalling: answer('enableCalling', succeed('ENABLED')),
      readCallSettings: answer('readCallSettings', succeed({ status: 'ENABLED' })),
      writeCallSettings: answer('writeCallSettings', succeed({ status: 'ENABLED' })),
      readCallPermission: answer('readCallPermission', succeed({ permission: { status: 'temporary', expiration_time: 1 }, actions: [] })),
      readMedia: answer('readMedia', succeed({ bytes: Buffer.from('image'), mimeType: 'image/jpeg', fileName: null })),
      requestCallPermission: answer('requestCallPermission', succeed({ messageId: 'wamid.1' })),
    }
    this.platform = platform as unknown as OfficialPlatform
  }
}

/** Takes changes in memory, once each by key; all of them wait for the number of the target. */
export class MemoryInbound implements InboundStore {
  readonly accepted: OfficialChange[] = []
  readonly #official: MemoryOfficial
  readonly #numbers: MemoryNumbers

  constructor(numbers: MemoryNumbers, official: MemoryOfficial) {
    this.#numbers = numbers
    this.#official = official
  }

  async findTarget(id: string): Promise<InboundTarget | null> {
    const number = [...this.#numbers.rows.values()].find((row) => row.official && (row.id === id || row.official.accountId === id))
    const secrets = number && this.#official.secrets.get(number.id)
    if (!number?.official || !secrets) return null
    return {
      tenantId: number.tenantId, numberId: number.id, accountId: number.official.accountId, appSecret: secrets.credentials.appSecret, verifyToken: secrets.verifyToken,
    }
  }

  async accept(target: InboundTarget, changes: readonly OfficialChange[]) {
    const fresh = changes.filter(({ key }) => !this.accepted.some((known) => known.key === key))
    this.accepted.push(...fresh)
    return { stored: fresh.length, numbers: fresh.some(({ field }) => field === 'calls' || field === 'messages') ? [target.numberId] : [] }
  }

  pending = unused
  settle = unused
  listPending = unused
}

/** Upkeep that notes what it was asked. */
export class NotedUpkeep implements OfficialUpkeep {
  readonly noted: string[] = []
  marked = Promise.resolve()

  async enable(_tenantId: TenantId, numberId: NumberId): Promise<void> {
    this.noted.push(`enable ${numberId}`)
  }

  hasten(_tenantId: TenantId, accountId: string): void {
    this.noted.push(`hasten ${accountId}`)
  }

  async handOver(_tenantId: TenantId, accountId: string): Promise<void> {
    this.noted.push(`hand over ${accountId}`)
  }

  marksStored(): Promise<void> {
    this.noted.push('marks stored')
    return this.marked
  }
}

/** Everything of OFFICIAL numbers behind HTTP, in memory; changes are read by the readers given. */
export class OfficialWorld {
  readonly store: MemoryOfficial
  readonly inbound: MemoryInbound
  readonly upstream = new ScriptedPlatform()
  readonly upkeep = new NotedUpkeep()

  constructor(numbers: MemoryNumbers) {
    this.store = new MemoryOfficial(numbers)
    this.inbound = new MemoryInbound(numbers, this.store)
  }

  parts(readers: Pick<OfficialParts, 'isSigned' | 'split'>): OfficialParts {
    return { platform: this.upstream.platform, store: this.store, inbound: this.inbound, upkeep: this.upkeep, ...readers }
  }
}

/** Signs as upstream does, by code of its own. */
export function signed(secret: string, body: string | Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}
