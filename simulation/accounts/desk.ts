import { createTemplates, type TemplateCommands } from '../../src/commands/templates/templates.ts'
import type { TemplatePorts } from '../../src/commands/templates/ports.ts'
import type { OfficialNumber } from '../../src/ports/official/number.ts'
import { silentLog } from '../../test/helpers/silent.ts'
import type { Machine } from '../machine.ts'
import type { AccountStores } from './stores.ts'
import type { Platform } from './platform.ts'

/** As the chores of accounts have it (src/gateway/account-chores.ts). */
const LIST_EVERY_MS = 30_000
const SETTLE_EVERY_MS = 5_000

/** Starts the templates of a gateway: its commands, and its chores of the account. */
export function startDesk(machine: Machine, stores: AccountStores['shared'], platform: Platform): TemplateCommands {
  const port = platform.portOf(machine)
  const ports = {
    ...stores,
    officialOf: () => ({ templates: port }) as Pick<OfficialNumber, 'templates'> as OfficialNumber,
    marksStored: async () => {},
    cardHosts: { isAllowed: () => false, isForbidden: () => false },
    clock: machine,
    log: silentLog,
    // No template of the workload has a file or opens a Flow, and none is sent.
    messages: { isQueued: async () => false } as Partial<TemplatePorts['messages']> as TemplatePorts['messages'],
    templateFiles: { release: async () => {} } as Partial<
      TemplatePorts['templateFiles']
    > as TemplatePorts['templateFiles'],
    flows: {} as TemplatePorts['flows'],
  }
  const commands = createTemplates(ports)
  every(machine, LIST_EVERY_MS, () => commands.listDue(() => true))
  every(machine, SETTLE_EVERY_MS, () => commands.settleAsked(() => true))
  return commands
}

function every(machine: Machine, everyMs: number, run: () => Promise<unknown>): void {
  const again = () => void machine.after(everyMs, () => every(machine, everyMs, run))
  void run().then(again, again)
}
