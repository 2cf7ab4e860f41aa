import type { FlowId } from '../../../src/domain/ids.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type {
  FlowEndpoint,
  FlowEndpointStore,
  FlowExchangeFacts,
  FlowExchangeStore,
  FlowKey,
  FlowKeyPair,
  FlowKeyStore,
} from '../../../src/ports/stores/flow-key-store.ts'
import type { FlowOwner } from '../../../src/ports/stores/flow-store.ts'
import { MemoryAccounts } from './accounts.ts'
import type { MemoryFlows } from './flows.ts'
import type { MemoryRows } from './rows.ts'

interface KeptPair extends FlowKeyPair {
  readonly owner: FlowOwner
  readonly createdMs: number
  replacedMs: number | null
}

/** Key pairs and endpoints of Flows in memory. */
export class MemoryFlowKeys implements FlowKeyStore, FlowEndpointStore, FlowExchangeStore {
  readonly #rows: MemoryRows
  readonly #clock: Clock
  readonly #flows: Pick<MemoryFlows, 'change'>
  readonly #accounts: MemoryAccounts
  /** Newest first. */
  #pairs: KeptPair[] = []
  readonly #endpoints = new Map<string, Pick<FlowEndpoint, 'url' | 'secret'>>()

  constructor(rows: MemoryRows, clock: Clock, flows: Pick<MemoryFlows, 'change'>) {
    this.#rows = rows
    this.#clock = clock
    this.#flows = flows
    this.#accounts = new MemoryAccounts(rows, clock)
  }

  async create(owner: FlowOwner, pair: FlowKeyPair): Promise<boolean> {
    if (!this.#accounts.has(owner)) return false
    for (const one of this.#of(owner)) one.replacedMs ??= this.#clock.now()
    this.#pairs.unshift({ ...pair, owner, createdMs: this.#clock.now(), replacedMs: null })
    return true
  }

  async current(owner: FlowOwner): Promise<FlowKey | null> {
    const pair = this.#of(owner).find(({ replacedMs }) => replacedMs === null)
    return pair ? { publicKey: pair.publicKey, createdAt: new Date(pair.createdMs) } : null
  }

  async readable(owner: FlowOwner, graceMs: number): Promise<readonly FlowKeyPair[]> {
    return this.#of(owner)
      .filter(({ replacedMs }) => replacedMs === null || replacedMs > this.#clock.now() - graceMs)
      .map(({ publicKey, privateKey }) => ({ publicKey, privateKey }))
  }

  async set(flowId: FlowId, { url, secret }: Pick<FlowEndpoint, 'url' | 'secret'>): Promise<boolean> {
    const owner = await this.#ownerOf(flowId)
    if (owner) this.#endpoints.set(flowId, { url, secret })
    return owner !== null
  }

  async clear(flowId: FlowId): Promise<boolean> {
    this.#endpoints.delete(flowId)
    return (await this.#ownerOf(flowId)) !== null
  }

  async find(flowId: string): Promise<FlowEndpoint | null> {
    const [owner, endpoint] = [await this.#ownerOf(flowId), this.#endpoints.get(flowId)]
    return owner && endpoint ? { owner, ...endpoint } : null
  }

  async factsOf(flowId: string, graceMs: number): Promise<FlowExchangeFacts | null> {
    const owner = await this.#ownerOf(flowId)
    if (!owner) return null
    const secrets = [...this.#rows.numbers.values()]
      .filter((number) => number.tenantId === owner.tenantId && number.official?.accountId === owner.accountId)
      .flatMap(({ id }) => this.#rows.official.get(id)?.credentials.appSecret ?? [])
    const privateKeys = (await this.readable(owner, graceMs)).map(({ privateKey }) => privateKey)
    return { appSecrets: [...new Set(secrets)], privateKeys, endpoint: this.#endpoints.get(flowId) ?? null }
  }

  #of({ tenantId, accountId }: FlowOwner): KeptPair[] {
    return this.#pairs.filter(({ owner }) => owner.tenantId === tenantId && owner.accountId === accountId)
  }

  async #ownerOf(flowId: string): Promise<FlowOwner | null> {
    return (await this.#flows.change(flowId as FlowId, () => ({ kind: 'KEEP' })))?.flow.owner ?? null
  }
}
