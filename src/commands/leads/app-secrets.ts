import { createRemembered } from '../../domain/remembered.ts'
import type { LeadPorts } from './ports.ts'

/** Broadcast topic; the text is the app whose secrets may be others. */
const APP_SECRETS_CHANGED = 'leads.app'

/**
 * Secrets of the apps that Pages are linked with, remembered for a moment: upstream posts many notices in a row.
 * Unknown apps are not.
 */
export interface AppSecrets {
  find(appId: string): Promise<readonly string[]>
  /** Forgets the app here and on every other node. Never throws. */
  forget(appId: string): Promise<void>
}

/** Makes the memory of them, and listens for Pages that were linked, changed or removed, here or on other nodes. */
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
