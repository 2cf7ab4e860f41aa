import { newId, type FlowId } from '../../domain/ids.ts'
import { FLOW_KEY_GRACE_MS } from '../../domain/limits.ts'
import type {
  FlowEndpoint,
  FlowEndpointStore,
  FlowExchangeStore,
  FlowKey,
  FlowKeyPair,
  FlowKeyStore,
} from '../../ports/stores/flow-key-store.ts'
import type { FlowOwner } from '../../ports/stores/flow-store.ts'
import type { Engine } from '../engine/engine.ts'
import { purgePast, vacuumEmbedded, type Purged } from '../engine/purge.ts'
import { EVERYBODY } from '../engine/scope.ts'
import { FlowEntity } from '../flows/entity.ts'
import { OfficialAccountEntity } from '../official-accounts/entity.ts'
import { endpointContext, keyContext } from './contexts.ts'
import { FlowKeyEntity } from './entity.ts'
import { SqlFlowExchangeStore } from './exchange.ts'

/** Key pairs as rows. */
class SqlFlowKeyStore implements FlowKeyStore, Purged {
  readonly #engine: Pick<Engine, 'database' | 'cipher' | 'clock'>

  constructor(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
    this.#engine = engine
  }

  create({ accountId, tenantId }: FlowOwner, { publicKey, privateKey }: FlowKeyPair): Promise<boolean> {
    const { database, cipher, clock } = this.#engine
    const id = newId('fkey')
    const sealedPrivateKey = cipher.seal(privateKey, keyContext(id))
    return database.unitOfWork({ tenantId }, async (rows) => {
      // One at a time, and none while the last number of the account goes.
      if (!(await rows.readOne(OfficialAccountEntity, { accountId, tenantId }, { lock: 'no key update' }))) return false
      const createdAt = new Date(clock.now())
      await rows.changed(FlowKeyEntity, { accountId, replacedAt: null }, { replacedAt: createdAt })
      await rows.added(FlowKeyEntity, { id, tenantId, accountId, publicKey, sealedPrivateKey, createdAt })
      return true
    })
  }

  async current({ accountId, tenantId }: FlowOwner): Promise<FlowKey | null> {
    const key = await this.#engine.database
      .entities({ tenantId })
      .readOne(FlowKeyEntity, { accountId, replacedAt: null })
    return key && { publicKey: key.publicKey, createdAt: key.createdAt }
  }

  async readable({ accountId, tenantId }: FlowOwner, graceMs: number): Promise<readonly FlowKeyPair[]> {
    const { database, cipher, clock } = this.#engine
    const since = new Date(clock.now() - graceMs)
    const keys = await database
      .entities({ tenantId })
      .read(
        FlowKeyEntity,
        { accountId, $or: [{ replacedAt: null }, { replacedAt: { $gt: since } }] },
        { orderBy: { replacedAt: 'desc nulls first', id: 'desc' } },
      )
    return keys.map(({ id, publicKey, sealedPrivateKey }) => ({
      publicKey,
      privateKey: cipher.open(sealedPrivateKey, keyContext(id)),
    }))
  }

  async purge(): Promise<number> {
    const { database, clock } = this.#engine
    // Nothing is read with them any more.
    const count = await purgePast(database, FlowKeyEntity, ['replacedAt'], clock.now() - FLOW_KEY_GRACE_MS)
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
    const flow = await database.entities(EVERYBODY).readOne(FlowEntity, { id: flowId as FlowId })
    if (flow === null || flow.endpointUrl === null || flow.sealedEndpointSecret === null) return null
    const { id, tenantId, accountId } = flow
    return {
      owner: { tenantId, accountId },
      url: flow.endpointUrl,
      secret: cipher.open(flow.sealedEndpointSecret, endpointContext(id)),
    }
  }

  async #write(id: FlowId, endpointUrl: string | null, sealedEndpointSecret: string | null): Promise<boolean> {
    return (
      (await this.#engine.database
        .entities(EVERYBODY)
        .changed(FlowEntity, { id }, { endpointUrl, sealedEndpointSecret })) > 0
    )
  }
}

export interface OpenFlowKeys {
  readonly flowKeys: FlowKeyStore & Purged
  readonly flowEndpoints: FlowEndpointStore
  readonly flowExchanges: FlowExchangeStore
}

/** Key pairs and endpoints of Flows over an open database. */
export function openFlowKeys(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>): OpenFlowKeys {
  return {
    flowKeys: new SqlFlowKeyStore(engine),
    flowEndpoints: new SqlFlowEndpointStore(engine),
    flowExchanges: new SqlFlowExchangeStore(engine),
  }
}
