import { createRemembered } from '../../domain/remembered.ts'
import type { LeadPorts } from './ports.ts'

/** Broadcast topic. Its text is the id of the app whose secrets may have changed. */
const APP_SECRETS_CHANGED = 'leads.app'

/**
 * Secrets of the apps that Pages are linked with, remembered for a moment, because upstream posts many notices in a
 * row. Unknown apps are not remembered.
 */
export interface AppSecrets {
  find(appId: string): Promise<readonly string[]>
  /** Makes this node and all others forget the app. Never throws. */
  forget(appId: string): Promise<void>
}

/** Makes this memory, and listens for Pages that are linked, changed or removed, here or on other nodes. */
export function createAppSecrets({ leadPages, broadcast, clock }: LeadPorts): AppSecrets {
  const known = createRemembered<readonly string[]>(clock)
  const secretsOf = async (appId: string): Promise<readonly string[] | null> => {
    const secrets = await leadPages.appSecretsOf(appId)
    return secrets.length === 0 ? null : secrets
  }
  broadcast.subscribe(APP_SECRETS_CHANGED, (appId) => known.forget((_secrets, key) => key === appId))
  return {
    find: async (appId) => (await known.find(appId, () => secretsOf(appId))) ?? [],
    forget: (appId) => broadcast.publish(APP_SECRETS_CHANGED, appId),
  }
}
