import type { NewEvent } from '../../../src/domain/events.ts'
import { STATUS_EVENTS } from '../../../src/domain/message-event.ts'
import { messageSourcesOf, type ReportedStatus } from '../../../src/domain/message.ts'
import type { StatusReport } from '../../../src/ports/stores/message-inbox.ts'
import { endEvent, left, type QueuedRow } from './queued-rows.ts'

/** The row as a status moves it, with the events that tell of it; null for a status that would move it backwards. */
export function reportedRow(
  row: QueuedRow,
  { status, externalMessageId, failure, at }: StatusReport,
): { readonly row: QueuedRow; readonly events: readonly NewEvent[] } | null {
  if (!messageSourcesOf(status).includes(row.status)) return null
  const moved = left(row, { status, failure, externalMessageId: row.externalMessageId ?? externalMessageId })
  // Upstream may leave out the delivery of a message that was read.
  const steps: ReportedStatus[] = status === 'READ' && row.status !== 'DELIVERED' ? ['DELIVERED', 'READ'] : [status]
  const { data } = endEvent(moved, at.getTime())
  return { row: moved, events: steps.map((step) => ({ event: STATUS_EVENTS[step], data })) }
}
