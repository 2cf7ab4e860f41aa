import { newId, type TenantId } from '../../domain/ids.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { Clock } from '../../ports/clock.ts'
import type { TenantStore } from '../../ports/stores/tenant-store.ts'
import type { Database } from '../database.ts'
import { TenantEntity } from '../entities/tenant.ts'
import { KEY_COLUMNS, makeKey } from '../key-material.ts'
import { TENANT_KEY_NAME } from '../number-sql.ts'
import { Parameters } from '../statement.ts'

export class SqlTenantStore implements TenantStore {
  #database: Database
  #cipher: Cipher
  #clock: Clock

  constructor(database: Database, cipher: Cipher, clock: Clock) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
  }

  /** Tenant and key in one statement. Throws when the key exists already (two nodes starting with one bootstrap key). */
  async create(name: string, rawKey?: string): Promise<{ tenantId: TenantId, key: string }> {
    const tenantId = newId('ten')
    const key = makeKey(this.#cipher, rawKey)
    const p = new Parameters()
    const now = p.time(this.#clock.now())
    const keyValues = key.columns.map((column) => p.add(column))
    await this.#database.query(`with made as (
        insert into tenants (id, name, created_at) values (${p.add(tenantId)}, ${p.add(name)}, ${now}) returning id
      )
      insert into api_keys (${KEY_COLUMNS.join(', ')}, tenant_id, scope, name, created_at)
      select ${keyValues.join(', ')}, made.id, 'TENANT', ${p.add(TENANT_KEY_NAME)}, ${now} from made`, p.values)
    return { tenantId, key: key.raw }
  }

  async isEmpty(): Promise<boolean> {
    const first = await this.#database.reader().find(TenantEntity, {}, { limit: 1 })
    return first.length === 0
  }
}
