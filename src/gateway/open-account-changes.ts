import type { OfficialCommands } from '../commands/official/official.ts'
import type { Core } from './core.ts'
import type { ChoreHandle } from './upkeep.ts'

/** Our choice: how often waiting changes of accounts are looked for, in ms; changes that this node stored wake it. */
const EVERY_MS = 10_000
/**
 * Our choice: accounts that are worked on at once. Each has its own turns, so that an account whose upstream is slow
 * delays no other.
 */
const LANES = 4

/** Opens the loops that work off the changes of accounts; they are woken when something was stored. */
export function openAccountChanges(
  { upkeep }: Pick<Core, 'upkeep'>,
  { workOff }: Pick<OfficialCommands, 'workOff'>,
): ChoreHandle {
  const lanes = Array.from({ length: LANES }, (_, at) =>
    upkeep.add({
      name: `work-off-accounts-${at + 1}`,
      due: 'accounts',
      isShared: true,
      everyMs: EVERY_MS,
      isDueAtStart: true,
      run: workOff,
    }),
  )
  return {
    wake() {
      for (const lane of lanes) lane.wake()
    },
  }
}
