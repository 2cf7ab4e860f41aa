import type { ConversationId, MessageId, NumberId } from '../../src/domain/ids.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Destination, MessageStatus, OutgoingContent } from '../../src/domain/message.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Fence } from '../../src/ports/leases.ts'
import type { IncomingMessage, InboxResult, MessageInbox, StatusReport } from '../../src/ports/stores/message-inbox.ts'
import type { QueuedMessage, SendQueue, SendSettlement, SettleResult } from '../../src/ports/stores/send-queue.ts'
import type { MemoryRows } from './memory-stores.ts'

export interface QueuedRow {
  readonly message: QueuedMessage
  readonly numberId: NumberId
  readonly status: MessageStatus
  readonly dueMs: number
  readonly externalMessageId: string | null
  readonly failureCode: string | null
}

export const TEXT: OutgoingContent = { mode: 'text', text: 'hello', buttons: [], header: null, footer: null }

/** Messages in memory, with the same rules of order, compare-and-set and fences as the tables. */
export class MemoryMessages {
  readonly queued = new Map<MessageId, QueuedRow>()
  /** What came in, in the order it was stored. */
  readonly received: IncomingMessage[] = []
  readonly reports: StatusReport[] = []
  /** Upstream ids of messages of ours that a status may name. */
  readonly known = new Set<string>()
  /** Names of reads, in order. */
  readonly reads: string[] = []
  readonly #rows: MemoryRows
  readonly #clock: Clock

  constructor(rows: MemoryRows, clock: Clock) {
    this.#rows = rows
    this.#clock = clock
  }

  add(numberId: NumberId, address: string, patch: { outgoing?: OutgoingContent, inMs?: number, attemptedAt?: Date, attempts?: number, type?: Destination['type'] } = {}): MessageId {
    const id = newId('msg')
    const conversationId: ConversationId = `conv_${address}`
    const message: QueuedMessage = {
      id, conversationId, to: { type: patch.type ?? 'DIRECT', address }, outgoing: patch.outgoing ?? TEXT, quotedMessageId: null, deliverUntil: null,
      createdAt: new Date(this.#clock.now()), attempts: patch.attempts ?? 0, attemptedAt: patch.attemptedAt ?? null,
    }
    this.queued.set(id, { message, numberId, status: 'QUEUED', dueMs: this.#clock.now() + (patch.inMs ?? 0), externalMessageId: null, failureCode: null })
    return id
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
    const waiting = [...this.queued.values()].filter((row) => row.numberId === numberId && row.status === 'QUEUED')
    for (const row of waiting) if (!heads.has(row.message.conversationId)) heads.set(row.message.conversationId, row)
    return [...heads.values()].filter(({ message, dueMs }) => dueMs <= this.#clock.now() && !except.includes(message.conversationId))
  }

  async #write<T>(name: string, fence: Fence, run: () => T): Promise<T | 'fenced'> {
    let result: T | null = null
    const written = await this.#rows.write(name, fence, () => {
      result = run()
      return 'applied'
    })
    return written === 'fenced' ? 'fenced' : result as T
  }

  sendQueue(): SendQueue {
    return {
      heads: async (numberId, except, limit) => {
        this.reads.push('heads')
        return this.#heads(numberId, except).slice(0, limit).map(({ message }) => message)
      },
      begin: (fence, id) => this.#write<SettleResult>('begin', fence, () => {
        const { status, message } = this.row(id)
        if (status !== 'QUEUED') return 'moved'
        this.move(id, { message: { ...message, attempts: message.attempts + 1, attemptedAt: new Date(this.#clock.now()) } })
        return 'applied'
      }),
      settle: (fence, settlement) => this.#write<SettleResult>(`settle ${settlement.kind}`, fence, () => this.#settle(settlement)),
      nextDueAt: async (numberId) => {
        this.reads.push('due')
        const times = [...this.queued.values()]
          .filter((row) => row.numberId === numberId && row.status === 'QUEUED' && row.dueMs > this.#clock.now()).map(({ dueMs }) => dueMs)
        return times.length > 0 ? new Date(Math.min(...times)) : null
      },
      listDue: async () => [...new Set([...this.queued.values()].map(({ numberId }) => numberId))].filter((numberId) => this.#heads(numberId, []).length > 0),
      expire: async () => 0,
    }
  }

  #settle(settlement: SendSettlement): SettleResult {
    const { status, message } = this.row(settlement.messageId)
    if (status !== 'QUEUED') return 'moved'
    switch (settlement.kind) {
      case 'sent':
        this.known.add(settlement.externalMessageId)
        this.move(settlement.messageId, { status: 'SENT', externalMessageId: settlement.externalMessageId })
        break
      case 'failed':
        this.move(settlement.messageId, { status: 'FAILED', failureCode: settlement.failure.code })
        break
      case 'again':
        this.move(settlement.messageId, { dueMs: this.#clock.now() + settlement.afterMs, message: { ...message, attemptedAt: null } })
    }
    return 'applied'
  }

  inbox(): MessageInbox {
    return {
      receive: (fence, message) => this.#write<Exclude<InboxResult, 'unknown'>>('receive', fence, () => {
        if (this.received.some(({ externalMessageId }) => externalMessageId === message.externalMessageId)) return 'stale'
        this.received.push(message)
        this.#rows.events.push(...message.events, ...(message.replyEvent && this.known.has(message.quotedMessageId ?? '') ? [message.replyEvent] : []))
        return 'applied'
      }),
      tell: (fence, events) => this.#write<'applied' | 'fenced'>('tell', fence, () => {
        this.#rows.events.push(...events)
        return 'applied'
      }),
      report: (fence, report) => this.#write<InboxResult>(`report ${report.status}`, fence, () => {
        const row = report.messageId === null ? undefined : this.queued.get(report.messageId)
        if (!row && !this.known.has(report.externalMessageId)) return 'unknown'
        if (row?.status === 'QUEUED') this.move(row.message.id, { status: report.status, externalMessageId: report.externalMessageId })
        this.reports.push(report)
        return 'applied'
      }),
    }
  }
}
