import { generateApiKey, keyLast4, keyPrefix } from '../../src/domain/api-key.ts'
import type { Call } from '../../src/domain/call.ts'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import { newId, newSecretId } from '../../src/domain/ids.ts'
import type { KeyId, NumberId, TenantId } from '../../src/domain/ids.ts'
import type { Caller, ChannelNumber } from '../../src/domain/number.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { CallStore } from '../../src/ports/stores/call-store.ts'
import type { IdempotencyStore, IdempotentAnswer, IdempotentRequest } from '../../src/ports/stores/idempotency-store.ts'
import type { IssuedKey, KeyListItem, KeyStore } from '../../src/ports/stores/key-store.ts'
import type { NewNumber, NumberStore } from '../../src/ports/stores/number-store.ts'
import type { FoundLink, PairingLink, PairingStore } from '../../src/ports/stores/pairing-store.ts'

const unused = (): Promise<never> => Promise.reject(new Error('not a part of what HTTP uses'))

/** Keys of the tests' world; `lookUps` counts what reached the store. */
export class MemoryKeys implements KeyStore {
  readonly byRaw = new Map<string, { caller: Caller, key: IssuedKey }>()
  lookUps = 0
  requestsPerMinute = 10_000
  sendsPerMinute = 10_000
  #numbers: () => readonly ChannelNumber[]

  constructor(numbers: () => readonly ChannelNumber[]) {
    this.#numbers = numbers
  }

  issue(tenantId: TenantId, numberId: NumberId | null): IssuedKey {
    const raw = generateApiKey()
    const scope = numberId === null ? 'TENANT' : 'NUMBER'
    const key: IssuedKey = {
      id: newSecretId('key'), tenantId, numberId, scope, name: 'Default', raw, prefix: keyPrefix(raw), last4: keyLast4(raw), createdAt: new Date(0),
    }
    const caller: Caller = {
      keyId: key.id, tenantId, scope, numberId, provider: numberId === null ? null : 'UNOFFICIAL', number: null,
      requestsPerMinute: this.requestsPerMinute, sendsPerMinute: this.sendsPerMinute,
    }
    this.byRaw.set(raw, { caller, key })
    return key
  }

  async authenticateKey(raw: string): Promise<Caller | null> {
    this.lookUps++
    return this.#withProvider(this.byRaw.get(raw)?.caller)
  }

  /** Kind and digits of the number as it is now: tests change it after the key was made. */
  #withProvider(caller: Caller | undefined): Caller | null {
    if (!caller) return null
    const number = this.#numbers().find(({ id }) => id === caller.numberId)
    return { ...caller, provider: number?.provider ?? caller.provider, number: number?.number ?? caller.number }
  }

  async authenticateKeyId(keyId: string): Promise<Caller | null> {
    this.lookUps++
    return this.#withProvider([...this.byRaw.values()].find(({ key }) => key.id === keyId)?.caller)
  }

  async list(tenantId: TenantId): Promise<KeyListItem[]> {
    return [...this.byRaw.values()].flatMap(({ key }) => {
      const number = this.#numbers().find(({ id }) => id === key.numberId)
      if (key.tenantId !== tenantId || !number) return []
      return [{ numberId: number.id, number: number.number, displayName: number.name, keyId: key.id, keyLast4: key.last4, key: key.raw }]
    })
  }

  async rotateNumberKey(tenantId: TenantId, numberId: NumberId): Promise<IssuedKey | null> {
    return this.#rotate((key) => key.tenantId === tenantId && key.numberId === numberId)
  }

  async rotateOwnKey(keyId: KeyId): Promise<IssuedKey | null> {
    return this.#rotate((key) => key.id === keyId)
  }

  removeOf(numberId: NumberId): void {
    for (const [raw, { key }] of this.byRaw) if (key.numberId === numberId) this.byRaw.delete(raw)
  }

  #rotate(isWanted: (key: IssuedKey) => boolean): IssuedKey | null {
    const old = [...this.byRaw.values()].find(({ key }) => isWanted(key))
    if (!old) return null
    this.byRaw.delete(old.key.raw)
    return this.issue(old.key.tenantId, old.key.numberId)
  }
}

/** Numbers of the tests' world. */
export class MemoryNumbers implements NumberStore {
  readonly rows = new Map<NumberId, ChannelNumber>()
  readonly keys = new MemoryKeys(() => [...this.rows.values()])
  maxNumbers: number | null = null

  put(change: Partial<ChannelNumber> & Pick<ChannelNumber, 'id'>): ChannelNumber {
    const row = this.rows.get(change.id)
    if (!row) throw new Error('no such number')
    const changed = { ...row, ...change }
    this.rows.set(row.id, changed)
    return changed
  }

  async create(number: NewNumber) {
    const own = await this.list(number.tenantId)
    if (own.some((row) => row.number === number.number)) return fail(refuse('NUMBER_ALREADY_EXISTS', 'exists'))
    if (this.maxNumbers !== null && own.length >= this.maxNumbers) return fail(refuse('NUMBER_LIMIT_EXCEEDED', 'full'))
    const row: ChannelNumber = { ...number, state: 'CLOSE', isFullyConnected: false, isPaired: false, createdAt: new Date(0), updatedAt: new Date(0) }
    this.rows.set(row.id, row)
    return succeed({ number: row, key: this.keys.issue(row.tenantId, row.id) })
  }

  async find(tenantId: TenantId, numberId: NumberId) {
    const row = this.rows.get(numberId)
    return row?.tenantId === tenantId ? row : null
  }

  async findByDigits(tenantId: TenantId, digits: string) {
    return (await this.list(tenantId)).find(({ number }) => number === digits) ?? null
  }

  async load(numberId: NumberId) {
    return this.rows.get(numberId) ?? null
  }

  async list(tenantId: TenantId) {
    return [...this.rows.values()].filter((row) => row.tenantId === tenantId)
  }

  async patch(tenantId: TenantId, numberId: NumberId, patch: Partial<ChannelNumber>) {
    return await this.find(tenantId, numberId) ? this.put({ ...patch, id: numberId }) : null
  }

  async remove(tenantId: TenantId, numberId: NumberId) {
    if (!await this.find(tenantId, numberId)) return false
    this.keys.removeOf(numberId)
    return this.rows.delete(numberId)
  }

  async usage(tenantId: TenantId) {
    return { plan: 'self-hosted', maxNumbers: this.maxNumbers, usedNumbers: (await this.list(tenantId)).length }
  }

  saveConnection = unused
  credentials = unused
  listPaired = unused
}

/** Calls of the tests' world. */
export class MemoryCalls implements CallStore {
  readonly rows: Call[] = []

  add(number: ChannelNumber, fields: Partial<Call>): Call {
    const at = new Date(Date.UTC(2026, 0, 1, 0, 0, this.rows.length))
    const call: Call = {
      id: newId('call'), tenantId: number.tenantId, numberId: number.id, provider: number.provider, externalCallId: null, direction: 'OUTBOUND',
      status: 'INITIATED', peerNumber: '5511999990001', fromNumber: number.number, conversationId: null, bizOpaqueCallbackData: null,
      startedAt: null, connectedAt: null, endedAt: null, durationSeconds: null, errorCode: null, errorMessage: null, sdpOffer: null, sdpAnswer: null,
      playback: [], createdAt: at, updatedAt: at, ...fields,
    }
    this.rows.push(call)
    return call
  }

  async find(numberId: NumberId, id: string) {
    return this.rows.find((call) => call.numberId === numberId && (call.id === id || call.externalCallId === id)) ?? null
  }

  async list(numberId: NumberId, page: { readonly limit: number, readonly before: Date | null }) {
    const { before, limit } = page
    return this.rows.filter((call) => call.numberId === numberId && (!before || call.createdAt < before))
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime()).slice(0, limit)
  }

  insert = unused
  transition = unused
  setExternalId = unused
  savePlayback = unused
  remove = unused
  listLive = unused
}

/** Connect links of the tests' world. */
export class MemoryPairings implements PairingStore {
  readonly links = new Map<string, FoundLink>()
  #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async issue(link: PairingLink) {
    for (const [token, older] of this.links) if (older.numberId === link.numberId) this.links.delete(token)
    const token = newSecretId('rp')
    this.links.set(token, { ...link, isUsed: false })
    return token
  }

  async find(token: string) {
    const link = this.links.get(token)
    return link && link.expiresAt.getTime() > this.#clock.now() ? link : null
  }

  async consume(numberId: NumberId) {
    for (const [token, link] of this.links) if (link.numberId === numberId) this.links.set(token, { ...link, isUsed: true })
  }
}

/** First answers of the tests' world. */
export class MemoryIdempotency implements IdempotencyStore {
  readonly claims = new Map<string, { fingerprint: string, answer: IdempotentAnswer | null }>()

  async start(request: IdempotentRequest) {
    const claim = this.claims.get(nameOf(request))
    if (claim && claim.fingerprint !== request.fingerprint) return { kind: 'reused' } as const
    if (claim?.answer) return { kind: 'replay', answer: claim.answer } as const
    if (claim) return { kind: 'running' } as const
    this.claims.set(nameOf(request), { fingerprint: request.fingerprint, answer: null })
    return { kind: 'started' } as const
  }

  async finish(request: IdempotentRequest, answer: IdempotentAnswer) {
    this.claims.set(nameOf(request), { fingerprint: request.fingerprint, answer })
  }

  async abandon(request: IdempotentRequest) {
    this.claims.delete(nameOf(request))
  }

  purge = unused
}

function nameOf(request: IdempotentRequest): string {
  return `${request.keyId} ${request.key}`
}
