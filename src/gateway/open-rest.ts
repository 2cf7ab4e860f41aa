import { createHttpApp, type RestDeps } from '../http/server.ts'
import type { MediaClient } from '../media/media-client.ts'
import { createClientAddress } from '../net/client-address.ts'
import { freeBytesOf } from '../storage/engine/free-bytes.ts'
import type { Core } from './core.ts'
import type { Cluster } from './open-cluster.ts'
import type { Listener } from './open-listener.ts'
import type { Storage } from './open-storage.ts'
import { readinessOf, type ReadinessParts } from './readiness.ts'

/** our choice: running requests may finish for this long after SIGTERM. */
const HTTP_GRACE_MS = 10_000
/** our choice: a caller is remembered this long; a rotation drops it at once. */
const CALLER_CACHE_MS = 2_000

interface RestNeeds {
  readonly listener: Listener
  /** What readiness asks. */
  readonly checked: { readonly database: Storage['database'], readonly media: MediaClient, readonly cluster: Cluster }
  /** What the routes need of the other parts: a port that no part offers is an error here. */
  readonly ports: Omit<RestDeps, keyof ReturnType<typeof ownDeps> | 'readiness'>
}

/** Puts the REST application behind the listener; on shutdown it says so, then lets running requests finish. */
export function openRest(core: Core, { listener, checked, ports }: RestNeeds): void {
  const { closing } = core
  let isDraining = false
  closing.add('http', () => listener.close(HTTP_GRACE_MS))
  closing.add('readiness', () => { isDraining = true })
  const parts: ReadinessParts = { ...checked, clock: core.clock, freeBytes: () => freeBytesOf(core.config.dataDir), isDraining: () => isDraining }
  listener.serve(createHttpApp({ ...ports, ...ownDeps(core, listener), readiness: () => readinessOf(parts) }).callback())
}

/** What the REST layer needs beside ports of other parts. */
function ownDeps({ config, clock, log, metrics }: Core, { baseUrl }: Listener) {
  return {
    clock, log, metrics, baseUrl,
    connectEmbedUrl: config.connectEmbedUrl ?? baseUrl,
    apiKeyIdAuth: config.isKeyIdAuthOn,
    callerCacheMs: CALLER_CACHE_MS,
    clientAddress: createClientAddress(config.trustedProxies),
    metricsText: config.metricsPort === null ? () => metrics.text() : null,
  }
}
