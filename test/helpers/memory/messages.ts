import type { NewEvent } from '../../../src/domain/events.ts'
import type { ConversationId, MessageId, NumberId } from '../../../src/domain/ids.ts'
import { newId } from '../../../src/domain/ids.ts'
import type { Destination, MessageStatus } from '../../../src/domain/message.ts'
import type { MessageChange } from '../../../src/domain/message-change.ts'
import type { OutgoingContent } from '../../../src/domain/outgoing.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Fence } from '../../../src/ports/leases.ts'
import type {
  ChangeResult,
  IncomingMessage,
  InboxResult,
  MessageInbox,
  NamedPeer,
  StatusReport,
} from '../../../src/ports/stores/message-inbox.ts'
import type { NewMessage } from '../../../src/ports/stores/message-store.ts'
import type { QueuedMessage, SendQueue, SendSettlement, SettleResult } from '../../../src/ports/stores/send-queue.ts'
import type { MemoryRows } from './rows.ts'

export interface QueuedRow {
  readonly message: QueuedMessage
  readonly numberId: NumberId
  readonly status: MessageStatus
  /** The time that gives its place in the queue. */
  readonly dueMs: number
  /** It keeps its place but is not tried before this time. */
  readonly notBeforeMs: number
  readonly externalMessageId: string | null
  readonly failureCode: string | null
}

export const TEXT: OutgoingContent = { mode: 'text', text: 'hello', buttons: [], header: null, footer: null }

/** When the message may be tried, once it is at the head of its conversation. */
function readyAt({ dueMs, notBeforeMs }: QueuedRow): number {
  return Math.max(dueMs, notBeforeMs)
}

/** Messages in memory, with the same rules of order, compare-and-set and fences as the tables. */
export class MemoryMessages {
  readonly queued = new Map<MessageId, QueuedRow>()
  /** Received messages, in the order in which they were stored. */
  readonly received: IncomingMessage[] = []
  readonly reports: StatusReport[] = []
  readonly changes: MessageChange[] = []
  readonly names: NamedPeer[] = []
  /** Upstream ids of sent messages that a status may name. */
  readonly known = new Set<string>()
  /** Names of reads, in order. */
  readonly reads: string[] = []
  readonly #rows: MemoryRows
  readonly #clock: Clock

  constructor(rows: MemoryRows, clock: Clock) {
    this.#rows = rows
    this.#clock = clock
  }

  add(
    numberId: NumberId,
    address: string,
    patch: {
      outgoing?: OutgoingContent
      inMs?: number
      attemptedAt?: Date
      attempts?: number
      type?: Destination['type']
    } = {},
  ): MessageId {
    const id = newId('msg')
    const conversationId: ConversationId = `conv_${address}`
    const message: QueuedMessage = {
      id,
      conversationId,
      to: { type: patch.type ?? 'DIRECT', address },
      outgoing: patch.outgoing ?? TEXT,
      quotedMessageId: null,
      deliverUntil: null,
      createdAt: new Date(this.#clock.now()),
      attempts: patch.attempts ?? 0,
      attemptedAt: patch.attemptedAt ?? null,
    }
    this.queued.set(id, {
      message,
      numberId,
      status: 'QUEUED',
      dueMs: this.#clock.now() + (patch.inMs ?? 0),
      notBeforeMs: 0,
      externalMessageId: null,
      failureCode: null,
    })
    return id
  }

  /** Adds a message as the REST layer accepts it. */
  accept({ id, numberId, to, outgoing, quotedMessageId, deliverAt, deliverUntil, createdAt }: NewMessage): void {
    const message: QueuedMessage = {
      id,
      conversationId: `conv_${to.address}`,
      to,
      outgoing,
      quotedMessageId,
      deliverUntil,
      createdAt,
      attempts: 0,
      attemptedAt: null,
    }
    const dueMs = (deliverAt ?? createdAt).getTime()
    this.queued.set(id, {
      message,
      numberId,
      status: 'QUEUED',
      dueMs,
      notBeforeMs: 0,
      externalMessageId: null,
      failureCode: null,
    })
  }

  row(id: MessageId): QueuedRow {
    const row = this.queued.get(id)
    if (!row) throw new Error('no such message')
    return row
  }

  move(id: MessageId, patch: Partial<QueuedRow>): void {
    this.queued.set(id, { ...this.row(id), ...patch })
  }

  #heads(numberId: NumberId, except: readonly ConversationId[]): QueuedRow[] {
    const heads = new Map<ConversationId, QueuedRow>()
    for (const row of this.#waiting(numberId))
      if (!heads.has(row.message.conversationId)) heads.set(row.message.conversationId, row)
    return [...heads.values()].filter(
      (row) => readyAt(row) <= this.#clock.now() && !except.includes(row.message.conversationId),
    )
  }

  /** The queued messages in order of due time, then of acceptance. */
  #waiting(numberId: NumberId): QueuedRow[] {
    return [...this.queued.values()]
      .filter((row) => row.numberId === numberId && row.status === 'QUEUED')
      .toSorted((a, b) => a.dueMs - b.dueMs)
  }

  async #write<T>(name: string, fence: Fence, run: () => T): Promise<T | 'fenced'> {
    let result: T | null = null
    const written = await this.#rows.write(name, fence, () => {
      result = run()
      return 'applied'
    })
    return written === 'fenced' ? 'fenced' : (result as T)
  }

  #tell({ numberId }: Fence, events: readonly NewEvent[]): void {
    this.#rows.tell(numberId, events, this.#clock.now())
  }

  sendQueue(): SendQueue {
    return {
      heads: async (numberId, except, limit) => {
        this.reads.push('heads')
        return this.#heads(numberId, except)
          .slice(0, limit)
          .map(({ message }) => message)
      },
      begin: (fence, id) =>
        this.#write<SettleResult>('begin', fence, () => {
          const { status, message, numberId } = this.row(id)
          if (status !== 'QUEUED' || numberId !== fence.numberId) return 'moved'
          this.move(id, {
            message: { ...message, attempts: message.attempts + 1, attemptedAt: new Date(this.#clock.now()) },
          })
          return 'applied'
        }),
      settle: (fence, settlement) =>
        this.#write<SettleResult>(`settle ${settlement.kind}`, fence, () => this.#settle(fence, settlement)),
      nextDueAt: async (numberId) => {
        this.reads.push('due')
        const times = this.#waiting(numberId)
          .map(readyAt)
          .filter((atMs) => atMs > this.#clock.now())
        return times.length > 0 ? new Date(Math.min(...times)) : null
      },
      listDue: async (limit) =>
        [...new Set([...this.queued.values()].map(({ numberId }) => numberId))]
          .filter(
            (numberId) => this.#rows.numbers.get(numberId)?.state === 'OPEN' && this.#heads(numberId, []).length > 0,
          )
          .slice(0, limit),
      waiting: async () => {
        const due = [...this.queued.values()].map(({ dueMs }) => dueMs).filter((atMs) => atMs <= this.#clock.now())
        return { count: due.length, since: due.length > 0 ? new Date(Math.min(...due)) : null }
      },
      expire: async () => 0,
    }
  }

  #settle(fence: Fence, settlement: SendSettlement): SettleResult {
    const { status, message, numberId } = this.row(settlement.messageId)
    if (status !== 'QUEUED' || numberId !== fence.numberId) return 'moved'
    switch (settlement.kind) {
      case 'sent':
        this.known.add(settlement.externalMessageId)
        this.move(settlement.messageId, { status: 'SENT', externalMessageId: settlement.externalMessageId })
        break
      case 'failed':
        this.move(settlement.messageId, { status: 'FAILED', failureCode: settlement.failure.code })
        break
      case 'again':
        this.move(settlement.messageId, {
          notBeforeMs: this.#clock.now() + settlement.afterMs,
          message: { ...message, attemptedAt: null },
        })
    }
    return 'applied'
  }

  inbox(): MessageInbox {
    return {
      receive: (fence, message) =>
        this.#write<Exclude<InboxResult, 'unknown'>>('receive', fence, () => {
          if (this.received.some(({ externalMessageId }) => externalMessageId === message.externalMessageId))
            return 'stale'
          this.received.push(message)
          this.#tell(fence, [
            ...message.events,
            ...(message.replyEvent && this.known.has(message.quotedMessageId ?? '') ? [message.replyEvent] : []),
          ])
          return 'applied'
        }),
      tell: (fence, events) =>
        this.#write<'applied' | 'fenced'>('tell', fence, () => {
          this.#tell(fence, events)
          return 'applied'
        }),
      report: (fence, report) =>
        this.#write<InboxResult>(`report ${report.status}`, fence, () => {
          const row = report.messageId === null ? undefined : this.queued.get(report.messageId)
          if (!row && !this.known.has(report.externalMessageId)) return 'unknown'
          if (row?.status === 'QUEUED')
            this.move(row.message.id, { status: report.status, externalMessageId: report.externalMessageId })
          this.reports.push(report)
          return 'applied'
        }),
      name: (fence, peer) =>
        this.#write<'applied'>('name', fence, () => {
          this.names.push(peer)
          return 'applied'
        }),
      change: (fence, change) =>
        this.#write<ChangeResult>(`change ${change.kind}`, fence, () => {
          this.changes.push(change)
          return this.received.some(({ externalMessageId }) => externalMessageId === change.externalMessageId)
            ? 'applied'
            : 'waiting'
        }),
    }
  }
}
