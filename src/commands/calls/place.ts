import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import { answered } from './ask.ts'
import type { CallPorts, CallToPlace, PlacedCall } from './ports.ts'

/** Has the number place a call ([calls.routes.1]). Refusals: those of the number and of its provider. */
export async function placeCall(
  ports: CallPorts,
  { id, provider }: NumberRef,
  wanted: CallToPlace,
): Promise<Outcome<PlacedCall>> {
  return answered(ports, provider, await ports.directory.askNumber(id, 'PlaceCall', wanted))
}
