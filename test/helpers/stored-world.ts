import { randomBytes, randomInt } from 'node:crypto'
import { newId } from '../../src/domain/ids.ts'
import type { TenantId } from '../../src/domain/ids.ts'
import { DEFAULT_SETTINGS } from '../../src/domain/number.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import type { RestDeps } from '../../src/http/server.ts'
import type { IssuedKey } from '../../src/ports/stores/key-store.ts'
import type { NewNumber } from '../../src/ports/stores/number-store.ts'
import type { Deliveries } from '../../src/ports/stores/webhook-store.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { openStores } from '../../src/storage/stores.ts'
import type { Stores } from '../../src/storage/stores.ts'
import { ScriptedPlatform } from './http-memory-official.ts'
import { numberAsks } from './http-nouns.ts'
import type { Changes } from './http-nouns.ts'
import { ScriptedWorld } from './scripted-world.ts'
import { depsOf } from './world-deps.ts'

/** An installation has one key for all tenants. */
const cipher = new AesCipher(randomBytes(32))

/** Limits above the requests of any test. */
const LIMITS = { requestsPerMinute: 10_000, sendsPerMinute: 10_000 }

export interface AddedNumber {
  readonly number: ChannelNumber
  readonly key: IssuedKey
}

interface AddedTenant {
  readonly tenantId: TenantId
  readonly key: { readonly id: string; readonly raw: string }
}

function digitsOf(beginning: string): string {
  return `${beginning}${randomInt(10 ** 7, 10 ** 8)}`
}

/**
 * Everything behind the HTTP layer over the stores of a database. Tests share the database, and each looks only at its
 * own tenants.
 */
export class StoredWorld extends ScriptedWorld {
  readonly stores: Stores
  readonly upstream = new ScriptedPlatform()
  readonly deliveries: Deliveries = {
    test: () => Promise.reject(new Error('nothing is delivered here')),
    redeliver: () => Promise.reject(new Error('nothing is delivered here')),
    redeliverFailed: () => Promise.reject(new Error('nothing is delivered here')),
  }
  readonly #database: Database

  constructor(database: Database) {
    super()
    this.#database = database
    this.stores = openStores({ database, cipher, clock: this.clock, limits: LIMITS })
  }

  async addTenant(name: string): Promise<AddedTenant> {
    const { tenantId, key: raw } = await this.stores.tenants.create(name)
    const caller = await this.stores.keys.authenticateKey(raw)
    if (!caller) throw new Error('the key of the new tenant is unknown')
    return { tenantId, key: { id: caller.id, raw } }
  }

  /** Sets the limits of a tenant. */
  async limit(tenantId: TenantId, requestsPerMinute: number): Promise<void> {
    await this.#database.query('update tenants set requests_per_minute = $2::integer where id = $1', [
      tenantId,
      requestsPerMinute,
    ])
  }

  async addNumber(tenantId: TenantId, fields: Partial<NewNumber> = {}): Promise<AddedNumber> {
    const made = await this.stores.numbers.create({
      id: newId('num'),
      tenantId,
      name: 'Front desk',
      number: digitsOf('55119'),
      provider: 'UNOFFICIAL',
      settings: DEFAULT_SETTINGS,
      piiMode: 'STORE_INDEFINITE',
      piiRetentionDays: null,
      ...fields,
    })
    if (!made.ok) throw new Error(made.error.message)
    return made.value
  }

  /** Adds a number of another tenant. */
  async addForeign(): Promise<ChannelNumber> {
    const { tenantId } = await this.addTenant('Umbrella')
    return (await this.addNumber(tenantId)).number
  }

  /** Adds a number of the official platform, by default in an account of its own. */
  async addOfficial(tenantId: TenantId, accountId: string = digitsOf('20')): Promise<AddedNumber> {
    const number = digitsOf('55118')
    const made = await this.stores.official.create({
      id: newId('num'),
      tenantId,
      name: 'Sales',
      number,
      settings: DEFAULT_SETTINGS,
      piiMode: 'STORE_INDEFINITE',
      piiRetentionDays: null,
      credentials: { phoneId: digitsOf('10'), accountId, accessToken: 'EAA', appId: '3000', appSecret: 'app-secret' },
      verifyToken: 'verify-me',
      health: { number, qualityRating: null, messagingLimitTier: null, officialStatus: null, perSecond: null },
    })
    if (!made.ok) throw new Error(made.error.message)
    return made.value
  }

  /** All dependencies of the application; files are scripted. */
  deps(changes: Changes = {}): RestDeps {
    const { files: _, ...stores } = this.stores
    const { officialOf } = this.upstream
    const asks = numberAsks(this.directory)
    return depsOf(
      { ...this, ...stores, ...asks, officialOf, marksStored: async () => {}, receiveAccount: () => {} },
      changes,
    )
  }
}

/** Makes a world with a tenant that has a number. */
export async function openStoredWorld(database: Database) {
  const world = new StoredWorld(database)
  const { tenantId, key: tenantKey } = await world.addTenant('Acme')
  const { number, key: numberKey } = await world.addNumber(tenantId)
  return Object.assign(world, { tenantId, tenantKey, number, numberKey })
}

export type OpenedWorld = Awaited<ReturnType<typeof openStoredWorld>>
