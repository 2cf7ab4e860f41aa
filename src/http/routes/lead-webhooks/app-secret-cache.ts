import type { Broadcast } from '../../../ports/broadcast.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { LeadPageStore } from '../../../ports/stores/lead-page-store.ts'
import { createRemembered } from '../../request/remembered.ts'

/** Broadcast topic; the text is the app whose secrets may be others. */
export const APP_SECRETS_CHANGED = 'leads.app'

/**
 * Secrets of the apps that Pages are linked with, remembered for a moment: upstream posts many notices in a row.
 * Unknown apps are not.
 */
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
  const known = createRemembered<readonly string[]>(clock)
  const drop = (appId: string): void => known.forget((_secrets, key) => key === appId)
  const secretsOf = async (appId: string): Promise<readonly string[] | null> => {
    const secrets = await leadPages.appSecretsOf(appId)
    return secrets.length === 0 ? null : secrets
  }
  broadcast.subscribe(APP_SECRETS_CHANGED, drop)
  return {
    find: async (appId) => (await known.find(appId, () => secretsOf(appId))) ?? [],
    async forget(appId) {
      drop(appId)
      try {
        await broadcast.publish(APP_SECRETS_CHANGED, appId)
      } catch {
        log.warn(
          { topic: APP_SECRETS_CHANGED },
          'other nodes were not told of a Page that changed; they read its secret within seconds',
        )
      }
    },
  }
}
