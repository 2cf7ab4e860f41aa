import { createFlows } from '../commands/flows/flows.ts'
import type { FlowPorts } from '../commands/flows/ports.ts'
import type { Stores } from '../storage/stores.ts'
import { addAccountChores } from './account-chores.ts'
import type { Core } from './core.ts'

interface FlowNeeds extends Pick<FlowPorts, 'officialOf' | 'marksStored'> {
  readonly stores: Stores
}

/** Opens the commands on Flows and their chores: listings, and Flows that wait for upstream or are in doubt. */
export function openFlows(core: Core, { stores, officialOf, marksStored }: FlowNeeds) {
  const { clock, log } = core
  const flowCommands = createFlows({ ...stores, officialOf, marksStored, clock, log })
  const due = addAccountChores(core, 'flows', flowCommands)
  return {
    /** These go to the REST layer. */
    flowCommands,
    flowsWanted: (): void => due.wake(),
  }
}
