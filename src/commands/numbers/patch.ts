import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import { mergeSettings } from '../../domain/number.ts'
import type { ChannelNumber, NumberSettings, PiiMode } from '../../domain/number.ts'
import { mergeRetention } from '../../domain/retention.ts'
import type { RetentionInput } from '../../domain/retention.ts'
import type { Log } from '../../ports/log.ts'
import type { NumberPatch, NumberStore } from '../../ports/stores/number-store.ts'
import type { CredentialsChange } from '../../ports/stores/official-store.ts'
import type { OfficialCommands } from '../official/official.ts'

export interface PatchNumberDeps {
  readonly officialCommands: Pick<OfficialCommands, 'replaceCredentials'>
  readonly numbers: Pick<NumberStore, 'patch'>
  /** Has the session of the number apply them now. */
  readonly askApplySettings: (
    numberId: NumberId,
    fields: { readonly settings: NumberSettings; readonly piiMode: PiiMode },
  ) => Promise<Outcome<null>>
  readonly log: Log
}

/** What is absent stays. */
export interface PatchNumberInput {
  readonly number: ChannelNumber
  readonly name?: string | undefined
  readonly settings?: Partial<NumberSettings> | undefined
  readonly retention?: RetentionInput | undefined
  /** Of OFFICIAL numbers; empty: nothing of it. */
  readonly credentials?: CredentialsChange | undefined
}

/**
 * Changes name, settings, retention or credentials of a number (contract 3), all or nothing of it. Answers the number
 * as it is now. Refusals: VALIDATION, NUMBER_NOT_FOUND, and those of `replaceCredentials`.
 */
export async function patchNumber(
  deps: PatchNumberDeps,
  { number, name, settings, retention, credentials = {} }: PatchNumberInput,
): Promise<Outcome<ChannelNumber>> {
  const merged = retention && mergeRetention(number, retention)
  if (merged && !merged.ok) return merged
  const replaced =
    Object.keys(credentials).length === 0
      ? succeed(number)
      : await deps.officialCommands.replaceCredentials(number, credentials)
  if (!replaced.ok) return replaced
  const change: NumberPatch = {
    ...(name === undefined ? {} : { name }),
    ...(settings ? { settings: mergeSettings(number.settings, settings) } : {}),
    ...merged?.value,
  }
  const changed =
    Object.keys(change).length === 0 ? replaced.value : await deps.numbers.patch(number.tenantId, number.id, change)
  if (!changed) return fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
  if (settings || merged) await applySettings(deps, changed)
  return succeed(changed)
}

/** Best effort: a number without a session reads its settings from the row when it next connects. */
async function applySettings(
  { askApplySettings, log }: PatchNumberDeps,
  { id, settings, piiMode }: ChannelNumber,
): Promise<void> {
  const outcome = await askApplySettings(id, { settings, piiMode })
  if (!outcome.ok) log.info({ numberId: id, code: outcome.error.code }, 'settings stored but not applied to a session')
}
