import { workOffAccounts, type AccountChangesDeps } from '../commands/official/account-changes.ts'
import { readAccountEvents } from '../providers/official/inbound/account-events.ts'
import type { Core } from './core.ts'
import type { ChoreHandle } from './upkeep.ts'

/** Our choice: how often waiting changes of accounts are looked for; those of this node's webhooks wake it. */
const EVERY_MS = 10_000

/** The loop that works off what waits for accounts; to be woken when something was stored. */
export function openAccountChanges({ upkeep, log }: Pick<Core, 'upkeep' | 'log'>, needs: Pick<AccountChangesDeps, 'changes' | 'hastenCalling' | 'templateTold' | 'flowTold'>): ChoreHandle {
  const deps = { ...needs, readEvents: readAccountEvents, log }
  return upkeep.add({ name: 'work-off-accounts', everyMs: EVERY_MS, isDueAtStart: true, run: () => workOffAccounts(deps) })
}
