import test from 'ava'
import { deliveryAgainSuite } from '../contracts/delivery-again.ts'
import { deliveryBegunSuite } from '../contracts/delivery-begun.ts'
import { deliveryHealthSuite } from '../contracts/delivery-health.ts'
import { deliveryQueueSuite, deliveryRelaySuite } from '../contracts/delivery-store.ts'
import { memoryDeliveryWorld } from './memory-world.ts'

// The memory store replaces the database in the dispatcher's tests, so it must keep the same contract.
deliveryRelaySuite(test, 'memory', memoryDeliveryWorld)
deliveryQueueSuite(test, 'memory', memoryDeliveryWorld)
deliveryBegunSuite(test, 'memory', memoryDeliveryWorld)
deliveryHealthSuite(test, 'memory', memoryDeliveryWorld)
deliveryAgainSuite(test, 'memory', memoryDeliveryWorld)
