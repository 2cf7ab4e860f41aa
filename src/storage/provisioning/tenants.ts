import { newId, type TenantId } from '../../domain/ids.ts'
import type { ListedTenant, TenantStore } from '../../ports/stores/tenant-store.ts'
import { TenantEntity } from '../tenants/entity.ts'
import { ApiKeyEntity } from '../keys/entity.ts'
import { makeKey } from '../keys/material.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { TENANT_KEY_NAME } from './numbers.ts'
import type { Engine } from '../engine/engine.ts'
import { EVERYBODY } from '../engine/scope.ts'

class SqlTenantStore implements TenantStore {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']

  constructor({ database, cipher, clock }: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
  }

  /** Throws when the key exists already (two nodes that start with one bootstrap key). */
  async create(name: string, rawKey?: string): Promise<{ tenantId: TenantId; key: string }> {
    const tenantId = newId('ten')
    const key = makeKey(this.#cipher, rawKey)
    const createdAt = new Date(this.#clock.now())
    await this.#database.unitOfWork({ tenantId }, async (rows) => {
      await rows.added(TenantEntity, { id: tenantId, name, createdAt })
      await rows.added(ApiKeyEntity, { ...key.stored, tenantId, scope: 'TENANT', name: TENANT_KEY_NAME, createdAt })
    })
    return { tenantId, key: key.raw }
  }

  async list(): Promise<ListedTenant[]> {
    const rows = this.#database.entities(EVERYBODY)
    const [tenants, numbers] = await Promise.all([
      rows.read(TenantEntity, {}, { orderBy: { createdAt: 'asc', id: 'asc' } }),
      rows.countBy(ChannelNumberEntity, 'tenantId'),
    ])
    return tenants.map(({ id, name, createdAt }) => ({
      tenantId: id,
      name,
      createdAt: createdAt.toISOString(),
      numbers: numbers[id] ?? 0,
    }))
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#database.entities().readOne(TenantEntity, {})) === null
  }
}

/** Tenants over an open database. */
export function openTenants(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>): { readonly tenants: TenantStore } {
  return { tenants: new SqlTenantStore(engine) }
}
