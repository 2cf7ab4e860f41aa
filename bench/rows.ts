/**
 * Compares the CPU cost of reading a row with the same conversion written by hand, in turns in one run:
 *   node bench/rows.ts
 * The row is a message as lists show it: 26 values, three of them times, one JSON.
 */
import { toDate, toDateOrNull } from '../src/storage/engine/rows.ts'
import { toMessage, type MessageRow } from '../src/storage/messages/row.ts'

const ROWS = 100_000
const ROUNDS = 9

function rowOf(place: number): MessageRow {
  const text = (what: string) => `${what} ${place}`
  return {
    id: `msg_${place}`,
    tenant_id: `ten_${place}`,
    number_id: `num_${place}`,
    provider: 'OFFICIAL',
    conversation_id: `conv_${place}`,
    direction: 'OUTBOUND',
    status: 'DELIVERED',
    type: 'text',
    content: JSON.stringify({
      text: text('hello'),
      media: null,
      location: null,
      contacts: null,
      reaction: null,
      interactive: null,
    }),
    from_address: text('491'),
    from_name: null,
    to_address: text('492'),
    external_id: text('wamid'),
    quoted_id: null,
    correlation_id: text('order'),
    template: null,
    created_at: '2026-01-01 10:00:00.123+00',
    sent_at: '2026-01-01 10:00:01.123+00',
    delivered_at: '2026-01-01 10:00:02.123+00',
    read_at: null,
    failed_at: null,
    edited_at: null,
    revoked_at: null,
    error_code: null,
    error_message: null,
  }
}

function byHand(row: MessageRow): { readonly createdAt: Date } {
  const message = {
    id: row.id,
    tenantId: row.tenant_id,
    numberId: row.number_id,
    provider: row.provider,
    conversationId: row.conversation_id,
    direction: row.direction,
    status: row.status,
    type: row.type,
    content: row.content === null ? null : (JSON.parse(String(row.content)) as unknown),
    from: row.from_address,
    fromName: row.from_name,
    to: row.to_address,
    externalMessageId: row.external_id,
    quotedMessageId: row.quoted_id,
    correlationId: row.correlation_id,
    template: row.template,
    isRedacted: row.content === null,
    createdAt: toDate(row.created_at),
    sentAt: toDateOrNull(row.sent_at),
    deliveredAt: toDateOrNull(row.delivered_at),
    readAt: toDateOrNull(row.read_at),
    failedAt: toDateOrNull(row.failed_at),
    editedAt: toDateOrNull(row.edited_at),
    revokedAt: toDateOrNull(row.revoked_at),
    errorCode: row.error_code,
    errorMessage: row.error_message,
  }
  return message
}

/** The CPU cost of a row, in ns. */
function cost(rows: readonly MessageRow[], read: (row: MessageRow) => { readonly createdAt: Date }): number {
  const before = process.cpuUsage()
  let last = 0
  for (const row of rows) last = read(row).createdAt.getTime()
  const { user, system } = process.cpuUsage(before)
  if (last === 0) throw new Error('nothing was read')
  return ((user + system) * 1_000) / rows.length
}

const rows = Array.from({ length: ROWS }, (_, place) => rowOf(place))
const costs = Array.from({ length: ROUNDS }, () => [cost(rows, byHand), cost(rows, toMessage)] as const)
const [hand, read] = [0, 1].map(
  (which) => costs.map((pair) => pair[which] ?? 0).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0,
)
console.log(
  `a message's row ${Math.round(read ?? 0)} ns of CPU, read by hand ${Math.round(hand ?? 0)} ns: ${((read ?? 0) / (hand ?? 1)).toFixed(2)} (medians of ${ROUNDS} turns of ${ROWS} rows)`,
)
