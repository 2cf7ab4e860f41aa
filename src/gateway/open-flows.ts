import { createFlows } from '../commands/flows/flows.ts'
import type { FlowPorts } from '../commands/flows/ports.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'

/**
 * Our choice, as for templates: how often accounts that are to be listed are looked for, by one index read; a number
 * that connects wakes it.
 */
const LIST_EVERY_MS = 30_000
/**
 * Our choice, as for templates: how often Flows that wait for upstream or are in doubt are looked for, by one index
 * read.
 */
const SETTLE_EVERY_MS = 5_000

interface FlowNeeds extends Pick<FlowPorts, 'officialOf' | 'marksStored'> {
  readonly stores: Stores
}

/** Opens the commands on Flows and their chores: listings, and Flows that wait for upstream or are in doubt. */
export function openFlows({ clock, log, upkeep }: Core, { stores, officialOf, marksStored }: FlowNeeds) {
  const flowCommands = createFlows({ ...stores, officialOf, marksStored, clock, log })
  const due = upkeep.add({
    name: 'list-flows',
    everyMs: LIST_EVERY_MS,
    isDueAtStart: true,
    run: flowCommands.listDue,
  })
  upkeep.add({
    name: 'settle-flows',
    due: 'flows',
    isShared: true,
    everyMs: SETTLE_EVERY_MS,
    isDueAtStart: true,
    run: flowCommands.settleAsked,
  })
  return {
    /** These go to the REST layer. */
    flowCommands,
    flowsWanted: (): void => due.wake(),
  }
}
