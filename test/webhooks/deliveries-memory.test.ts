import test from 'ava'
import { deliveryAgainSuite } from '../contracts/delivery-again.ts'
import { deliveryHealthSuite } from '../contracts/delivery-health.ts'
import { deliveryQueueSuite, deliveryRelaySuite } from '../contracts/delivery-store.ts'
import { memoryDeliveryWorld } from './memory-world.ts'

// What tests of the dispatcher stand on keeps the contract of what it stands for.
deliveryRelaySuite(test, 'memory', memoryDeliveryWorld)
deliveryQueueSuite(test, 'memory', memoryDeliveryWorld)
deliveryHealthSuite(test, 'memory', memoryDeliveryWorld)
deliveryAgainSuite(test, 'memory', memoryDeliveryWorld)
