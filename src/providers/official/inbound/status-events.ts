import { isMessageId } from '../../../domain/ids.ts'
import type { MessageId } from '../../../domain/ids.ts'
import type { ReportedStatus } from '../../../domain/message.ts'
import type { OfficialMessageEvent } from '../../../ports/official/changes.ts'
import { happenedAt } from '../../message-time.ts'
import { nameIn, numberIn, objectsIn, textIn } from '../values/loose.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import { reportedFailure } from '../errors/message-errors.ts'

/** Upstream's word -> ours. A voice note that was played was read. */
const STATUSES: ReadonlyMap<string | undefined, ReportedStatus> = new Map([
  ['sent', 'SENT'],
  ['delivered', 'DELIVERED'],
  ['read', 'READ'],
  ['played', 'READ'],
  ['failed', 'FAILED'],
])

/**
 * Reads one of `statuses`; those of another kind (calls, payments, which use the same words), and words not known here,
 * say nothing.
 */
export function readStatus(fields: Fields): OfficialMessageEvent[] {
  const externalMessageId = nameIn(fields, 'id')
  const status = STATUSES.get(textIn(fields, 'status')?.toLowerCase())
  const kind = textIn(fields, 'type') ?? 'message'
  if (externalMessageId === null || status === undefined || kind !== 'message') return []
  return [
    {
      type: 'messageStatus',
      externalMessageId,
      status,
      messageId: ourIdIn(fields),
      failure: status === 'FAILED' ? reportedFailure(objectsIn(fields, 'errors')[0] ?? null) : null,
      at: happenedAt(numberIn(fields, 'timestamp')),
    },
  ]
}

/** Other programs of the business may send through the same phone, with data of their own. */
function ourIdIn(fields: Fields): MessageId | null {
  const data = textIn(fields, 'biz_opaque_callback_data') ?? ''
  return isMessageId(data) ? data : null
}
