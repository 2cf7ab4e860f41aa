import type { NewEvent } from '../../../src/domain/events.ts'
import type { MessageId, NumberId } from '../../../src/domain/ids.ts'
import { MESSAGE_MAX_AGE_MS } from '../../../src/domain/limits.ts'
import { shownAddress } from '../../../src/domain/message-event.ts'
import {
  NO_CONTENT,
  type MessageContent,
  type MessageErrorCode,
  type MessageFailure,
  type MessageStatus,
} from '../../../src/domain/message.ts'
import type { QueuedHead } from '../../../src/ports/stores/send-queue.ts'

export interface QueuedRow {
  /** `outgoing` is null once nothing is to be sent any more. */
  readonly message: QueuedHead
  readonly numberId: NumberId
  readonly correlationId: string
  readonly content: MessageContent
  readonly status: MessageStatus
  /** The time that gives its place in the queue. */
  readonly dueMs: number
  /** It keeps its place but is not tried before this time. */
  readonly notBeforeMs: number
  /** The first `dueMs` of a message that a limit held; null when none did. */
  readonly heldSinceMs: number | null
  readonly externalMessageId: string | null
  readonly sentAt: Date | null
  readonly failedAt: Date | null
  readonly failure: MessageFailure | null
}

/** A message as it is accepted. */
export function queuedRow(
  numberId: NumberId,
  dueMs: number,
  message: QueuedHead,
  { content, correlationId }: Pick<QueuedRow, 'content' | 'correlationId'> = {
    content: NO_CONTENT,
    correlationId: message.id,
  },
): QueuedRow {
  return {
    message,
    numberId,
    correlationId,
    content,
    status: 'QUEUED',
    dueMs,
    notBeforeMs: 0,
    heldSinceMs: null,
    externalMessageId: null,
    sentAt: null,
    failedAt: null,
    failure: null,
  }
}

/** When the message may be tried, once it is at the head of its conversation. */
export function readyAt({ dueMs, notBeforeMs }: QueuedRow): number {
  return Math.max(dueMs, notBeforeMs)
}

/** The row put off until `atMs`: in its place, or held by a limit with another time. */
export function putOff(row: QueuedRow, how: 'again' | 'held', atMs: number): QueuedRow {
  const message = { ...row.message, attemptedAt: null }
  if (how === 'again') return { ...row, message, notBeforeMs: atMs }
  return { ...row, message, dueMs: atMs, notBeforeMs: 0, heldSinceMs: row.heldSinceMs ?? row.dueMs }
}

/** Lets held messages of these numbers go at their first time. Gives the numbers that had some. */
export function letGo(queued: Map<MessageId, QueuedRow>, isMeant: (numberId: NumberId) => boolean): NumberId[] {
  const held = [...queued.values()].filter(
    ({ numberId, status, heldSinceMs, dueMs }) =>
      status === 'QUEUED' && heldSinceMs !== null && heldSinceMs < dueMs && isMeant(numberId),
  )
  for (const row of held) queued.set(row.message.id, { ...row, dueMs: row.heldSinceMs ?? 0 })
  return [...new Set(held.map(({ numberId }) => numberId))]
}

/** How many messages without a batch wait that are due, and since when. */
export function waitingIn(queued: ReadonlyMap<MessageId, QueuedRow>, nowMs: number) {
  const due = [...queued.values()]
    .filter(({ status, dueMs, message }) => status === 'QUEUED' && !message.batch && dueMs <= nowMs)
    .map(({ dueMs }) => dueMs)
  return { count: due.length, since: due.length > 0 ? new Date(Math.min(...due)) : null }
}

/** The row as it leaves the queue: what was to be sent is forgotten. */
export function left(row: QueuedRow, patch: Partial<QueuedRow> & Pick<QueuedRow, 'status'>): QueuedRow {
  return { ...row, message: { ...row.message, outgoing: null }, ...patch }
}

/** The event of a message that was sent, or that failed. */
export function endEvent({ message, externalMessageId, correlationId, failure }: QueuedRow, nowMs: number): NewEvent {
  const told = {
    messageId: externalMessageId,
    internalMessageId: message.id,
    correlationId,
    destination: shownAddress(message.to.address),
    createdAt: new Date(nowMs).toISOString(),
  }
  if (!failure) return { event: 'message.sent', data: told }
  const { code, message: errorMessage, details, upstreamCode } = failure
  return { event: 'message.failed', data: { ...told, code, errorMessage, error_data: { details }, upstreamCode } }
}

function failureOf(code: MessageErrorCode, message: string): MessageFailure {
  return { code, message, details: null, upstreamCode: null }
}

/** Why a message fails that still waits as its number is removed. */
export const REMOVED = failureOf('NUMBER_NOT_FOUND_REMOVED', 'The number was removed before the message was sent')

export function isPastUntil({ message: { deliverUntil } }: QueuedRow, nowMs: number): boolean {
  return deliverUntil !== null && deliverUntil.getTime() <= nowMs
}

/** Why a message that waits has waited too long; null while it has not. */
export function lateness(row: QueuedRow, nowMs: number): MessageFailure | null {
  if (isPastUntil(row, nowMs))
    return failureOf('EXPIRED_AFTER_ATTEMPTS', 'The message could not be sent before its deliverUntil')
  if ((row.heldSinceMs ?? row.dueMs) > nowMs - MESSAGE_MAX_AGE_MS) return null
  return row.message.attempts === 0
    ? failureOf('NEVER_ATTEMPTED_MAX_AGE_EXCEEDED', 'The message waited for 7 days and was never tried')
    : failureOf('DELIVERY_TIMEOUT', 'The message could not be delivered within 7 days')
}
