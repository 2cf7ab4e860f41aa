import test from 'ava'
import { deliveryBegunSuite } from '../contracts/delivery-begun.ts'
import { deliveryQueueSuite, deliveryRelaySuite } from '../contracts/delivery-store.ts'
import { brandingStoreSuite } from '../contracts/branding-store.ts'
import { cannedReplySuite } from '../contracts/canned-replies.ts'
import { callStoreSuite } from '../contracts/call-store.ts'
import { embedSessionStoreSuite } from '../contracts/embed-session-store.ts'
import { eventStoreSuite } from '../contracts/event-store.ts'
import { flowListingSuite } from '../contracts/flow-listings.ts'
import { flowStoreSuite } from '../contracts/flow-store.ts'
import { errandStoreSuite } from '../contracts/errand-store.ts'
import { idempotencyStoreSuite } from '../contracts/idempotency-store.ts'
import { inboundStoreSuite } from '../contracts/inbound-store.ts'
import { keyStoreSuite } from '../contracts/key-store.ts'
import { leaseSuite } from '../contracts/leases.ts'
import { fileStoreSuite } from '../contracts/message-files.ts'
import { heldMessageSuite, reachSuite } from '../contracts/reach.ts'
import { sendQueueSuite } from '../contracts/message-queue.ts'
import { sendTurnsSuite } from '../contracts/send-turns.ts'
import { numberStoreSuite } from '../contracts/number-store.ts'
import { officialStoreSuite } from '../contracts/official-store.ts'
import { pairingStoreSuite } from '../contracts/pairing-store.ts'
import { setAsideSuite } from '../contracts/set-aside.ts'
import { templateListingSuite } from '../contracts/template-listings.ts'
import { templateStoreSuite } from '../contracts/template-store.ts'
import { tenantCallSuite } from '../contracts/tenant-calls.ts'
import { loginFailureSuite, userStoreSuite } from '../contracts/user-store.ts'
import { webSessionStoreSuite } from '../contracts/web-session-store.ts'
import { webhookStoreSuite } from '../contracts/webhook-store.ts'
import { makeDeliveryWorld, memoryWorlds } from './memory-world.ts'

// The memory stores replace the database in other tests, so they must keep the same contracts.
const { makeWorld, makeLeases } = memoryWorlds()
for (const suite of [
  numberStoreSuite,
  keyStoreSuite,
  callStoreSuite,
  tenantCallSuite,
  eventStoreSuite,
  idempotencyStoreSuite,
  pairingStoreSuite,
  embedSessionStoreSuite,
  brandingStoreSuite,
  cannedReplySuite,
  webSessionStoreSuite,
  userStoreSuite,
  loginFailureSuite,
  webhookStoreSuite,
  officialStoreSuite,
  inboundStoreSuite,
  setAsideSuite,
  sendTurnsSuite,
  sendQueueSuite,
  heldMessageSuite,
  reachSuite,
  fileStoreSuite,
  templateStoreSuite,
  templateListingSuite,
  flowStoreSuite,
  flowListingSuite,
]) {
  suite(test, 'memory', makeWorld)
}
errandStoreSuite(test, 'memory', makeWorld)
leaseSuite(test, 'memory', makeWorld, makeLeases)
deliveryRelaySuite(test, 'memory', makeDeliveryWorld)
deliveryQueueSuite(test, 'memory', makeDeliveryWorld)
deliveryBegunSuite(test, 'memory', makeDeliveryWorld)
