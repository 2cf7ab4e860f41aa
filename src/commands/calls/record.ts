import { refuse } from '../../domain/errors.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { CallCarrier } from '../../domain/call.ts'
import type { NumberId } from '../../domain/ids.ts'
import { kindOf } from '../../domain/kinds/kinds.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { PrivacyStore } from '../../ports/stores/lead-store.ts'

/** [voice.recordings.5] */
export const RELAYED = refuse(
  'RECORDING_NOT_ALLOWED',
  'A number with piiMode RELAY_ONLY keeps nothing, so its calls are not recorded',
)

/**
 * Why a call of the number, whose audio `media` carries, may not be recorded ([voice.recordings.1],
 * [voice.recordings.5]); null when it may. Refusals: FEATURE_NOT_SUPPORTED, RECORDING_NOT_ALLOWED.
 */
export async function recordingRefusal(
  { privacy }: { readonly privacy: Pick<PrivacyStore, 'retentionOf'> },
  { id, provider }: Pick<NumberRef, 'provider'> & { readonly id: NumberId },
  media: CallCarrier | null,
): Promise<Refusal | null> {
  if (!kindOf({ provider }).can.callAudio && media !== 'bridge')
    return refuse('FEATURE_NOT_SUPPORTED', 'Only calls whose audio the service carries can be recorded', {
      capability: 'callAudio',
    })
  const retention = await privacy.retentionOf(id)
  return retention === null || retention.piiMode === 'RELAY_ONLY' ? RELAYED : null
}
