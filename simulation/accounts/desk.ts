import { createFlows, type FlowCommands } from '../../src/commands/flows/flows.ts'
import type { FlowPorts } from '../../src/commands/flows/ports.ts'
import type { TemplatePorts } from '../../src/commands/templates/ports.ts'
import { createTemplates, type TemplateCommands } from '../../src/commands/templates/templates.ts'
import type { OfficialNumber } from '../../src/ports/official/number.ts'
import { silentLog } from '../../test/helpers/silent.ts'
import { every } from '../again.ts'
import type { Machine } from '../machine.ts'
import type { Platform } from './platform.ts'
import type { AccountStores } from './stores.ts'

/** As the chores of accounts have it (src/gateway/account-chores.ts). */
const LIST_EVERY_MS = 30_000
const SETTLE_EVERY_MS = 5_000

/** What a gateway does for an account of the official platform. */
export interface Desk {
  readonly templates: TemplateCommands
  readonly flows: FlowCommands
}

/** Starts the desk of a gateway, with its chores. */
export function startDesk(machine: Machine, stores: AccountStores['shared'], platform: Platform): Desk {
  const port = { templates: platform.templates.portOf(machine), flows: platform.flows.portOf(machine) }
  const ports = {
    ...stores,
    officialOf: () => port as Pick<OfficialNumber, 'templates' | 'flows'> as OfficialNumber,
    marksStored: async () => {},
    cardHosts: { isAllowed: () => false, isForbidden: () => false },
    clock: machine,
    log: silentLog,
    // No template of the workload has a file, none is sent, and nobody answers a Flow.
    messages: { isQueued: async () => false } as Partial<TemplatePorts['messages']> as TemplatePorts['messages'],
    templateFiles: { release: async () => {} } as Partial<
      TemplatePorts['templateFiles']
    > as TemplatePorts['templateFiles'],
    flowResponses: {} as FlowPorts['flowResponses'],
  }
  const desk = { templates: createTemplates(ports), flows: createFlows(ports) }
  for (const { listDue, settleAsked } of Object.values(desk)) {
    every(machine, LIST_EVERY_MS, () => listDue(() => true))
    every(machine, SETTLE_EVERY_MS, () => settleAsked(() => true))
  }
  return desk
}
