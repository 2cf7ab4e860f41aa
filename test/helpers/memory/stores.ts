import { ScriptedDeliveries } from '../http-deliveries.ts'
import { ScriptedBatches, ScriptedMessages } from '../scripted-messages.ts'
import { ScriptedWorld } from '../scripted-world.ts'
import { MemoryBranding } from './branding.ts'
import { MemoryCannedReplies } from './canned-replies.ts'
import { MemoryCallSessions } from './call-sessions.ts'
import { MemoryCalls } from './calls.ts'
import { MemoryEmbedSessions } from './embed-sessions.ts'
import { MemoryEvents } from './events.ts'
import { MemoryFlows } from './flows.ts'
import { MemoryIdempotency } from './idempotency.ts'
import { MemoryLoginFailures } from './login-failures.ts'
import { MemoryNumbers } from './numbers.ts'
import { MemoryOverview } from './overview.ts'
import { MemoryPairings } from './pairings.ts'
import { MemoryRows } from './rows.ts'
import { MemoryTemplates } from './templates.ts'
import { MemoryUsage } from './usage.ts'
import { MemoryUsers } from './users.ts'
import { MemoryWebSessions } from './web-sessions.ts'
import { MemoryWebhooks } from './webhooks.ts'

/** A world with stores in memory, all over the same rows. */
export class StoresInMemory extends ScriptedWorld {
  readonly rows = new MemoryRows()
  readonly numbers = new MemoryNumbers(this.rows, this.clock)
  readonly keys = this.numbers.keys
  readonly calls = new MemoryCalls(this.rows, this.clock)
  readonly callSessions = new MemoryCallSessions()
  readonly overview = new MemoryOverview(this.rows)
  readonly usage = new MemoryUsage()
  readonly cannedReplies = new MemoryCannedReplies(this.clock)
  readonly pairing = new MemoryPairings(this.rows, this.clock)
  readonly embedSessions = new MemoryEmbedSessions(this.rows, this.clock)
  readonly branding = new MemoryBranding(this.rows, this.clock)
  readonly idempotency = new MemoryIdempotency(this.clock)
  readonly events = new MemoryEvents(this.rows)
  readonly messages = new ScriptedMessages(this.idempotency)
  readonly messageBatches = new ScriptedBatches(this.messages, this.idempotency)
  readonly templates = new MemoryTemplates(this.rows, this.clock)
  readonly flows = new MemoryFlows(this.rows, this.clock)
  readonly webSessions = new MemoryWebSessions(this.rows, this.clock)
  readonly users = new MemoryUsers(this.rows, this.clock)
  readonly loginFailures = new MemoryLoginFailures(this.clock)
  readonly webhooks = new MemoryWebhooks(this.rows, this.clock)
  readonly deliveries = new ScriptedDeliveries(this.webhooks)

  constructor() {
    super()
    this.numbers.plan = 'self-hosted'
    this.messages.isCurrent = (message) => this.templates.isCurrent(message) && this.flows.isCurrent(message)
    this.keys.answers = this.idempotency
    this.users.keepSession = (...kept) => this.webSessions.keep(...kept)
    this.keys.sessions = this.webSessions
    this.keys.requestsPerMinute = 10_000
    this.keys.sendsPerMinute = 10_000
  }
}
