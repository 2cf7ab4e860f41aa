import test from 'ava'
import { deliveryHealthSuite } from '../contracts/delivery-health.ts'
import { deliveryQueueSuite, deliveryRelaySuite } from '../contracts/delivery-store.ts'
import { openTestPostgres, TEST_DATABASE_URL } from '../helpers/database.ts'
import { sharedDeliveries } from './deliveries.ts'

const url = TEST_DATABASE_URL
if (url === null) {
  test.skip('deliveries keep their contract on PostgreSQL (TEST_DATABASE_URL is not set)', () => {})
} else {
  const { makeWorld } = sharedDeliveries(test, () => openTestPostgres(url))
  deliveryRelaySuite(test, 'PostgreSQL', makeWorld)
  deliveryQueueSuite(test, 'PostgreSQL', makeWorld)
  deliveryHealthSuite(test, 'PostgreSQL', makeWorld)
}
