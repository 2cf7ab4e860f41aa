import type { OfficialCommands } from '../commands/official/official.ts'
import type { Core } from './core.ts'
import type { ChoreHandle } from './upkeep.ts'

/** Our choice: how often waiting changes of accounts are looked for; those of this node's webhooks wake it. */
const EVERY_MS = 10_000
/**
 * Our choice: accounts that are worked on side by side. Each has turns of its own, so that one whose upstream is slow
 * holds up no other.
 */
const LANES = 4

/** The loops that work off what waits for accounts; to be woken when something was stored. */
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
