/** Statuses of sent messages, from acknowledgements and receipts ([bridge.events.5]). */
import { isJidGroup, proto } from 'baileys'
import type { MessageUserReceiptUpdate, WAMessageUpdate } from 'baileys'
import type { BridgeError } from '../../../src/domain/device-bridge.ts'

export type ReportedStatus = 'SENT' | 'DELIVERED' | 'READ' | 'FAILED'

export interface MessageStatus {
  readonly externalMessageId: string
  readonly status: ReportedStatus
  readonly error?: BridgeError
  /** Ms since the epoch. */
  readonly timestamp: number
}

const { Status } = proto.WebMessageInfo
const STATUSES: ReadonlyMap<number, ReportedStatus> = new Map([
  [Status.ERROR, 'FAILED'],
  [Status.SERVER_ACK, 'SENT'],
  [Status.DELIVERY_ACK, 'DELIVERED'],
  [Status.READ, 'READ'],
  [Status.PLAYED, 'READ'],
])

/** Codes of the network that may pass: too many at once, and its own failures. All others are final. */
const RETRYABLE: ReadonlySet<string> = new Set(['429', '500', '503'])

/** Reads an update of a message; null when it tells no status of one of ours. */
export function readStatus({ key, update }: WAMessageUpdate, now: number): MessageStatus | null {
  const status = typeof update.status === 'number' ? STATUSES.get(update.status) : undefined
  if (!key.fromMe || !key.id || !status) return null
  return {
    externalMessageId: key.id,
    status,
    timestamp: now,
    ...(status === 'FAILED' ? { error: errorOf(update.messageStubParameters) } : {}),
  }
}

/**
 * Reads a receipt of one reader of a group. Our choice: the first who got or read the message counts for all. Null when
 * it is of no message of ours.
 */
export function readReceipt({ key, receipt }: MessageUserReceiptUpdate, now: number): MessageStatus | null {
  if (!key.fromMe || !key.id || !isJidGroup(key.remoteJid ?? '')) return null
  const readAt = receipt.playedTimestamp ?? receipt.readTimestamp
  const at = readAt ?? receipt.receiptTimestamp
  return { externalMessageId: key.id, status: readAt ? 'READ' : 'DELIVERED', timestamp: at ? Number(at) * 1_000 : now }
}

function errorOf(parameters: unknown): BridgeError {
  const code = Array.isArray(parameters) && typeof parameters[0] === 'string' ? parameters[0] : ''
  return {
    code: code === '429' ? 'RATE_LIMITED' : 'FAILED',
    message: code === '' ? 'The network refused the message' : `The network refused the message (${code})`,
    retryable: RETRYABLE.has(code),
  }
}
