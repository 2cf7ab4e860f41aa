import type { Clock } from '../src/ports/clock.ts'
import { MemoryCalls } from '../test/helpers/memory/calls.ts'
import { MemoryInbound } from '../test/helpers/memory/changes.ts'
import { MemoryDeliveries } from '../test/helpers/memory/deliveries.ts'
import { MemoryErrands } from '../test/helpers/memory/errands.ts'
import { MemoryMessages } from '../test/helpers/memory/messages.ts'
import { MemoryNumbers } from '../test/helpers/memory/numbers.ts'
import { MemoryPairings } from '../test/helpers/memory/pairings.ts'
import { MemoryReach } from '../test/helpers/memory/reach.ts'
import type { MemoryRows } from '../test/helpers/memory/rows.ts'
import { MemorySetAside } from '../test/helpers/memory/set-aside.ts'
import { MemoryWebhooks } from '../test/helpers/memory/webhooks.ts'

/** The stores over the rows of a simulation; `shared` is what every node reads and writes. */
export function openStores(rows: MemoryRows, clock: Clock) {
  const messages = new MemoryMessages(rows, clock)
  const errands = new MemoryErrands(rows, clock)
  const webhooks = new MemoryWebhooks(rows, clock)
  return {
    messages,
    webhooks,
    deliveries: new MemoryDeliveries(rows, webhooks, clock),
    shared: {
      numbers: new MemoryNumbers(rows, clock),
      calls: new MemoryCalls(rows, clock),
      pairing: new MemoryPairings(rows, clock),
      sendQueue: messages.sendQueue(),
      messageInbox: messages.inbox(),
      setAside: new MemorySetAside(rows, clock, errands),
      reach: new MemoryReach(messages, clock),
      inbound: new MemoryInbound(rows, clock),
      errands,
    },
  }
}
