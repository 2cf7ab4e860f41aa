import type { Core } from './core.ts'
import type { ChoreHandle } from './upkeep.ts'

/**
 * Our choice: how often accounts that are to be listed are looked for, by one index read; a number that connects wakes
 * it.
 */
const LIST_EVERY_MS = 30_000
/** Our choice: how often rows that wait for upstream or are in doubt are looked for, by one index read. */
const SETTLE_EVERY_MS = 5_000

/** The chores of the commands on templates or Flows. Each answers whether there may be more. */
interface AccountChores {
  listDue(isWanted: () => boolean): Promise<boolean>
  settleAsked(isWanted: () => boolean): Promise<boolean>
}

/** Adds the chores of templates or of Flows: listings, and rows that are in doubt. Answers what wakes the listings. */
export function addAccountChores(
  { upkeep }: Core,
  due: 'templates' | 'flows',
  { listDue, settleAsked }: AccountChores,
): ChoreHandle {
  const listing = upkeep.add({ name: `list-${due}`, everyMs: LIST_EVERY_MS, isDueAtStart: true, run: listDue })
  upkeep.add({
    name: `settle-${due}`,
    due,
    isShared: true,
    everyMs: SETTLE_EVERY_MS,
    isDueAtStart: true,
    run: settleAsked,
  })
  return listing
}
