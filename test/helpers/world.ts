import type { RestDeps } from '../../src/http/server.ts'
import { newId } from '../../src/domain/ids.ts'
import type { TenantId } from '../../src/domain/ids.ts'
import { DEFAULT_SETTINGS } from '../../src/domain/number.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import type { IssuedKey } from '../../src/ports/stores/key-store.ts'
import { OFFICIAL_FACTS, OfficialWorld } from './http-memory-official.ts'
import { numberAsks } from './http-nouns.ts'
import type { Changes } from './http-nouns.ts'
import { StoresInMemory } from './memory/stores.ts'
import { depsOf } from './world-deps.ts'

/** Everything behind the HTTP layer, in memory, with two tenants that have one number each. */
export class World extends StoresInMemory {
  readonly official = new OfficialWorld(this.rows, this.numbers, this.clock)
  readonly tenantId: TenantId = newId('ten')
  readonly otherTenantId: TenantId = newId('ten')
  readonly tenantKey: IssuedKey
  readonly otherTenantKey: IssuedKey
  readonly number: ChannelNumber
  readonly numberKey: IssuedKey
  readonly foreignNumber: ChannelNumber
  readonly foreignKey: IssuedKey

  constructor() {
    super()
    for (const [id, name] of [
      [this.tenantId, 'Acme'],
      [this.otherTenantId, 'Umbrella'],
    ] as const)
      this.rows.tenants.set(id, { name })
    this.tenantKey = this.keys.issue(this.tenantId, null)
    this.otherTenantKey = this.keys.issue(this.otherTenantId, null)
    const own = this.addNumber(this.tenantId, '5511988887777')
    const foreign = this.addNumber(this.otherTenantId, '5511977776666')
    this.number = own.number
    this.numberKey = own.key
    this.foreignNumber = foreign.number
    this.foreignKey = foreign.key
  }

  addNumber(
    tenantId: TenantId,
    digits: string,
    fields: Partial<ChannelNumber> = {},
  ): { number: ChannelNumber; key: IssuedKey } {
    const number: ChannelNumber = {
      id: newId('num'),
      tenantId,
      name: 'Front desk',
      number: digits,
      provider: 'UNOFFICIAL',
      state: 'OPEN',
      isFullyConnected: true,
      isPaired: true,
      pairingReason: null,
      settings: DEFAULT_SETTINGS,
      piiMode: 'STORE_INDEFINITE',
      piiRetentionDays: null,
      createdAt: new Date(0),
      updatedAt: new Date(0),
      ...fields,
    }
    this.numbers.rows.set(number.id, number)
    return { number, key: this.keys.issue(tenantId, number.id) }
  }

  /** Adds a connected number of the official platform. */
  addOfficial(digits: string = '5511966665555'): { number: ChannelNumber; key: IssuedKey } {
    const made = this.addNumber(this.tenantId, digits, { provider: 'OFFICIAL', official: OFFICIAL_FACTS })
    const { phoneId, accountId, appId } = OFFICIAL_FACTS
    this.official.store.secrets.set(made.number.id, {
      credentials: { phoneId, accountId, appId, accessToken: 'EAA', appSecret: 'app-secret' },
      verifyToken: 'verify-me',
    })
    return made
  }

  /** All dependencies of the application. */
  deps(changes: Changes = {}): RestDeps {
    return depsOf({ ...this, ...this.official.ports(), ...numberAsks(this.directory) }, changes)
  }
}
