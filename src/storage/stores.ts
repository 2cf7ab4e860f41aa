import type { Intersection } from '../domain/intersection.ts'
import { REQUESTS_PER_MINUTE, SENDS_PER_MINUTE } from '../domain/limits.ts'
import { openAds } from './ads/store.ts'
import { openBranding } from './branding/store.ts'
import { openCannedReplies } from './canned-replies/store.ts'
import { openCallSessions } from './call-sessions/store.ts'
import { openCalls } from './calls/store.ts'
import { openAccountChanges, openChanges } from './changes/store.ts'
import { openEmbedSessions } from './embed-sessions/store.ts'
import type { Engine } from './engine/engine.ts'
import { openErrands } from './errands/store.ts'
import { openEvents } from './events/store.ts'
import { openFiles } from './files/store.ts'
import { openFlowKeys } from './flow-keys/store.ts'
import { openFlowResponses } from './flow-responses/store.ts'
import { openFlows } from './flows/store.ts'
import { openHandling } from './handling/store.ts'
import { openIdempotency } from './idempotency/store.ts'
import { openInbox } from './inbox/store.ts'
import { openKeys } from './keys/store.ts'
import { openLeadBackfills } from './lead-backfills/store.ts'
import { openLeadPages } from './lead-pages/store.ts'
import { openLeadNotices } from './lead-pages/notices.ts'
import { openLeads } from './leads/store.ts'
import { openLoginFailures } from './login-failures/store.ts'
import { openMarketing } from './official-numbers/marketing.ts'
import { openMessages } from './messages/messages.ts'
import { openPrivacy } from './numbers/retention.ts'
import { openNumbers } from './provisioning/numbers.ts'
import { openOAuth } from './oauth/store.ts'
import { openOfficialNumbers } from './official-numbers/store.ts'
import { openOverview } from './overview/store.ts'
import { openPairing } from './pairing/store.ts'
import { openReach } from './reach/store.ts'
import { openRecordings } from './recordings/store.ts'
import { openReferrals } from './referral-lists/store.ts'
import { openResealing } from './resealing/reseal.ts'
import { openSetAside } from './set-aside/store.ts'
import { openTemplates } from './templates/store.ts'
import { openTenantFeed } from './tenant-feed/store.ts'
import { openTenants } from './provisioning/tenants.ts'
import { openUsage } from './usage/store.ts'
import { openUsers } from './users/store.ts'
import { openWebSessions } from './web-sessions/store.ts'
import { openWebhooks } from './webhooks/store.ts'

/** Openers of all stores. A new one is a line here, and its tables are lines of `entities.ts`. */
const AGGREGATES = [
  openTenants,
  openNumbers,
  openKeys,
  openPairing,
  openBranding,
  openCalls,
  openCallSessions,
  openRecordings,
  openEvents,
  openIdempotency,
  openWebhooks,
  openOfficialNumbers,
  openMarketing,
  openChanges,
  openAccountChanges,
  openMessages,
  openReach,
  openInbox,
  openFiles,
  openTemplates,
  openFlows,
  openFlowResponses,
  openFlowKeys,
  openLeadPages,
  openLeadNotices,
  openLeads,
  openLeadBackfills,
  openPrivacy,
  openReferrals,
  openAds,
  openEmbedSessions,
  openWebSessions,
  openUsers,
  openLoginFailures,
  openOAuth,
  openErrands,
  openSetAside,
  openResealing,
  openOverview,
  openUsage,
  openCannedReplies,
  openHandling,
  openTenantFeed,
]

/** Every store of the gateway, under the names that the openers give. */
export type Stores = Intersection<ReturnType<(typeof AGGREGATES)[number]>>

const DEFAULTS: Pick<Engine, 'limits' | 'onEvents' | 'onAds' | 'onChanged' | 'onMoved'> = {
  limits: { requestsPerMinute: REQUESTS_PER_MINUTE, sendsPerMinute: SENDS_PER_MINUTE },
  onEvents: () => {},
  onAds: () => {},
  onChanged: () => {},
  onMoved: { call: () => {}, number: () => {}, conversation: () => {} },
}

/** Makes all stores over one database. The limits are those of [rest.rate-limits.2] unless given. */
export function openStores(given: Pick<Engine, 'database' | 'cipher' | 'clock'> & Partial<Engine>): Stores {
  const engine = { ...DEFAULTS, ...given }
  return Object.assign({}, ...AGGREGATES.map((open) => open(engine))) as Stores
}
