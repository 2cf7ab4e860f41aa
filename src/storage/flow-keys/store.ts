import { newId, type FlowId, type FlowKeyId, type NumberId } from '../../domain/ids.ts'
import { FLOW_KEY_GRACE_MS } from '../../domain/limits.ts'
import type {
  FlowEndpoint,
  FlowEndpointStore,
  FlowExchangeStore,
  FlowKey,
  FlowKeyPair,
  FlowKeyStore,
  FlowExchangeFacts,
} from '../../ports/stores/flow-key-store.ts'
import type { FlowOwner } from '../../ports/stores/flow-store.ts'
import { keptStatement } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { purgePast, vacuumEmbedded, type Purged } from '../engine/purge.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { EVERYBODY } from '../engine/scope.ts'
import { FlowEntity } from '../flows/entity.ts'
import { openCredentials } from '../numbers/rows.ts'
import { OfficialAccountEntity } from '../official-accounts/entity.ts'
import { FlowKeyEntity } from './entity.ts'

/** The context that private halves are sealed with. */
export function keyContext(id: FlowKeyId): string {
  return `flow-key:${id}`
}

/** The context that secrets of endpoints are sealed with. */
export function endpointContext(id: FlowId): string {
  return `flow-endpoint:${id}`
}

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
      // The lock admits one creation at a time, and none while the last number of the account is removed.
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
    // Keys past their grace decrypt nothing any more.
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

const ENDPOINTS = rowsOf(FlowEntity).only('id', 'endpointUrl', 'sealedEndpointSecret')

/** Lists are answered as text, because both databases give that alike. */
const FACTS = keptStatement(`select ${ENDPOINTS.list('f')},
    (select coalesce(json_agg(json_build_object('id', k.id, 'sealed', k.sealed_private_key) order by k.replaced_at is null desc, k.replaced_at desc, k.id desc), '[]')::text from flow_keys k
      where k.account_id = f.account_id and k.tenant_id = f.tenant_id and (k.replaced_at is null or k.replaced_at > $2::timestamptz)) as keys,
    (select coalesce(json_agg(json_build_object('id', n.id, 'sealed', n.sealed_credentials)), '[]')::text from channel_numbers n
      where n.official_account_id = f.account_id and n.tenant_id = f.tenant_id and n.sealed_credentials is not null) as numbers
  from flows f where f.id = $1`)

/** `keys` and `numbers` are JSON lists. */
type FactsRow = RowIn<typeof ENDPOINTS> & { readonly keys: string; readonly numbers: string }

interface SealedItem<Id> {
  readonly id: Id
  readonly sealed: string
}

function itemsOf<Id>(text: string): readonly SealedItem<Id>[] {
  return JSON.parse(text) as readonly SealedItem<Id>[]
}

/** Reads the facts of an exchange in one statement. */
class SqlFlowExchangeStore implements FlowExchangeStore {
  readonly #engine: Pick<Engine, 'database' | 'cipher' | 'clock'>

  constructor(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
    this.#engine = engine
  }

  async factsOf(flowId: string, graceMs: number): Promise<FlowExchangeFacts | null> {
    const { database, cipher, clock } = this.#engine
    const [row] = await database.queryKept<FactsRow>(FACTS, [flowId, new Date(clock.now() - graceMs).toISOString()])
    if (!row) return null
    const secrets = itemsOf<NumberId>(row.numbers).flatMap(
      ({ id, sealed }) => openCredentials(cipher, id, sealed).appSecret ?? [],
    )
    return {
      appSecrets: [...new Set(secrets)],
      privateKeys: itemsOf<FlowKeyId>(row.keys).map(({ id, sealed }) => cipher.open(sealed, keyContext(id))),
      endpoint:
        row.endpoint_url === null || row.sealed_endpoint_secret === null
          ? null
          : { url: row.endpoint_url, secret: cipher.open(row.sealed_endpoint_secret, endpointContext(row.id)) },
    }
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
