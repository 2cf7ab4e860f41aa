import { newId, type FlowId } from '../../domain/ids.ts'
import { FLOW_KEY_GRACE_MS } from '../../domain/limits.ts'
import type { FlowEndpoint, FlowEndpointStore, FlowExchangeStore, FlowKey, FlowKeyPair, FlowKeyStore } from '../../ports/stores/flow-key-store.ts'
import type { FlowOwner } from '../../ports/stores/flow-store.ts'
import type { Engine } from '../engine/engine.ts'
import { purgeRows, vacuumEmbedded, type Purged } from '../engine/purge.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { FlowEntity } from '../flows/entity.ts'
import { LOCK_ACCOUNT } from '../official-accounts/sql.ts'
import { endpointContext, keyContext } from './contexts.ts'
import { FlowKeyEntity } from './entity.ts'
import { SqlFlowExchangeStore } from './exchange.ts'

const REPLACE = 'update flow_keys set replaced_at = $3::timestamptz where account_id = $1 and tenant_id = $2 and replaced_at is null'
const INSERT = `insert into flow_keys (account_id, tenant_id, created_at, id, public_key, sealed_private_key) values ($1, $2, $3::timestamptz, $4, $5, $6)`

/** Nothing is read with them any more. */
const PURGE = `delete from flow_keys where replaced_at <= $1::timestamptz - interval '${FLOW_KEY_GRACE_MS} milliseconds' returning 1`

const KEYS = rowsOf(FlowKeyEntity)
const CURRENT = KEYS.only('publicKey', 'createdAt')
const READABLE = KEYS.only('id', 'publicKey', 'sealedPrivateKey')
const ENDPOINTS = rowsOf(FlowEntity).only('id', 'tenantId', 'accountId', 'endpointUrl', 'sealedEndpointSecret').filled<'endpointUrl' | 'sealedEndpointSecret'>()

/** Key pairs as rows. */
class SqlFlowKeyStore implements FlowKeyStore, Purged {
  readonly #engine: Pick<Engine, 'database' | 'cipher' | 'clock'>

  constructor(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
    this.#engine = engine
  }

  create({ accountId, tenantId }: FlowOwner, { publicKey, privateKey }: FlowKeyPair): Promise<boolean> {
    const { database, cipher, clock } = this.#engine
    const id = newId('fkey')
    const sealed = cipher.seal(privateKey, keyContext(id))
    return database.transaction(async (session) => {
      if ((await session.query(LOCK_ACCOUNT, [accountId, tenantId])).length === 0) return false
      const now = new Date(clock.now()).toISOString()
      await session.query(REPLACE, [accountId, tenantId, now])
      await session.query(INSERT, [accountId, tenantId, now, id, publicKey, sealed])
      return true
    })
  }

  async current({ accountId, tenantId }: FlowOwner): Promise<FlowKey | null> {
    const rows = await this.#engine.database.query<RowIn<typeof CURRENT>>(
      `select ${CURRENT.list()} from flow_keys where account_id = $1 and tenant_id = $2 and replaced_at is null`, [accountId, tenantId])
    return rows[0] ? CURRENT.read(rows[0]) : null
  }

  async readable({ accountId, tenantId }: FlowOwner, graceMs: number): Promise<readonly FlowKeyPair[]> {
    const { database, cipher, clock } = this.#engine
    const rows = await database.query<RowIn<typeof READABLE>>(`select ${READABLE.list()} from flow_keys
      where account_id = $1 and tenant_id = $2 and (replaced_at is null or replaced_at > $3::timestamptz) order by replaced_at is null desc, replaced_at desc, id desc`,
    [accountId, tenantId, new Date(clock.now() - graceMs).toISOString()])
    return rows.map((row) => ({ publicKey: row.public_key, privateKey: cipher.open(row.sealed_private_key, keyContext(row.id)) }))
  }

  async purge(): Promise<number> {
    const { database, clock } = this.#engine
    const count = await purgeRows(database, PURGE, new Date(clock.now()).toISOString())
    await vacuumEmbedded(database, ['flow_keys'])
    return count
  }
}

/** Endpoints as columns of their Flows. */
class SqlFlowEndpointStore implements FlowEndpointStore {
  readonly #engine: Pick<Engine, 'database' | 'cipher'>

  constructor(engine: Pick<Engine, 'database' | 'cipher'>) {
    this.#engine = engine
  }

  set(flowId: FlowId, { url, secret }: Pick<FlowEndpoint, 'url' | 'secret'>): Promise<boolean> {
    return this.#write(flowId, url, this.#engine.cipher.seal(secret, endpointContext(flowId)))
  }

  clear(flowId: FlowId): Promise<boolean> {
    return this.#write(flowId, null, null)
  }

  async find(flowId: string): Promise<FlowEndpoint | null> {
    const { database, cipher } = this.#engine
    const [row] = await database.query<RowIn<typeof ENDPOINTS>>(`select ${ENDPOINTS.list()} from flows where id = $1 and endpoint_url is not null`, [flowId])
    if (!row) return null
    const { id, endpointUrl: url, sealedEndpointSecret: sealed, ...owner } = ENDPOINTS.read(row)
    return { owner, url, secret: cipher.open(sealed, endpointContext(id)) }
  }

  async #write(flowId: FlowId, url: string | null, sealed: string | null): Promise<boolean> {
    const rows = await this.#engine.database.query('update flows set endpoint_url = $2, sealed_endpoint_secret = $3 where id = $1 returning 1', [flowId, url, sealed])
    return rows.length > 0
  }
}

export interface OpenFlowKeys {
  readonly flowKeys: FlowKeyStore & Purged
  readonly flowEndpoints: FlowEndpointStore
  readonly flowExchanges: FlowExchangeStore
}

/** Key pairs and endpoints of Flows over an open database. */
export function openFlowKeys(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>): OpenFlowKeys {
  return { flowKeys: new SqlFlowKeyStore(engine), flowEndpoints: new SqlFlowEndpointStore(engine), flowExchanges: new SqlFlowExchangeStore(engine) }
}
