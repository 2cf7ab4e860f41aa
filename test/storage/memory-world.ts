import { systemClock } from '../../src/process/clock.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { newId, type NodeId, type NumberId } from '../../src/domain/ids.ts'
import type { NewMessage } from '../../src/ports/stores/message-store.ts'
import type { Stores } from '../../src/storage/stores.ts'
import type { MakeDeliveryWorld } from '../contracts/delivery-store.ts'
import type { MakeLeases, MakeWorld } from '../contracts/world.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { MemoryBranding } from '../helpers/memory/branding.ts'
import { MemoryCannedReplies } from '../helpers/memory/canned-replies.ts'
import { MemoryCalls } from '../helpers/memory/calls.ts'
import { MemoryInbound } from '../helpers/memory/changes.ts'
import { EXPIRE_MS, MemoryDeliveries } from '../helpers/memory/deliveries.ts'
import { MemoryEmbedSessions } from '../helpers/memory/embed-sessions.ts'
import { MemoryErrands } from '../helpers/memory/errands.ts'
import { MemoryEvents } from '../helpers/memory/events.ts'
import { MemoryFiles } from '../helpers/memory/files.ts'
import { MemoryIdempotency } from '../helpers/memory/idempotency.ts'
import { MemoryTenants } from '../helpers/memory/keys.ts'
import { MemoryLoginFailures } from '../helpers/memory/login-failures.ts'
import { MemoryFlows } from '../helpers/memory/flows.ts'
import { memoryLeases } from '../helpers/memory/leases.ts'
import { MemoryMessages } from '../helpers/memory/messages.ts'
import { MemoryNumbers } from '../helpers/memory/numbers.ts'
import { MemoryOfficial } from '../helpers/memory/official.ts'
import { MemoryPairings } from '../helpers/memory/pairings.ts'
import { MemoryReach } from '../helpers/memory/reach.ts'
import { MemoryRows } from '../helpers/memory/rows.ts'
import { MemorySetAside } from '../helpers/memory/set-aside.ts'
import { MemoryTemplates } from '../helpers/memory/templates.ts'
import { MemoryUsers } from '../helpers/memory/users.ts'
import { MemoryWebSessions } from '../helpers/memory/web-sessions.ts'
import { MemoryWebhooks } from '../helpers/memory/webhooks.ts'

const noTables = (): Promise<never> => Promise.reject(new Error('memory has no tables to look into'))

/** The rows of a table as text. What waits to be sent has the text of its column. */
async function rawRows(table: string, rows: MemoryRows, messages: MemoryMessages): Promise<string> {
  if (table === 'events') return JSON.stringify(rows.stored)
  if (table !== 'messages') return noTables()
  return JSON.stringify(
    [...messages.queued.values()].map((row) => ({
      ...row,
      message: null,
      outgoing: JSON.stringify(row.message.outgoing),
    })),
  )
}

/** The clock of a queue, which also goes on by itself, as that of a database server does. */
function runningBeside(clock: FakeClock): Clock {
  const startMs = systemClock.monotonicMs()
  return {
    now: () => clock.now() + Math.floor(systemClock.monotonicMs() - startMs),
    monotonicMs: () => clock.monotonicMs(),
    after: (delayMs, fire) => clock.after(delayMs, fire),
  }
}

/** Worlds whose events go to webhooks, each over rows of its own. */
export const makeDeliveryWorld: MakeDeliveryWorld = async () => {
  const { rows, makeWorld } = memoryWorlds()
  const world = makeWorld()
  const webhooks = world.stores.webhooks as unknown as MemoryWebhooks
  const deliveries = new MemoryDeliveries(rows, webhooks, runningBeside(world.clock))
  const own = newId('node')
  return {
    ...world,
    deliveries: deliveries.of(own),
    otherNode: () => deliveries.of(newId('node')),
    restart: async () => ({ recovered: deliveries.recover(own), store: deliveries.of(own) }),
    expire: async () => world.clock.advance(EXPIRE_MS),
    clear: async () => deliveries.clear(),
    async statements(work) {
      await work()
      return 0
    },
  }
}

/** Worlds over the same rows in memory, without the reads of messages. */
export function memoryWorlds(): {
  readonly rows: MemoryRows
  readonly makeWorld: MakeWorld
  readonly makeLeases: MakeLeases
} {
  const rows = new MemoryRows()
  const nodes = new Map<string, NodeId>()
  const makeLeases: MakeLeases = (nodeName, times) => {
    const nodeId = nodes.get(nodeName) ?? newId('node')
    nodes.set(nodeName, nodeId)
    return memoryLeases(rows, nodeId, times)
  }
  const makeWorld: MakeWorld = (startMs) => {
    const clock = new FakeClock(startMs)
    const numbers = new MemoryNumbers(rows, clock)
    const messages = new MemoryMessages(rows, clock)
    const idempotency = new MemoryIdempotency(clock)
    numbers.keys.answers = idempotency
    const flows = new MemoryFlows(rows, clock)
    const [webSessions, users] = [new MemoryWebSessions(rows, clock), new MemoryUsers(rows, clock)]
    numbers.keys.sessions = webSessions
    users.keepSession = (...kept) => webSessions.keep(...kept)
    const errands = new MemoryErrands(rows, clock)
    const stores = {
      tenants: new MemoryTenants(rows, numbers.keys),
      numbers,
      keys: numbers.keys,
      pairing: new MemoryPairings(rows, clock),
      branding: new MemoryBranding(rows, clock),
      cannedReplies: new MemoryCannedReplies(clock),
      embedSessions: new MemoryEmbedSessions(rows, clock),
      calls: new MemoryCalls(rows, clock),
      webSessions,
      users,
      loginFailures: new MemoryLoginFailures(clock),
      events: new MemoryEvents(rows),
      files: new MemoryFiles(
        clock,
        ({ tenantId, numberId }) => numberId === null || rows.numbers.get(numberId)?.tenantId === tenantId,
      ),
      idempotency,
      webhooks: new MemoryWebhooks(rows, clock),
      official: new MemoryOfficial(rows, numbers, clock),
      inbound: new MemoryInbound(rows, clock),
      errands,
      setAside: new MemorySetAside(rows, clock, errands),
      templates: new MemoryTemplates(rows, clock),
      flows,
      messages: {
        accept: async (message: NewMessage) => {
          messages.accept(message)
          return { kind: 'accepted' }
        },
        find: async (numberId: NumberId, anyId: string) => messages.find(numberId, anyId),
        cancel: async (numberId: NumberId, ids: readonly string[]) => messages.cancel(numberId, ids),
      },
      reach: new MemoryReach(messages, clock),
      queue: messages.sendQueue(),
      inbox: messages.inbox(),
    }
    return {
      clock,
      stores: stores as Partial<Record<keyof Stores, object>> as Stores,
      leases: (nodeName = 'one') => makeLeases(nodeName),
      rawTable: async (table) => rawRows(table, rows, messages),
      copyCredentials: noTables,
      copyAutoSend: noTables,
      setTenant: async (tenantId, fields) =>
        void rows.tenants.set(tenantId, { ...rows.tenants.get(tenantId), ...fields }),
    }
  }
  return { rows, makeWorld, makeLeases }
}
