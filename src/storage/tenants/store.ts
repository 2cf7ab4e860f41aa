import { newId, type TenantId } from '../../domain/ids.ts'
import type { ListedTenant, TenantStore } from '../../ports/stores/tenant-store.ts'
import { TenantEntity } from './entity.ts'
import { KEY_COLUMNS, makeKey } from '../keys/material.ts'
import { TENANT_KEY_NAME } from '../numbers/sql.ts'
import type { Engine } from '../engine/engine.ts'
import { toDate } from '../engine/rows.ts'
import { Parameters } from '../engine/statement.ts'

class SqlTenantStore implements TenantStore {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']

  constructor({ database, cipher, clock }: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
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

  async list(): Promise<ListedTenant[]> {
    const rows = await this.#database.query<{ id: TenantId, name: string, created_at: string, numbers: number }>(`select t.id, t.name, t.created_at,
      (select count(*)::integer from channel_numbers n where n.tenant_id = t.id) as numbers from tenants t order by t.created_at, t.id`)
    return rows.map((row) => ({ tenantId: row.id, name: row.name, createdAt: toDate(row.created_at).toISOString(), numbers: row.numbers }))
  }

  async isEmpty(): Promise<boolean> {
    const first = await this.#database.entities().find(TenantEntity, {}, { limit: 1 })
    return first.length === 0
  }
}

/** Tenants over an open database. */
export function openTenants(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>): { readonly tenants: TenantStore } {
  return { tenants: new SqlTenantStore(engine) }
}
