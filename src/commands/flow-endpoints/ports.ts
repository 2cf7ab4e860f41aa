import type { AskFlowEndpoint } from '../../ports/flow-endpoint.ts'
import type { Log } from '../../ports/log.ts'
import type { IsSigned } from '../../ports/official/changes.ts'
import type { MakeFlowKeyPair, OpenExchange } from '../../ports/official/flow-exchange.ts'
import type { FlowEndpointStore, FlowExchangeStore, FlowKeyStore } from '../../ports/stores/flow-key-store.ts'
import type { FlowStore } from '../../ports/stores/flow-store.ts'
import type { UrlCheck } from '../../ports/url-check.ts'
import type { OfficialPorts } from '../official/ports.ts'

/** All that endpoints of Flows and the keys of what phones ask them stand on: each verb takes it whole. */
export interface FlowEndpointPorts extends Pick<OfficialPorts, 'numbers' | 'official' | 'officialOf'> {
  readonly flows: FlowStore
  readonly flowKeys: FlowKeyStore
  readonly flowEndpoints: FlowEndpointStore
  readonly flowExchanges: FlowExchangeStore
  readonly makeKeyPair: MakeFlowKeyPair
  /** Decides whether an endpoint may have an address. */
  readonly checkUrl: UrlCheck
  readonly isSigned: IsSigned
  readonly openExchange: OpenExchange
  readonly askEndpoint: AskFlowEndpoint
  /** Public base of REST, without a trailing slash. */
  readonly baseUrl: string
  readonly log: Log
}
