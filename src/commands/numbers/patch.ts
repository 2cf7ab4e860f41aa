import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { SentVoice, VoiceWithHeaders } from '../../domain/number-voice.ts'
import { mergeSettings } from '../../domain/number.ts'
import type { ChannelNumber, NumberSettings, PiiMode } from '../../domain/number.ts'
import type { MarketingWay } from '../../domain/official.ts'
import { mergeRetention } from '../../domain/retention.ts'
import type { RetentionInput } from '../../domain/retention.ts'
import type { NumberPatch } from '../../ports/stores/number-store.ts'
import type { CredentialsChange } from '../../ports/stores/official-store.ts'
import { RELAYED } from '../calls/record.ts'
import type { NumberPorts } from './ports.ts'

/** A field that is absent stays as it is. */
export interface PatchNumberInput {
  readonly number: ChannelNumber
  readonly name?: string | undefined
  readonly settings?: Partial<NumberSettings> | undefined
  readonly retention?: RetentionInput | undefined
  /** For OFFICIAL numbers only; an empty object changes nothing. */
  readonly credentials?: CredentialsChange | undefined
  /** Null removes the bot server. */
  readonly voice?: SentVoice | null | undefined
  /** For OFFICIAL numbers only. */
  readonly marketing?: MarketingWay | undefined
}

/**
 * Changes name, settings, retention or credentials of a number ([numbers.routes.6], [official.create.5]), everything or
 * nothing. Answers the number as it is now. Refusals: VALIDATION, NUMBER_NOT_FOUND, FEATURE_NOT_SUPPORTED, those of
 * `checkVoice` and of `replaceCredentials`.
 */
export async function patchNumber(ports: NumberPorts, input: PatchNumberInput): Promise<Outcome<ChannelNumber>> {
  const { number, settings, retention, credentials = {}, voice, marketing } = input
  if (marketing !== undefined && !number.official) return fail(NO_MARKETING)
  const merged = retention && mergeRetention(number, retention)
  if (merged && !merged.ok) return merged
  const piiMode = merged?.value.piiMode ?? number.piiMode
  const checked = voice && (await checkVoice(ports, { number, piiMode, voice }))
  if (checked && !checked.ok) return checked
  const replaced =
    Object.keys(credentials).length === 0
      ? succeed(number)
      : await ports.officialCommands.replaceCredentials(number, credentials)
  if (!replaced.ok) return replaced
  const change: NumberPatch = { ...sentOf(input), ...merged?.value, ...(checked && { voice: checked.value }) }
  const changed =
    Object.keys(change).length === 0 ? replaced.value : await ports.numbers.patch(number.tenantId, number.id, change)
  if (!changed) return fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
  if (settings || merged) await applySettings(ports, changed)
  if (marketing !== undefined) await ports.marketingChosen(changed.id)
  return succeed(changed)
}

/** What was sent and needs no check, as the row takes it. */
function sentOf({ number, name, settings, voice, marketing }: PatchNumberInput): NumberPatch {
  return {
    ...(name === undefined ? {} : { name }),
    ...(settings ? { settings: mergeSettings(number.settings, settings) } : {}),
    ...(voice === null ? { voice } : {}),
    ...(marketing === undefined ? {} : { marketing }),
  }
}

const NO_MARKETING = refuse('FEATURE_NOT_SUPPORTED', 'Only OFFICIAL numbers have a way of marketing templates')

interface VoiceToCheck {
  readonly number: ChannelNumber
  /** The mode that the number is going to have. */
  readonly piiMode: PiiMode
  readonly voice: SentVoice
}

/**
 * Gives the bot server its address as it is dialled, and the headers it has when none were sent. Refusals:
 * RECORDING_NOT_ALLOWED, and those of `checkDialled`.
 */
async function checkVoice(
  { checkDialled, numbers }: NumberPorts,
  { number, piiMode, voice }: VoiceToCheck,
): Promise<Outcome<VoiceWithHeaders>> {
  if (voice.record && piiMode === 'RELAY_ONLY') return fail(RELAYED)
  const address = await checkDialled(voice.connectTo)
  if (!address.ok) return address
  const connectTo = address.value
  const kept = voice.headers ?? headersFor(connectTo, await numbers.voiceOf(number.id))
  return succeed({ ...voice, connectTo, headers: kept })
}

/** The headers that a server has; none for another server, because they are secrets of that one. */
function headersFor(connectTo: string, stored: VoiceWithHeaders | null): VoiceWithHeaders['headers'] {
  const isSame = stored !== null && new URL(stored.connectTo).origin === new URL(connectTo).origin
  return isSame ? stored.headers : {}
}

/**
 * Has the session of the number apply its new settings, on a best effort: a number without a session reads them from
 * its row when it next connects.
 */
async function applySettings(
  { askApplySettings, log }: NumberPorts,
  { id, settings, piiMode }: ChannelNumber,
): Promise<void> {
  const outcome = await askApplySettings(id, { settings, piiMode })
  if (!outcome.ok)
    log.info(
      { numberId: id, code: outcome.error.code },
      'settings were stored, but the device session did not take them over; it does when it next opens',
    )
}
