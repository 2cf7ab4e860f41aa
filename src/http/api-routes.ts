import type { Intersection } from '../domain/intersection.ts'
import { adAccessRoutes } from './routes/ad-access/ad-access.ts'
import { apiKeyRoutes } from './routes/api-keys/api-keys.ts'
import { brandingRoutes } from './routes/branding/branding.ts'
import { cannedReplyRoutes } from './routes/canned-replies/canned-replies.ts'
import { callRoutes } from './routes/calls/calls.ts'
import { connectPageRoutes } from './routes/connect-pages/connect-pages.ts'
import { conversationRoutes } from './routes/conversations/conversations.ts'
import { dashboardRoutes } from './routes/dashboard/dashboard.ts'
import { dashboardPageRoutes } from './routes/dashboard-pages/dashboard-pages.ts'
import { embedSessionRoutes } from './routes/embed-sessions/embed-sessions.ts'
import { eventRoutes } from './routes/events/events.ts'
import { fileRoutes } from './routes/files/files.ts'
import { flowExchangeRoutes } from './routes/flow-exchange/flow-exchange.ts'
import { flowRoutes } from './routes/flows/flows.ts'
import { grantRoutes } from './routes/grants/grants.ts'
import { groupRoutes } from './routes/groups/groups.ts'
import { handlingRoutes } from './routes/handling/handling.ts'
import { inboxRoutes } from './routes/inbox/inbox.ts'
import { leadPageRoutes } from './routes/lead-pages/lead-pages.ts'
import { leadWebhookRoutes } from './routes/lead-webhooks/lead-webhooks.ts'
import { leadRoutes } from './routes/leads/leads.ts'
import { liveRoutes } from './routes/live/live.ts'
import { mediaRoutes } from './routes/media/media.ts'
import { messageRoutes } from './routes/messages/messages.ts'
import { numberRoutes } from './routes/numbers/numbers.ts'
import { oauthConsentRoutes } from './routes/oauth-consent/oauth-consent.ts'
import { oauthRoutes } from './routes/oauth/oauth.ts'
import { officialWebhookRoutes } from './routes/official-webhooks/official-webhooks.ts'
import { operationRoutes } from './routes/operations/operations.ts'
import { peoplePageRoutes } from './routes/people-pages/people-pages.ts'
import { protectedResourceRoutes } from './routes/protected-resources/protected-resources.ts'
import { publicEmbedRoutes } from './routes/public-embed/public-embed.ts'
import { referralRoutes } from './routes/referrals/referrals.ts'
import { remotePairingRoutes } from './routes/remote-pairing/remote-pairing.ts'
import { sessionRoutes } from './routes/sessions/sessions.ts'
import { statusRoutes } from './routes/status/status.ts'
import { templateRoutes } from './routes/templates/templates.ts'
import { usageRoutes } from './routes/usage/usage.ts'
import { userRoutes } from './routes/users/users.ts'
import { webAssetRoutes } from './routes/web-assets/web-assets.ts'
import { webhookRoutes } from './routes/webhooks/webhooks.ts'

/** Every group of routes, in the order they are matched and documented. Fixed paths stand before `{id}` paths. */
export const API_ROUTES = [
  callRoutes,
  messageRoutes,
  conversationRoutes,
  cannedReplyRoutes,
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
  brandingRoutes,
  embedSessionRoutes,
  publicEmbedRoutes,
  inboxRoutes,
  numberRoutes,
  statusRoutes,
  usageRoutes,
  apiKeyRoutes,
  userRoutes,
  webhookRoutes,
  eventRoutes,
  liveRoutes,
  sessionRoutes,
  dashboardRoutes,
  handlingRoutes,
  oauthRoutes,
  protectedResourceRoutes,
  oauthConsentRoutes,
  grantRoutes,
  officialWebhookRoutes,
  leadWebhookRoutes,
  flowExchangeRoutes,
  operationRoutes,
  webAssetRoutes,
  connectPageRoutes,
  peoplePageRoutes,
  dashboardPageRoutes,
] as const

/** What the routes need: the dependencies of all groups together. */
export type ApiDeps = Intersection<Parameters<(typeof API_ROUTES)[number]>[0]>
