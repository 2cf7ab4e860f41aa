import type { Broadcast } from '../../../ports/broadcast.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { LeadPageStore } from '../../../ports/stores/lead-page-store.ts'

/** Broadcast topic; the text is the app whose secrets may be others. */
export const APP_SECRETS_CHANGED = 'leads.app'

/** Our choice, as for numbers: bounds how long a node that did not hear of it knows an old secret. */
const REMEMBERED_MS = 5_000
/** Our choice: enough for the active apps of a node. */
const MAX_APPS = 10_000

/** Secrets of the apps that Pages are linked with, remembered for a moment: upstream posts many notices in a row. Unknown apps are not. */
export interface AppSecretCache {
  find(appId: string): Promise<readonly string[]>
  /** Forgets the app here and on every other node. Never throws. */
  forget(appId: string): Promise<void>
}

export interface AppSecretCacheDeps {
  readonly leadPages: Pick<LeadPageStore, 'appSecretsOf'>
  readonly broadcast: Broadcast
  readonly clock: Clock
  readonly log: Log
}

/** Makes the cache and starts listening for Pages that were linked, changed or removed on other nodes. */
export function createAppSecretCache({ leadPages, broadcast, clock, log }: AppSecretCacheDeps): AppSecretCache {
  const known = new Map<string, { readonly secrets: readonly string[], readonly untilMs: number }>()
  /** Rises with each app that is forgotten: a look-up that began before must not be remembered after it. */
  let forgotten = 0
  const drop = (appId: string): void => {
    forgotten++
    known.delete(appId)
  }
  broadcast.subscribe(APP_SECRETS_CHANGED, drop)
  return {
    async find(appId) {
      const entry = known.get(appId)
      if (entry && entry.untilMs > clock.monotonicMs()) return entry.secrets
      known.delete(appId)
      const begun = forgotten
      const secrets = await leadPages.appSecretsOf(appId)
      if (secrets.length === 0 || begun !== forgotten) return secrets
      const oldest = known.size >= MAX_APPS ? known.keys().next().value : undefined
      if (oldest !== undefined) known.delete(oldest)
      known.set(appId, { secrets, untilMs: clock.monotonicMs() + REMEMBERED_MS })
      return secrets
    },
    async forget(appId) {
      drop(appId)
      try {
        await broadcast.publish(APP_SECRETS_CHANGED, appId)
      } catch {
        log.warn({ topic: APP_SECRETS_CHANGED }, 'other nodes were not told of a Page that changed; they read its secret within seconds')
      }
    },
  }
}
