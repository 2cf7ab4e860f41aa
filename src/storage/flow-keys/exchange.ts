import type { FlowKeyId, NumberId } from '../../domain/ids.ts'
import type { FlowExchangeFacts, FlowExchangeStore } from '../../ports/stores/flow-key-store.ts'
import { keptStatement } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { FlowEntity } from '../flows/entity.ts'
import { openCredentials } from '../numbers/official-credentials.ts'
import { endpointContext, keyContext } from './contexts.ts'

const ENDPOINTS = rowsOf(FlowEntity).only('id', 'endpointUrl', 'sealedEndpointSecret')

/** Lists as text: both engines give them alike. */
const FACTS = keptStatement(`select ${ENDPOINTS.list('f')},
    (select coalesce(json_agg(json_build_object('id', k.id, 'sealed', k.sealed_private_key) order by k.replaced_at is null desc, k.replaced_at desc, k.id desc), '[]')::text from flow_keys k
      where k.account_id = f.account_id and k.tenant_id = f.tenant_id and (k.replaced_at is null or k.replaced_at > $2::timestamptz)) as keys,
    (select coalesce(json_agg(json_build_object('id', n.id, 'sealed', n.sealed_credentials)), '[]')::text from channel_numbers n
      where n.official_account_id = f.account_id and n.tenant_id = f.tenant_id and n.sealed_credentials is not null) as numbers
  from flows f where f.id = $1`)

/** Lists are JSON. */
type FactsRow = RowIn<typeof ENDPOINTS> & { readonly keys: string; readonly numbers: string }

interface SealedItem<Id> {
  readonly id: Id
  readonly sealed: string
}

function itemsOf<Id>(text: string): readonly SealedItem<Id>[] {
  return JSON.parse(text) as readonly SealedItem<Id>[]
}

/** What exchanges are made of, in one statement. */
export class SqlFlowExchangeStore implements FlowExchangeStore {
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
