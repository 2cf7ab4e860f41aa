import { createFlows } from '../../src/commands/flows/flows.ts'
import type { FlowPorts } from '../../src/commands/flows/ports.ts'
import type { TemplatePorts } from '../../src/commands/templates/ports.ts'
import { createTemplates } from '../../src/commands/templates/templates.ts'
import type { WebhookPorts } from '../../src/commands/webhooks/ports.ts'
import { createWebhooks } from '../../src/commands/webhooks/webhooks.ts'
import type { RestDeps } from '../../src/http/server.ts'

/** What the nouns that routes ask stand on. */
export type NounPorts = TemplatePorts & FlowPorts & WebhookPorts

/** What a test has otherwise than its world: ports of the routes, or of the nouns that they ask. */
export type Changes = Partial<RestDeps & Omit<NounPorts, keyof RestDeps>>

/** The nouns of one set of ports. */
export function nounsOf(ports: NounPorts) {
  return {
    templateCommands: createTemplates(ports),
    flowCommands: createFlows(ports),
    webhookCommands: createWebhooks(ports),
  }
}
