import { fail } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import { answered } from './ask.ts'
import { recordingRefusal } from './record.ts'
import type { CallPorts, CallToPlace, PlacedCall } from './ports.ts'

/** Has the number place a call ([calls.routes.1]). Refusals: those of recordingRefusal when it is to be recorded, of
 * the number and of its provider. */
export async function placeCall(
  ports: CallPorts,
  number: NumberRef,
  wanted: CallToPlace,
): Promise<Outcome<PlacedCall>> {
  const refusal = wanted.record ? await recordingRefusal(ports, number, wanted.media ?? null) : null
  if (refusal) return fail(refusal)
  const { id, provider } = number
  return answered(ports, provider, await ports.directory.askNumber(id, 'PlaceCall', wanted))
}
