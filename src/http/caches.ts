import { createCallerCache } from './request/caller-cache.ts'
import type { CallerCache, CallerCacheDeps } from './request/caller-cache.ts'
import { createAppSecretCache } from './routes/lead-webhooks/app-secret-cache.ts'
import type { AppSecretCache, AppSecretCacheDeps } from './routes/lead-webhooks/app-secret-cache.ts'
import { createTargetCache } from './routes/official-webhooks/target-cache.ts'
import type { TargetCache, TargetCacheDeps } from './routes/official-webhooks/target-cache.ts'

/** What requests remember for a moment, and every node forgets when it changes. */
export interface Caches {
  readonly callers: CallerCache
  readonly targets: TargetCache
  readonly appSecrets: AppSecretCache
}

/** Makes them; each listens for what changes on other nodes. */
export function createCaches(deps: CallerCacheDeps & TargetCacheDeps & AppSecretCacheDeps): Caches {
  return { callers: createCallerCache(deps), targets: createTargetCache(deps), appSecrets: createAppSecretCache(deps) }
}
