import type { WAMessageKey } from 'baileys'
import type { BridgeSettings } from '../../../src/domain/device-bridge.ts'
import { chatOf } from './address.ts'

/**
 * Whether a message is told, by the same rule for new messages and history. An unset setting has the engine's default:
 * status posts of contacts are off unless `stories` asks for them ([engines.baileys-duties.6]).
 */
export function isWanted(key: WAMessageKey, settings: Partial<BridgeSettings>): boolean {
  switch (chatOf(key).kind) {
    case 'group':
      return settings.ignoreGroups !== true && settings.groups !== false
    case 'story':
      return settings.stories === true && settings.ignoreStatus !== true
    case 'newsletter':
      return settings.newsletters !== false
    case 'direct':
      return true
  }
}
