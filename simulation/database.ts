import { openAccount, type AccountStores } from './accounts/stores.ts'
import { newId, type MessageBatchId, type MessageId, type NodeId, type NumberId } from '../src/domain/ids.ts'
import { leaseTimesOf } from '../src/domain/lease-times.ts'
import { LEASE_TTL_MS } from '../src/domain/limits.ts'
import type { MemoryDeliveries } from '../test/helpers/memory/deliveries.ts'
import { memoryLeases } from '../test/helpers/memory/leases.ts'
import type { MemoryMessages } from '../test/helpers/memory/messages.ts'
import { memoryPlacement } from '../test/helpers/memory/placement.ts'
import { MemoryRows } from '../test/helpers/memory/rows.ts'
import type { MemoryWebhooks } from '../test/helpers/memory/webhooks.ts'
import type { NodeDeliveries } from './deliveries.ts'
import { BEGINNING_MS, type Machine } from './machine.ts'
import { openStores } from './stores.ts'
import { textOf } from './text.ts'

/** A text that a client sends. */
export interface Send {
  readonly numberId: NumberId
  readonly address: string
  readonly text: string
  /** When it is to go; null for at once. */
  readonly deliverAt: Date | null
}

export type BatchText = Pick<Send, 'address' | 'text'>

/** Texts that a client sends together. */
export interface Batch {
  /** Names the batch, and is its idempotency key. */
  readonly id: MessageBatchId
  readonly numberId: NumberId
  /** Most messages that are begun in a minute; null for as many as the number sends. */
  readonly perMinute: number | null
  readonly texts: readonly BatchText[]
}

/** The lease times of a cluster on its own database. */
export const TIMES = leaseTimesOf(LEASE_TTL_MS)

/**
 * The database of a simulation: the rows in memory that pass the contracts of the stores. PGlite holds the real
 * statements, but its `clock_timestamp()` is the clock of the machine and a start takes a second, so no seed would give
 * the same run twice.
 */
export class Database {
  readonly machine: Machine
  readonly rows = new MemoryRows()
  /** The leases of engines, in a database of their own. */
  readonly engineRows = new MemoryRows()
  readonly messages: MemoryMessages
  /** What every node reads and writes. */
  readonly stores: ReturnType<typeof openStores>['shared']
  readonly webhooks: MemoryWebhooks
  /** A tenant with templates upstream. */
  readonly account: AccountStores
  readonly deliveries: MemoryDeliveries
  readonly #urls = new Map<NumberId, string>()
  /** What was answered under an idempotency key. */
  readonly #answered = new Map<string, MessageId>()
  readonly #batches = new Map<MessageBatchId, readonly MessageId[]>()

  constructor(machine: Machine) {
    this.machine = machine
    this.account = openAccount(machine)
    const { shared, messages, webhooks, deliveries } = openStores(this.rows, machine)
    this.stores = shared
    this.messages = messages
    this.webhooks = webhooks
    this.deliveries = deliveries
  }

  /** A paired number of a tenant of its own, whose webhook hears of everything. */
  addNumber(digits: string): NumberId {
    const at = new Date(BEGINNING_MS)
    const tenantId = newId('ten')
    const numberId = this.rows.addNumber({
      tenantId,
      number: digits,
      credentials: 'paired',
      createdAt: at,
      updatedAt: at,
    })
    this.engineRows.addNumber({ id: numberId, createdAt: at, updatedAt: at })
    const url = `https://${digits}.example/hook`
    this.#urls.set(numberId, url)
    const webhook = { tenantId, numberId, url, events: ['*'] as const, name: 'All', secret: `whsec_${digits}` }
    void this.webhooks.create(webhook, 1)
    return numberId
  }

  /** The endpoint of a number's tenant. */
  urlOf(numberId: NumberId): string | undefined {
    return this.#urls.get(numberId)
  }

  /** The queue of deliveries as a node sees it. */
  deliveriesOf(nodeId: NodeId): NodeDeliveries {
    const { deliveries } = this
    return {
      ...deliveries.of(nodeId),
      recover: async () => deliveries.recover(nodeId),
      due: async () => deliveries.due,
    }
  }

  /**
   * Stores a text that a gateway takes at `atMs`, once for each key: what POST /v1/messages/send commits. Null when the
   * number is gone.
   */
  accept(key: string, { numberId, address, text, deliverAt }: Send, atMs: number): MessageId | null {
    const known = this.#answered.get(key)
    const number = this.rows.numbers.get(numberId)
    if (known !== undefined) return known
    if (!number) return null
    const message = textOf(number, address, text, new Date(atMs), deliverAt)
    this.messages.accept(message)
    this.#answered.set(key, message.id)
    return message.id
  }

  /**
   * Stores the texts of a batch that a gateway takes at `atMs`, all of them once: what POST /v1/messages/batch commits.
   * Null when the number is gone.
   */
  acceptBatch({ id, numberId, perMinute, texts }: Batch, atMs: number): readonly MessageId[] | null {
    const known = this.#batches.get(id)
    const number = this.rows.numbers.get(numberId)
    if (known) return known
    if (!number) return null
    const messages = texts.map(({ address, text }) => textOf(number, address, text, new Date(atMs), null))
    for (const message of messages) this.messages.accept(message, { id, perMinute, begunMs: null })
    const ids = messages.map((message) => message.id)
    this.#batches.set(id, ids)
    return ids
  }

  /** Leases and placement of the process `boot` of a node. */
  ownershipOf(nodeId: NodeId, boot: string) {
    const times = { ttlMs: TIMES.ttlMs, graceMs: TIMES.graceMs, nowMs: () => this.machine.monotonicMs() }
    const leases = memoryLeases(this.rows, nodeId, times, boot)
    return { leases, placement: memoryPlacement(this.rows, leases, boot, times) }
  }
}
