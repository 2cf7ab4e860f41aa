import type { RestDeps } from '../../src/http/server.ts'
import type { NounPorts } from './http-nouns.ts'

/** Flows without requests or answers of phones; tests about those use the database. */
export const NO_FLOW_ASKS: Pick<
  RestDeps & NounPorts,
  'flowKeys' | 'flowEndpoints' | 'flowExchanges' | 'flowResponses'
> = {
  flowKeys: { create: async () => false, current: async () => null, readable: async () => [] },
  flowEndpoints: { set: async () => false, clear: async () => false, find: async () => null },
  flowExchanges: { factsOf: async () => null },
  flowResponses: { list: async () => ({ items: [], total: 0, isRelayOnly: false }) },
}
