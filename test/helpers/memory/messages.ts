import type { NewEvent } from '../../../src/domain/events.ts'
import type { ConversationId, MessageBatchId, MessageId, NumberId } from '../../../src/domain/ids.ts'
import { newId } from '../../../src/domain/ids.ts'
import type { Destination, MessageFailure } from '../../../src/domain/message.ts'
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
import {
  NO_BATCHES,
  type QueuedBatch,
  type QueuedHead,
  type SendQueue,
  type SendSettlement,
  type SettleResult,
} from '../../../src/ports/stores/send-queue.ts'
import {
  endEvent,
  isPastUntil,
  lateness,
  left,
  letGo,
  putOff,
  queuedRow,
  readyAt,
  REMOVED,
  waitingIn,
  type QueuedRow,
} from './queued-rows.ts'
import { batchHeads } from './queued-batches.ts'
import { reportedRow } from './reported.ts'
import type { MemoryRows } from './rows.ts'

export const TEXT: OutgoingContent = { mode: 'text', text: 'hello', buttons: [], header: null, footer: null }

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
  /** When a message of a batch was last begun. */
  readonly #begunAt = new Map<string, number>()
  readonly #rows: MemoryRows
  readonly #clock: Clock

  constructor(rows: MemoryRows, clock: Clock) {
    this.#rows = rows
    this.#clock = clock
    rows.leaving.push((numberId) => this.#abandon(numberId))
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
      batch?: QueuedBatch
    } = {},
  ): MessageId {
    const id = newId('msg')
    const head: QueuedHead = {
      id,
      conversationId: `conv_${address}`,
      to: { type: patch.type ?? 'DIRECT', address },
      outgoing: patch.outgoing ?? TEXT,
      quotedMessageId: null,
      deliverUntil: null,
      createdAt: new Date(this.#clock.now()),
      attempts: patch.attempts ?? 0,
      attemptedAt: patch.attemptedAt ?? null,
      batch: patch.batch ?? null,
    }
    this.queued.set(id, queuedRow(numberId, this.#clock.now() + (patch.inMs ?? 0), head))
    return id
  }

  /** Adds a message as the REST layer accepts it, alone or with a batch. */
  accept(accepted: NewMessage, batch: QueuedBatch | null = null): void {
    const { id, numberId, to, outgoing, quotedMessageId, deliverAt, deliverUntil } = accepted
    const createdAt = deliverAt || batch ? accepted.createdAt : this.#inTurn(accepted)
    const head: QueuedHead = {
      id,
      conversationId: `conv_${to.address}`,
      to,
      outgoing,
      quotedMessageId,
      deliverUntil,
      createdAt,
      attempts: 0,
      attemptedAt: null,
      batch,
    }
    this.queued.set(id, queuedRow(numberId, (deliverAt ?? createdAt).getTime(), head, accepted))
    this.#rows.use(numberId, `messages.outbound.${accepted.type}`)
  }

  /** When a send without a schedule has its turn: behind what waits in its conversation, whatever the clocks say. */
  #inTurn({ numberId, to, createdAt }: NewMessage): Date {
    const before = this.#waiting(numberId).filter(
      ({ message, dueMs }) =>
        message.conversationId === `conv_${to.address}`
        && message.batch === null
        && dueMs === message.createdAt.getTime(),
    )
    return new Date(Math.max(createdAt.getTime(), ...before.map(({ dueMs }) => dueMs)))
  }

  /** What reads show of how a message ended, found by service id, correlation id or upstream id. */
  find(numberId: NumberId, anyId: string) {
    const row = [...this.queued.values()].find(
      ({ message, correlationId, externalMessageId, ...one }) =>
        one.numberId === numberId && [message.id, correlationId, externalMessageId].includes(anyId),
    )
    if (!row) return this.received.find(({ externalMessageId }) => externalMessageId === anyId) ?? null
    const { message, failure, ...shown } = row
    return { ...shown, id: message.id, errorCode: failure?.code ?? null, errorMessage: failure?.message ?? null }
  }

  /** Cancels messages that wait for their `deliverAt` and were never tried. */
  cancel(numberId: NumberId, ids: readonly string[]): void {
    for (const row of this.#waiting(numberId))
      if (ids.includes(row.message.id) && row.dueMs > this.#clock.now() && row.message.attempts === 0)
        this.queued.set(row.message.id, left(row, { status: 'CANCELED' }))
  }

  /** Cancels what upstream cannot have taken of a batch. Gives how many; null when the number has no such batch. */
  cancelBatch(numberId: NumberId, batchId: MessageBatchId): number | null {
    const isOfBatch = (row: QueuedRow) => row.numberId === numberId && row.message.batch?.id === batchId
    if (![...this.queued.values()].some(isOfBatch)) return null
    const waiting = this.#waiting(numberId).filter((row) => isOfBatch(row) && row.message.attemptedAt === null)
    for (const row of waiting) this.queued.set(row.message.id, left(row, { status: 'CANCELED' }))
    return waiting.length
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
      if (row.message.batch === null && !heads.has(row.message.conversationId))
        heads.set(row.message.conversationId, row)
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

  #tell({ numberId }: Pick<Fence, 'numberId'>, events: readonly NewEvent[]): void {
    this.#rows.tell(numberId, events, this.#clock.now())
  }

  sendQueue(): SendQueue {
    return {
      heads: async (numberId, except, limit, batches = NO_BATCHES) => {
        this.reads.push('heads')
        const alone = this.#heads(numberId, except).slice(0, limit)
        const batched = batchHeads(this.#waiting(numberId), batches, this.#begunAt, this.#clock.now())
        return [...alone.map(({ message }) => message), ...batched]
      },
      begin: (fence, id) => this.#write<SettleResult>('begin', fence, () => this.#begin(fence, id)),
      settle: (fence, settlement) =>
        this.#write<SettleResult>(`settle ${settlement.kind}`, fence, () => this.#settle(fence, settlement)),
      nextDueAt: async (numberId, agoMs = 0) => {
        this.reads.push('due')
        const times = this.#waiting(numberId)
          .map(readyAt)
          .filter((atMs) => atMs > this.#clock.now() - agoMs)
        return times.length > 0 ? new Date(Math.min(...times)) : null
      },
      letGo: async (tenantId, accountId) =>
        letGo(this.queued, (id) => {
          const number = this.#rows.numbers.get(id)
          return number?.tenantId === tenantId && number.official?.accountId === accountId
        }),
      listDue: async (limit) =>
        [...new Set([...this.queued.values()].map(({ numberId }) => numberId))]
          .filter(
            (numberId) =>
              this.#rows.numbers.get(numberId)?.state === 'OPEN'
              && this.#waiting(numberId).some(({ dueMs }) => dueMs <= this.#clock.now()),
          )
          .slice(0, limit),
      waiting: async () => waitingIn(this.queued, this.#clock.now()),
      expire: async (limit, doubtMs) => this.#expire(limit, doubtMs),
    }
  }

  /** The row while the fence's number still waits to send it. */
  #open(fence: Fence, id: MessageId): QueuedRow | null {
    const row = this.queued.get(id)
    return row?.status === 'QUEUED' && row.numberId === fence.numberId ? row : null
  }

  #begin(fence: Fence, id: MessageId): SettleResult {
    const row = this.#open(fence, id)
    if (!row) return 'moved'
    const nowMs = this.#clock.now()
    if (isPastUntil(row, nowMs)) {
      const failure = lateness(row, nowMs)
      if (failure && row.message.attemptedAt === null) this.#fail(row, failure)
      return 'moved'
    }
    if (row.message.batch) this.#begunAt.set(row.message.batch.id, nowMs)
    this.move(id, { message: { ...row.message, attempts: row.message.attempts + 1, attemptedAt: new Date(nowMs) } })
    return 'applied'
  }

  #settle(fence: Fence, settlement: SendSettlement): SettleResult {
    const row = this.#open(fence, settlement.messageId)
    if (!row) {
      if (settlement.kind === 'sent') this.#name(fence, settlement)
      return 'moved'
    }
    switch (settlement.kind) {
      case 'sent':
        this.known.add(settlement.externalMessageId)
        this.#end(
          left(row, {
            status: 'SENT',
            sentAt: new Date(this.#clock.now()),
            externalMessageId: row.externalMessageId ?? this.#freeId(row, settlement.externalMessageId),
          }),
        )
        break
      case 'failed':
        this.#fail(row, settlement.failure)
        break
      case 'again':
      case 'held':
        this.queued.set(row.message.id, putOff(row, settlement.kind, this.#clock.now() + settlement.afterMs))
    }
    return 'applied'
  }

  /** Gives a message that moved meanwhile the upstream id that it was sent under. */
  #name(fence: Fence, { messageId, externalMessageId }: SendSettlement & { readonly kind: 'sent' }): void {
    const row = this.queued.get(messageId)
    if (row?.numberId !== fence.numberId || row.externalMessageId !== null) return
    this.known.add(externalMessageId)
    this.move(messageId, { externalMessageId: this.#freeId(row, externalMessageId) })
  }

  /** The upstream id; null when another message of the number has it, such as an echo that came first. */
  #freeId({ message, numberId }: QueuedRow, externalMessageId: string): string | null {
    const isTaken =
      this.received.some((received) => received.externalMessageId === externalMessageId)
      || [...this.queued.values()].some(
        (row) =>
          row.numberId === numberId && row.message.id !== message.id && row.externalMessageId === externalMessageId,
      )
    return isTaken ? null : externalMessageId
  }

  #fail(row: QueuedRow, failure: MessageFailure): void {
    this.#end(left(row, { status: 'FAILED', failedAt: new Date(this.#clock.now()), failure }))
  }

  /** Stores what became of a message, and tells it. */
  #end(row: QueuedRow, events: readonly NewEvent[] = [endEvent(row, this.#clock.now())]): void {
    this.queued.set(row.message.id, row)
    this.#tell(row, events)
  }

  /** The message of the number that a status is about. */
  #named({ numberId }: Fence, { messageId, externalMessageId }: StatusReport): QueuedRow | undefined {
    return [...this.queued.values()].find(
      (row) =>
        row.numberId === numberId && (row.message.id === messageId || row.externalMessageId === externalMessageId),
    )
  }

  #expire(limit: number, doubtMs: number): number {
    const nowMs = this.#clock.now()
    const late = [...this.queued.values()]
      .filter(
        ({ status, message: { attemptedAt } }) =>
          status === 'QUEUED' && (attemptedAt === null || attemptedAt.getTime() <= nowMs - doubtMs),
      )
      .flatMap((row) => {
        const failure = lateness(row, nowMs)
        return failure ? [{ row, failure }] : []
      })
      .slice(0, limit)
    for (const { row, failure } of late) this.#fail(row, failure)
    return late.length
  }

  /** Tells that what still waits will not be sent, because the number is removed with its messages. */
  #abandon(numberId: NumberId): void {
    for (const row of this.#waiting(numberId)) this.#fail(row, REMOVED)
    for (const [id, row] of this.queued) if (row.numberId === numberId) this.queued.delete(id)
  }

  inbox(): MessageInbox {
    return {
      receive: (fence, message) =>
        this.#write<Exclude<InboxResult, 'unknown'>>('receive', fence, () => {
          if (this.received.some(({ externalMessageId }) => externalMessageId === message.externalMessageId))
            return 'stale'
          this.received.push(message)
          this.#rows.use(fence.numberId, `messages.inbound.${message.type}`)
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
          const row = this.#named(fence, report)
          if (!row && !this.known.has(report.externalMessageId)) return 'unknown'
          const moved = row && reportedRow(row, report)
          if (row && !moved) return 'stale'
          if (moved) this.#end(moved.row, moved.events)
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
