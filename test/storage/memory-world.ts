import { newId, type NodeId } from '../../../src/domain/ids.ts'
import type { NewMessage } from '../../../src/ports/stores/message-store.ts'
import type { Stores } from '../../../src/storage/stores.ts'
import type { MakeLeases } from '../../contracts/leases.ts'
import type { MakeWorld } from '../../contracts/world.ts'
import { FakeClock } from '../fake-clock.ts'
import { MemoryBranding } from './branding.ts'
import { MemoryCalls } from './calls.ts'
import { MemoryInbound } from './changes.ts'
import { MemoryEmbedSessions } from './embed-sessions.ts'
import { MemoryErrands } from './errands.ts'
import { MemoryEvents } from './events.ts'
import { MemoryIdempotency } from './idempotency.ts'
import { MemoryTenants } from './keys.ts'
import { MemoryLoginFailures } from './login-failures.ts'
import { MemoryFlowKeys } from './flow-keys.ts'
import { MemoryFlows } from './flows.ts'
import { memoryLeases } from './leases.ts'
import { MemoryMessages } from './messages.ts'
import { MemoryNumbers } from './numbers.ts'
import { MemoryOfficial } from './official.ts'
import { MemoryPairings } from './pairings.ts'
import { MemoryRows } from './rows.ts'
import { MemoryTemplates } from './templates.ts'
import { MemoryUsers } from './users.ts'
import { MemoryWebSessions } from './web-sessions.ts'
import { MemoryWebhooks } from './webhooks.ts'

const noTables = (): Promise<never> => Promise.reject(new Error('memory has no tables to look into'))

/** Worlds over the same rows in memory, without what is read of messages. */
export function memoryWorlds(): { readonly rows: MemoryRows, readonly makeWorld: MakeWorld, readonly makeLeases: MakeLeases } {
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
    const flowKeys = new MemoryFlowKeys(rows, clock, flows)
    const [webSessions, users] = [new MemoryWebSessions(rows, clock), new MemoryUsers(rows, clock)]
    numbers.keys.sessions = webSessions
    users.keepSession = (...kept) => webSessions.keep(...kept)
    const stores = {
      tenants: new MemoryTenants(rows, numbers.keys), numbers, keys: numbers.keys, pairing: new MemoryPairings(rows, clock), branding: new MemoryBranding(rows, clock), embedSessions: new MemoryEmbedSessions(rows, clock), calls: new MemoryCalls(rows, clock),
      webSessions, users, loginFailures: new MemoryLoginFailures(clock), events: new MemoryEvents(rows), idempotency, webhooks: new MemoryWebhooks(rows, clock),
      official: new MemoryOfficial(rows, numbers, clock), inbound: new MemoryInbound(rows, clock), errands: new MemoryErrands(rows, clock), templates: new MemoryTemplates(rows, clock), flows,
      flowKeys, flowEndpoints: flowKeys, flowExchanges: flowKeys,
      messages: { accept: async (message: NewMessage) => { messages.accept(message); return { kind: 'accepted' } } }, queue: messages.sendQueue(),
    }
    return {
      clock,
      stores: stores as Partial<Record<keyof Stores, object>> as Stores,
      leases: (nodeName = 'one') => makeLeases(nodeName),
      rawTable: noTables,
      copyCredentials: noTables,
      copyAutoSend: noTables,
      setTenant: async (tenantId, fields) => void rows.tenants.set(tenantId, { ...rows.tenants.get(tenantId), ...fields }),
    }
  }
  return { rows, makeWorld, makeLeases }
}
