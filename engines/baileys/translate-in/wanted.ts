import type { WAMessageKey } from 'baileys'
import { chatOf } from './address.ts'

/** Settings of the gateway (contract 8 and 21), null meaning the engine's own default. */
export interface EngineSettings {
  readonly rejectCall?: boolean | null
  readonly msgRejectCall?: string | null
  readonly alwaysOnline?: boolean | null
  readonly readMessages?: boolean | null
  readonly ignoreGroups?: boolean | null
  readonly ignoreStatus?: boolean | null
  /** Status posts of contacts: off unless asked for (contract 21). */
  readonly stories?: boolean | null
  readonly groups?: boolean | null
  readonly newsletters?: boolean | null
}

/** Whether a message is told: the same rule for what comes now and for history. Asking for stories by `ignoreStatus: false` alone is none. */
export function isWanted(key: WAMessageKey, settings: EngineSettings): boolean {
  switch (chatOf(key).kind) {
    case 'group': return settings.ignoreGroups !== true && settings.groups !== false
    case 'story': return settings.stories === true && settings.ignoreStatus !== true
    case 'newsletter': return settings.newsletters !== false
    case 'direct': return true
  }
}
