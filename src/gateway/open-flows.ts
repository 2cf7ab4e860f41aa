import { createFlows } from '../commands/flows/flows.ts'
import type { FlowPorts } from '../commands/flows/ports.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'

/**
 * Our choice, as for templates: how often accounts that are to be listed are looked for, one index read; a number that
 * is connected wakes it.
 */
const LIST_EVERY_MS = 30_000
/** Our choice, as for templates: how often what waits for upstream, or is in doubt, is looked for; one index read. */
const SETTLE_EVERY_MS = 5_000

interface FlowNeeds extends Pick<FlowPorts, 'officialOf' | 'marksStored'> {
  readonly stores: Stores
}

/** Joins what can be done with Flows, and runs its chores: listings, and what waits for upstream or is in doubt. */
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
    /** For REST. */
    flowCommands,
    flowsWanted: (): void => due.wake(),
  }
}
