import type { Intersection } from '../domain/intersection.ts'
import { adAccessRoutes } from './routes/ad-access/ad-access.ts'
import { apiKeyRoutes } from './routes/api-keys/api-keys.ts'
import { callRoutes } from './routes/calls/calls.ts'
import { conversationRoutes } from './routes/conversations/conversations.ts'
import { eventRoutes } from './routes/events/events.ts'
import { fileRoutes } from './routes/files/files.ts'
import { flowExchangeRoutes } from './routes/flow-exchange/flow-exchange.ts'
import { flowRoutes } from './routes/flows/flows.ts'
import { groupRoutes } from './routes/groups/groups.ts'
import { leadPageRoutes } from './routes/lead-pages/lead-pages.ts'
import { leadWebhookRoutes } from './routes/lead-webhooks/lead-webhooks.ts'
import { leadRoutes } from './routes/leads/leads.ts'
import { mediaRoutes } from './routes/media/media.ts'
import { messageRoutes } from './routes/messages/messages.ts'
import { numberRoutes } from './routes/numbers/numbers.ts'
import { officialWebhookRoutes } from './routes/official-webhooks/official-webhooks.ts'
import { operationRoutes } from './routes/operations/operations.ts'
import { referralRoutes } from './routes/referrals/referrals.ts'
import { remotePairingRoutes } from './routes/remote-pairing/remote-pairing.ts'
import { statusRoutes } from './routes/status/status.ts'
import { templateRoutes } from './routes/templates/templates.ts'
import { webhookRoutes } from './routes/webhooks/webhooks.ts'

/** Every group of routes, in the order they are matched and documented. Fixed paths stand before `{id}` paths. */
export const API_ROUTES = [
  callRoutes,
  messageRoutes,
  conversationRoutes,
  mediaRoutes,
  fileRoutes,
  templateRoutes,
  flowRoutes,
  leadRoutes,
  leadPageRoutes,
  groupRoutes,
  referralRoutes,
  adAccessRoutes,
  remotePairingRoutes,
  numberRoutes,
  statusRoutes,
  apiKeyRoutes,
  webhookRoutes,
  eventRoutes,
  officialWebhookRoutes,
  leadWebhookRoutes,
  flowExchangeRoutes,
  operationRoutes,
] as const

/** What the routes need: all that the groups name. */
export type ApiDeps = Intersection<Parameters<(typeof API_ROUTES)[number]>[0]>
