import type { FlowsPort } from '../../ports/official/flows.ts'
import type { StoredFlow } from '../../ports/stores/flow-store.ts'
import { readUntilCurrent } from '../official/read-until-current.ts'
import { fateFrom } from './merge.ts'
import type { FlowPorts } from './ports.ts'

/**
 * Reads back what upstream has made of the Flow, such as its preview; answers the Flow as it was when it cannot be read
 * now.
 */
export async function readBack({ flows, clock }: FlowPorts, row: StoredFlow, port: FlowsPort): Promise<StoredFlow> {
  const { officialFlowId } = row
  if (officialFlowId === null) return row
  const read = await readUntilCurrent(
    clock,
    () => port.read(officialFlowId),
    async (shown, isNewer) => {
      const changed = await flows.change(row.id, (now) =>
        !shown || now.ask !== null || isNewer(now) ? { kind: 'KEEP' } : fateFrom(now, shown, new Date(clock.now())),
      )
      return changed?.flow ?? row
    },
  )
  return read.ok ? read.value : row
}
