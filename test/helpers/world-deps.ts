import { NO_TRACES } from '../../src/ports/traces.ts'
import type { RestDeps } from '../../src/http/server.ts'
import { createCallerCache } from '../../src/http/request/caller-cache.ts'
import { createClientAddress } from '../../src/net/client-address.ts'
import { createExchangeOpener, makeFlowKeyPair } from '../../src/providers/official/flow/exchange-crypto.ts'
import { splitChanges } from '../../src/providers/official/inbound/changes.ts'
import { readLeadNotices } from '../../src/providers/official/inbound/lead-notices.ts'
import { isSignedBy } from '../../src/providers/official/inbound/signature.ts'
import { nounsOf } from './http-nouns.ts'
import type { Changes, NounPorts } from './http-nouns.ts'
import { NO_FLOW_ASKS } from './no-flow-asks.ts'
import { NO_HANDLING } from './no-handling.ts'
import { NO_INBOX } from './no-inbox.ts'
import { NO_LEADS } from './no-leads.ts'
import { NO_LIVE } from './no-live.ts'
import { NO_OAUTH } from './no-oauth.ts'
import { NO_RECORDINGS } from './no-recordings.ts'
import { NO_REFERRALS } from './no-referrals.ts'

/** The configuration of all worlds. */
export const VALUES = {
  baseUrl: 'http://localhost:3000',
  chatEmbedUrl: 'https://chat.example',
  connectEmbedUrl: 'https://connect.example',
  builtAssets: null,
  apiKeyIdAuth: true,
  isDashboardOn: true,
  realtimeUrls: () => [],
  linkedOrigins: [],
  mcpAllowedOrigins: [],
  callerCacheMs: 2_000,
  embedMaxAgeMs: 43_200_000,
  serviceName: 'Channel Messaging',
  sandboxUrl: null,
  clientAddress: createClientAddress([]),
  readiness: async () => ({
    ok: true,
    checks: { database: 'ok' },
    node: { nodeId: 'node_1', numbers: 0, liveCalls: 0, mediaHosts: [], engines: [] },
  }),
  metricsText: async () => 'up 1\n',
  traces: NO_TRACES,
} satisfies Partial<RestDeps & NounPorts>

/** How data of the official platform is read, as in service. */
const READERS = {
  isSigned: isSignedBy,
  splitChanges,
  readLeadNotices,
  openExchange: createExchangeOpener(),
  makeKeyPair: makeFlowKeyPair,
} satisfies Partial<RestDeps & NounPorts>

const NOT_THERE = {
  ...NO_LEADS,
  ...NO_RECORDINGS,
  ...NO_REFERRALS,
  ...NO_HANDLING,
  ...NO_INBOX,
  ...NO_LIVE,
  ...NO_OAUTH,
  ...NO_FLOW_ASKS,
}

/** The ports of a world: any port of nouns and routes, and all those without a shared default. */
type OwnPorts = Partial<RestDeps & NounPorts>
  & Omit<
    RestDeps & NounPorts,
    | keyof typeof VALUES
    | keyof typeof READERS
    | keyof typeof NOT_THERE
    | keyof ReturnType<typeof nounsOf>
    | 'callers'
    | 'revokeCallers'
  >

/** All dependencies of the application: the ports of a world, and the replacements of a test. */
export function depsOf(own: OwnPorts, changes: Changes): RestDeps {
  const ports = { ...NOT_THERE, ...VALUES, ...READERS, ...own }
  // A test replaces whole ports, though routes use parts of them.
  const changed = { ...ports, ...(changes as object as Partial<typeof ports & NounPorts>) }
  const callers = changes.callers ?? createCallerCache(changed)
  return { ...ports, callers, ...nounsOf({ ...changed, revokeCallers: callers.revoke }), ...changes }
}
