import type { AskFlowEndpoint } from '../../ports/flow-endpoint.ts'
import type { Log } from '../../ports/log.ts'
import type { IsSigned } from '../../ports/official/changes.ts'
import type { MakeFlowKeyPair, OpenExchange } from '../../ports/official/flow-exchange.ts'
import type { FlowEndpointStore, FlowExchangeStore, FlowKeyStore } from '../../ports/stores/flow-key-store.ts'
import type { FlowStore } from '../../ports/stores/flow-store.ts'
import type { UrlCheck } from '../../ports/url-check.ts'
import type { OfficialPorts } from '../official/ports.ts'

/** The ports of Flow endpoints and of the keys that phones encrypt for; each command takes all of them. */
export interface FlowEndpointPorts extends Pick<OfficialPorts, 'numbers' | 'official' | 'officialOf'> {
  readonly flows: FlowStore
  readonly flowKeys: FlowKeyStore
  readonly flowEndpoints: FlowEndpointStore
  readonly flowExchanges: FlowExchangeStore
  readonly makeKeyPair: MakeFlowKeyPair
  /** Decides whether an endpoint may have this address. */
  readonly checkUrl: UrlCheck
  readonly isSigned: IsSigned
  readonly openExchange: OpenExchange
  readonly askEndpoint: AskFlowEndpoint
  /** Public base address of the REST API, without a trailing slash. */
  readonly baseUrl: string
  readonly log: Log
}
