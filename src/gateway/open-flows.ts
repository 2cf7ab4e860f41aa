import { listDueFlows } from '../commands/flows/list-due.ts'
import { createFlowListings } from '../commands/flows/listings.ts'
import { settleAskedFlows } from '../commands/flows/settle-asked.ts'
import { flowTold, type FlowEvent } from '../commands/flows/told.ts'
import type { AskOfficialDeps } from '../commands/official/ask.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'

/**
 * Our choice, as for templates: how often accounts that are to be listed are looked for, one index read; a number that
 * is connected wakes it.
 */
const LIST_EVERY_MS = 30_000
/** Our choice, as for templates: how often what waits for upstream, or is in doubt, is looked for; one index read. */
const SETTLE_EVERY_MS = 5_000

interface FlowNeeds extends Pick<AskOfficialDeps, 'officialOf'> {
  readonly stores: Pick<Stores, 'flows' | 'templates' | 'official' | 'numbers'>
}

/** Joins what Flows are made of beside their rows: listings, what webhooks say of them, and the doubt that is left. */
export function openFlows(
  { clock, log, upkeep }: Core,
  { stores: { flows, templates, official, numbers }, officialOf }: FlowNeeds,
) {
  const deps = { flows, templates, official, numbers, officialOf, clock, log }
  const flowListings = createFlowListings(deps)
  const due = upkeep.add({
    name: 'list-flows',
    everyMs: LIST_EVERY_MS,
    isDueAtStart: true,
    run: (isWanted) => listDueFlows({ ...deps, flowListings }, isWanted),
  })
  upkeep.add({
    name: 'settle-flows',
    due: 'flows',
    isShared: true,
    everyMs: SETTLE_EVERY_MS,
    isDueAtStart: true,
    run: (isWanted) => settleAskedFlows(deps, isWanted),
  })
  return {
    /** For REST. */
    flowListings,
    flowsWanted: (): void => due.wake(),
    /** For changes of accounts. */
    flowTold: (event: FlowEvent) => flowTold(deps, event),
  }
}
