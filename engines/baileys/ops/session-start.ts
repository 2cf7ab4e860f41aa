import type { BridgeSettings } from '../../../src/domain/device-bridge.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { StartRequest } from '../session/start-decision.ts'
import { textField, type Fields } from './operation.ts'

/**
 * The answer of `session.start` ([engines.bridge.1]): calls ring and can be rejected, and their audio is not carried.
 * Lists go as their words, because phones often do not draw those of linked devices.
 */
export const STARTED = {
  engine: { name: 'baileys', version: '1.0.0' },
  capabilities: [
    'text',
    'media',
    'groups',
    'newsletters',
    'stories',
    'history',
    'calls',
    'polls',
    'edits',
    'revocations',
    'typing',
  ],
  callMedia: [],
} as const

/** Reads `session.start`. Throws a Refusal INVALID. */
export function readStart(fields: Fields): StartRequest {
  const number = textField(fields, 'number').replace(/^\+/, '')
  // E.164: at most 15 digits.
  if (!/^\d{5,15}$/.test(number)) throw new Refusal('INVALID', 'number: is no phone number')
  return {
    number,
    credentials: fields['credentials'] ?? null,
    settings: readSettings(fields),
    historyImport: fields['historyImport'] === true,
    pairingCode: fields['pairingCode'] === true,
    mediaBearerOrigin: typeof fields['mediaBearerOrigin'] === 'string' ? fields['mediaBearerOrigin'] : null,
  }
}

const BOOLEANS = ['rejectCall', 'alwaysOnline', 'readMessages', 'ignoreGroups', 'ignoreStatus'] as const
const ADDED = ['stories', 'groups', 'newsletters'] as const

/** Reads `settings`. An absent one is the engine's default. Throws a Refusal INVALID. */
export function readSettings(fields: Fields): BridgeSettings {
  const given = fields['settings'] ?? {}
  if (typeof given !== 'object' || Array.isArray(given)) throw new Refusal('INVALID', 'settings: must be an object')
  const settings = given as Readonly<Record<string, unknown>>
  const boolean = (name: string): boolean | null => (typeof settings[name] === 'boolean' ? settings[name] : null)
  const six = Object.fromEntries(BOOLEANS.map((name) => [name, boolean(name)])) as Record<
    (typeof BOOLEANS)[number],
    boolean | null
  >
  const added = Object.fromEntries(
    ADDED.flatMap((name) => (typeof settings[name] === 'boolean' ? [[name, settings[name]]] : [])),
  )
  return {
    ...six,
    msgRejectCall: typeof settings['msgRejectCall'] === 'string' ? settings['msgRejectCall'] : null,
    ...added,
  }
}
