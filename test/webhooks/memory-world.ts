import { newId } from '../../src/domain/ids.ts'
import { systemClock } from '../../src/process/clock.ts'
import type { DeliveryWorld } from '../contracts/delivery-store.ts'
import { MemoryWebhooks } from '../helpers/memory/webhooks.ts'
import { memoryWorlds } from '../storage/memory-world.ts'
import { MemoryDeliveries } from './memory-deliveries.ts'
import { MemoryQueue } from './memory-queue.ts'

/** Makes a world in memory whose events go to webhooks. Its jobs become due in real time, as those of the tables do. */
export async function memoryDeliveryWorld(): Promise<DeliveryWorld> {
  const { rows, makeWorld } = memoryWorlds()
  const world = makeWorld(Date.now())
  const { webhooks } = world.stores
  if (!(webhooks instanceof MemoryWebhooks)) throw new Error('the webhooks of the world are not in memory')
  const queue = new MemoryQueue(rows, systemClock)
  const node = (name: string) => new MemoryDeliveries({ rows, webhooks, queue, clock: world.clock }, name)
  const own = newId('node')
  return {
    ...world,
    rawTable: async (table) => (table === 'webhook_logs' ? JSON.stringify(webhooks.log) : world.rawTable(table)),
    deliveries: node(own),
    otherNode: () => node(newId('node')),
    restart: async () => ({ store: node(own), recovered: queue.giveBack(own) }),
    clear: async () => queue.clear(),
    expire: async () => void queue.giveBack(null),
    statements: async (work) => {
      await work()
      return 0
    },
  }
}
