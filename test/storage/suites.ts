import type { TestFn } from 'ava'
import type { Database } from '../../src/storage/engine/database.ts'
import { accountChangeStoreSuite } from '../contracts/account-change-store.ts'
import { adStoreSuite } from '../contracts/ads.ts'
import { atRestSuite } from '../contracts/at-rest.ts'
import { brandingStoreSuite } from '../contracts/branding-store.ts'
import { cannedReplySuite } from '../contracts/canned-replies.ts'
import { callSessionSuite } from '../contracts/call-sessions.ts'
import { callStoreSuite } from '../contracts/call-store.ts'
import { embedSessionStoreSuite } from '../contracts/embed-session-store.ts'
import { errandStoreSuite } from '../contracts/errand-store.ts'
import { eventStoreSuite } from '../contracts/event-store.ts'
import { AnswerRig } from '../contracts/flow-answers.ts'
import { flowExchangeSuite } from '../contracts/flow-exchanges.ts'
import { flowInboxSuite } from '../contracts/flow-inbox.ts'
import { flowKeySuite } from '../contracts/flow-keys.ts'
import { flowListingSuite } from '../contracts/flow-listings.ts'
import { flowResponsePurgeSuite } from '../contracts/flow-response-purge.ts'
import { farResponsePageSuite, flowResponseSuite } from '../contracts/flow-responses.ts'
import { flowStoreSuite } from '../contracts/flow-store.ts'
import { inboundStoreSuite } from '../contracts/inbound-store.ts'
import { oauthStoreSuite } from '../contracts/oauth-store.ts'
import { marketingStoreSuite } from '../contracts/marketing-store.ts'
import { officialStoreSuite } from '../contracts/official-store.ts'
import { idempotencyStoreSuite } from '../contracts/idempotency-store.ts'
import { keyStoreSuite } from '../contracts/key-store.ts'
import { conversationJoinSuite } from '../contracts/conversation-joins.ts'
import { conversationNameSuite } from '../contracts/conversation-names.ts'
import { messageBatchSuite } from '../contracts/message-batches.ts'
import { messageChangeSuite } from '../contracts/message-changes.ts'
import { fileStoreSuite } from '../contracts/message-files.ts'
import { conversationMarkSuite } from '../contracts/conversation-marks.ts'
import { handlingSuite } from '../contracts/handling.ts'
import { inboxChangeSuite, inboxReadSuite } from '../contracts/inbox-store.ts'
import { messageKeySuite } from '../contracts/message-keys.ts'
import { messageInboxSuite } from '../contracts/message-inbox.ts'
import { messagePrivacySuite } from '../contracts/message-privacy.ts'
import { sendQueueSuite } from '../contracts/message-queue.ts'
import { heldMessageSuite, reachSuite } from '../contracts/reach.ts'
import { messageReadSuite } from '../contracts/message-reads.ts'
import { messageAcceptSuite } from '../contracts/message-store.ts'
import { sendTurnsSuite } from '../contracts/send-turns.ts'
import { leadAutoSendSuite } from '../contracts/lead-auto-sends.ts'
import { leadBackfillSuite } from '../contracts/lead-backfills.ts'
import { leadErasingSuite, leadStripSuite } from '../contracts/lead-erasing.ts'
import { leadListSuite } from '../contracts/lead-lists.ts'
import { leadNoticeSuite, leadNoticeTurnSuite } from '../contracts/lead-notices.ts'
import { leadPageSuite, leadSweepSuite } from '../contracts/lead-pages.ts'
import { leadSettlingSuite } from '../contracts/lead-settling.ts'
import { leadStoreSuite } from '../contracts/lead-store.ts'
import { numberStoreSuite } from '../contracts/number-store.ts'
import { pairingStoreSuite } from '../contracts/pairing-store.ts'
import { recordingSuite } from '../contracts/recordings.ts'
import { referralReadSuite } from '../contracts/referral-reads.ts'
import { referralSuite } from '../contracts/referrals.ts'
import { setAsideSuite } from '../contracts/set-aside.ts'
import { templateFileSuite, templateListingSuite } from '../contracts/template-listings.ts'
import { templateStoreSuite } from '../contracts/template-store.ts'
import { tenantCallSuite } from '../contracts/tenant-calls.ts'
import { tenantFeedSuite } from '../contracts/tenant-feed.ts'
import { leasesOver, worldsOver } from '../contracts/sql-worlds.ts'
import { webhookStoreSuite } from '../contracts/webhook-store.ts'
import { loginFailureSuite, userStoreSuite } from '../contracts/user-store.ts'
import { webSessionStoreSuite } from '../contracts/web-session-store.ts'
import { leaseSuite } from '../contracts/leases.ts'
import type { MakeWorld } from '../contracts/world.ts'

/** Runs every store suite against one implementation. */
export function storeSuites(test: TestFn, name: string, database: () => Database): void {
  const makeLeases = leasesOver(database)
  const makeWorld = worldsOver(database, makeLeases)
  numberStoreSuite(test, name, makeWorld)
  keyStoreSuite(test, name, makeWorld)
  callStoreSuite(test, name, makeWorld)
  callSessionSuite(test, name, makeWorld)
  tenantCallSuite(test, name, makeWorld)
  eventStoreSuite(test, name, makeWorld)
  idempotencyStoreSuite(test, name, makeWorld)
  pairingStoreSuite(test, name, makeWorld)
  embedSessionStoreSuite(test, name, makeWorld)
  brandingStoreSuite(test, name, makeWorld)
  cannedReplySuite(test, name, makeWorld)
  webSessionStoreSuite(test, name, makeWorld)
  userStoreSuite(test, name, makeWorld)
  loginFailureSuite(test, name, makeWorld)
  oauthStoreSuite(test, name, makeWorld)
  webhookStoreSuite(test, name, makeWorld)
  officialStoreSuite(test, name, makeWorld)
  marketingStoreSuite(test, name, makeWorld)
  inboundStoreSuite(test, name, makeWorld)
  accountChangeStoreSuite(test, name, makeWorld)
  errandStoreSuite(test, name, makeWorld)
  setAsideSuite(test, name, makeWorld)
  leaseSuite(test, name, makeWorld, makeLeases)
  atRestSuite(test, name, makeWorld)
}

/** Runs every suite of messages against one implementation. */
export function messageSuites(test: TestFn, name: string, database: () => Database): void {
  const makeWorld = worldsOver(database)
  messageAcceptSuite(test, name, makeWorld)
  messageReadSuite(test, name, makeWorld)
  messageBatchSuite(test, name, makeWorld)
  sendTurnsSuite(test, name, makeWorld)
  sendQueueSuite(test, name, makeWorld)
  heldMessageSuite(test, name, makeWorld)
  reachSuite(test, name, makeWorld)
  messageInboxSuite(test, name, makeWorld)
  messagePrivacySuite(test, name, makeWorld)
  messageChangeSuite(test, name, makeWorld)
  messageKeySuite(test, name, makeWorld)
  conversationNameSuite(test, name, makeWorld)
  conversationJoinSuite(test, name, makeWorld)
  fileStoreSuite(test, name, makeWorld)
  recordingSuite(test, name, makeWorld)
}

/** Runs every suite of templates against one implementation. */
export function templateSuites(test: TestFn, name: string, database: () => Database): void {
  const makeWorld = worldsOver(database)
  templateStoreSuite(test, name, makeWorld)
  templateListingSuite(test, name, makeWorld)
  templateFileSuite(test, name, makeWorld)
}

/** Runs every suite of Flows against one implementation. */
export function flowSuites(test: TestFn, name: string, database: () => Database): void {
  const makeWorld = worldsOver(database)
  flowStoreSuite(test, name, makeWorld)
  flowListingSuite(test, name, makeWorld)
  flowKeySuite(test, name, makeWorld)
  flowExchangeSuite(test, name, makeWorld)
  flowInboxSuite(test, name, makeWorld)
  const rig = new AnswerRig(database)
  flowResponsePurgeSuite(test, name, makeWorld, rig)
  flowResponseSuite(test, name, makeWorld, rig)
  farResponsePageSuite(test, name, makeWorld, rig)
}

/** Runs every suite of leads against one implementation. */
export function leadSuites(test: TestFn, name: string, makeWorld: MakeWorld): void {
  leadNoticeTurnSuite(test, name, makeWorld)
  leadSweepSuite(test, name, makeWorld)
  leadBackfillSuite(test, name, makeWorld)
  leadAutoSendSuite(test, name, makeWorld)
  leadStripSuite(test, name, makeWorld)
  leadPageSuite(test, name, makeWorld)
  leadNoticeSuite(test, name, makeWorld)
  leadStoreSuite(test, name, makeWorld)
  leadSettlingSuite(test, name, makeWorld)
  leadErasingSuite(test, name, makeWorld)
  leadListSuite(test, name, makeWorld)
}

/** Runs every suite of referrals against one implementation. */
export function referralSuites(test: TestFn, name: string, database: () => Database): void {
  const makeWorld = worldsOver(database)
  referralSuite(test, name, makeWorld)
  referralReadSuite(test, name, makeWorld)
}

/** Runs every suite of ads against one implementation, which needs a database of its own. */
export function adSuites(test: TestFn, name: string, database: () => Database): void {
  adStoreSuite(test, name, worldsOver(database))
}

/** Runs every suite of the inbox against one implementation. */
export function inboxSuites(test: TestFn, name: string, database: () => Database): void {
  const makeWorld = worldsOver(database)
  inboxReadSuite(test, name, makeWorld)
  conversationMarkSuite(test, name, makeWorld)
  handlingSuite(test, name, makeWorld)
  tenantFeedSuite(test, name, makeWorld)
  inboxChangeSuite(test, name, makeWorld)
}
