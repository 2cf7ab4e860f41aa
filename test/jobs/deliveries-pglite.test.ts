import test from 'ava'
import { deliveryEndSuite } from '../contracts/delivery-ends.ts'
import { deliveryAgainSuite } from '../contracts/delivery-again.ts'
import { deliveryBegunSuite } from '../contracts/delivery-begun.ts'
import { deliveryHealthSuite } from '../contracts/delivery-health.ts'
import { deliveryQueueSuite, deliveryRelaySuite } from '../contracts/delivery-store.ts'
import { messageEventPurgeSuite } from '../contracts/message-event-purge.ts'
import { overviewSuite } from '../contracts/overview.ts'
import { usageSuite } from '../contracts/usage.ts'
import { openTestPglite } from '../helpers/database.ts'
import { sharedDeliveries } from './deliveries.ts'

const { makeWorld } = sharedDeliveries(test, openTestPglite)
deliveryRelaySuite(test, 'PGlite', makeWorld)
deliveryQueueSuite(test, 'PGlite', makeWorld)
deliveryBegunSuite(test, 'PGlite', makeWorld)
deliveryHealthSuite(test, 'PGlite', makeWorld)
deliveryAgainSuite(test, 'PGlite', makeWorld)
deliveryEndSuite(test, 'PGlite', makeWorld)
messageEventPurgeSuite(test, 'PGlite', makeWorld)
overviewSuite(test, 'PGlite', makeWorld)
usageSuite(test, 'PGlite', makeWorld)
