import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { refuseFlow } from '../../domain/flow-refusals.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { StoredFlow } from '../../ports/stores/flow-store.ts'
import type { FlowPorts } from './ports.ts'

export const NO_SUCH_FLOW: Refusal = refuseFlow('FLOW_NOT_FOUND')

/** Finds the Flow by its id. Refusal: FLOW_NOT_FOUND when the account of the number has no such Flow. */
export async function findFlow({ flows }: FlowPorts, number: NumberRef, id: string): Promise<Outcome<StoredFlow>> {
  const row = await flows.find(number, id)
  return row ? succeed(row) : fail(NO_SUCH_FLOW)
}
