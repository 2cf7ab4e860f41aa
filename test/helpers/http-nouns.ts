import type { Directory } from '../../actors/hosting/directory.ts'
import { rulesOf } from '../../actors/sending/rules.ts'
import { createAds } from '../../src/commands/ads/ads.ts'
import type { AdPorts } from '../../src/commands/ads/ports.ts'
import { createCalls } from '../../src/commands/calls/calls.ts'
import type { CallPorts } from '../../src/commands/calls/ports.ts'
import { createEmbeds } from '../../src/commands/embeds/embeds.ts'
import type { EmbedPorts } from '../../src/commands/embeds/ports.ts'
import { createEndpoints } from '../../src/commands/flow-endpoints/flow-endpoints.ts'
import type { FlowEndpointPorts } from '../../src/commands/flow-endpoints/ports.ts'
import { createFlows } from '../../src/commands/flows/flows.ts'
import type { FlowPorts } from '../../src/commands/flows/ports.ts'
import { createKeys } from '../../src/commands/keys/keys.ts'
import type { KeyPorts } from '../../src/commands/keys/ports.ts'
import { createInbox } from '../../src/commands/inbox/inbox.ts'
import type { InboxPorts } from '../../src/commands/inbox/ports.ts'
import { createLeads } from '../../src/commands/leads/leads.ts'
import type { LeadPorts } from '../../src/commands/leads/ports.ts'
import { createMessages } from '../../src/commands/messages/messages.ts'
import type { MessagePorts } from '../../src/commands/messages/ports.ts'
import { createConsents } from '../../src/commands/oauth/consents.ts'
import type { ConsentPorts } from '../../src/commands/oauth/ports.ts'
import { createOfficialAccounts } from '../../src/commands/official/official.ts'
import type { OfficialPorts } from '../../src/commands/official/ports.ts'
import { createPages } from '../../src/commands/pages/pages.ts'
import type { PagePorts } from '../../src/commands/pages/ports.ts'
import type { SessionPorts } from '../../src/commands/sessions/ports.ts'
import { createSessions } from '../../src/commands/sessions/sessions.ts'
import type { TemplatePorts } from '../../src/commands/templates/ports.ts'
import { createTemplates } from '../../src/commands/templates/templates.ts'
import type { UserPorts } from '../../src/commands/users/ports.ts'
import { createUsers } from '../../src/commands/users/users.ts'
import type { WebhookPorts } from '../../src/commands/webhooks/ports.ts'
import { createWebhooks } from '../../src/commands/webhooks/webhooks.ts'
import { openNumbers } from '../../src/gateway/open-numbers.ts'
import type { NumberNeeds } from '../../src/gateway/open-numbers.ts'
import type { RestDeps } from '../../src/http/server.ts'
import { UNHEARD } from './http-memory-official.ts'

/** Dependencies of chores, which tests of routes do not run. */
const OF_CHORES = { processId: 'a test', retryMs: [], autoSendsDue: () => {}, adsDue: () => {}, ...UNHEARD }

/** The ports of the nouns that routes use. */
export type NounPorts = TemplatePorts
  & FlowPorts
  & FlowEndpointPorts
  & WebhookPorts
  & MessagePorts
  & CallPorts
  & Omit<AdPorts & InboxPorts & LeadPorts, 'messageCommands' | keyof typeof OF_CHORES>
  & Omit<OfficialPorts, keyof typeof OF_CHORES>
  & KeyPorts
  & UserPorts
  & SessionPorts
  & NumberNeeds['stores']
  & Omit<NumberNeeds, 'stores' | 'officialCommands' | 'directory'> & { readonly directory: Directory } & EmbedPorts
  & PagePorts
  & ConsentPorts

/** Replacements for a test: ports of the routes, or of their nouns. */
export type Changes = Partial<RestDeps & Omit<NounPorts, keyof RestDeps>>

/** The asks to numbers that nouns use; no queued message ever expires. */
export function numberAsks(
  directory: Directory,
): Pick<
  NounPorts,
  'receive' | 'askReopen' | 'askApplySettings' | 'askReadMessages' | 'askDevice' | 'sendsQueued' | 'queue' | 'paceOf'
> {
  return {
    receive: (numberId) => directory.receive(numberId),
    askReopen: (numberId) => directory.tellNumber(numberId, 'Reopen', {}),
    askApplySettings: (numberId, fields) => directory.tellNumber(numberId, 'ApplySettings', fields),
    askReadMessages: (numberId, externalMessageIds) =>
      directory.askNumber(numberId, 'ReadMessages', { externalMessageIds }),
    askDevice: (numberId, op, input) => directory.askDevice(numberId, op, input),
    sendsQueued: (numberId) => directory.sendsQueued(numberId),
    paceOf: (number) => rulesOf(number).number,
    queue: { expire: async () => 0, letGo: async () => [] },
  }
}

/** Makes the nouns over one set of ports. */
export function nounsOf(ports: NounPorts) {
  const messageCommands = createMessages(ports)
  const officialCommands = createOfficialAccounts({ ...OF_CHORES, ...ports })
  return {
    templateCommands: createTemplates(ports),
    flowCommands: createFlows(ports),
    flowEndpointCommands: createEndpoints(ports),
    webhookCommands: createWebhooks(ports),
    messageCommands,
    callCommands: createCalls(ports),
    adCommands: createAds({ ...OF_CHORES, ...ports }),
    inboxCommands: createInbox({ ...ports, messageCommands }),
    leadCommands: createLeads({ ...OF_CHORES, ...ports, messageCommands }),
    keyCommands: createKeys(ports),
    userCommands: createUsers(ports),
    sessionCommands: createSessions(ports),
    officialCommands,
    ...openNumbers(ports, { ...ports, stores: ports, officialCommands, directory: () => ports.directory }),
    embedCommands: createEmbeds(ports),
    pageCommands: createPages(ports),
    consentCommands: createConsents(ports),
  }
}
