import type { FlowsPort } from '../../ports/official/flows.ts'
import type { StoredFlow } from '../../ports/stores/flow-store.ts'
import type { AskingDeps } from './asking.ts'
import { fateFrom } from './merge.ts'

/** The Flow with what upstream has made of it, such as its preview; as it was where that cannot be read now. */
export async function readBack({ flows, clock }: AskingDeps, row: StoredFlow, port: FlowsPort): Promise<StoredFlow> {
  const shown = row.officialFlowId === null ? null : await port.read(row.officialFlowId)
  const { value } = shown?.ok ? shown : { value: null }
  if (!value) return row
  const changed = await flows.change(row.id, (now) => now.ask === null ? fateFrom(now, value, new Date(clock.now())) : { kind: 'KEEP' })
  return changed?.flow ?? row
}
