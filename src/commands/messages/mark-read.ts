import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { MessagePorts } from './ports.ts'

/** Names a whole conversation, or messages by their service ids or upstream's ids. */
export type MarkReadInput = { readonly numberId: NumberId } & (
  | { readonly conversationId: string }
  | { readonly messageIds: readonly string[] }
)

/**
 * Marks messages as read and tells upstream, if the number is connected now ([messages.routes.6]). Answers how many
 * were unread.
 */
export async function markRead(ports: MessagePorts, input: MarkReadInput): Promise<Outcome<number>> {
  const { messages } = ports
  const mark =
    'conversationId' in input
      ? await messages.markConversationRead(input.numberId, input.conversationId)
      : await messages.markRead(input.numberId, [...new Set(input.messageIds)])
  if (!mark) return fail(refuse('NOT_FOUND', 'No such conversation on this number'))
  if (mark.externalMessageIds.length > 0) tellUpstream(ports, input.numberId, mark.externalMessageIds)
  return succeed(mark.count)
}

/**
 * Tells upstream on a best effort, after the answer: the rows say that the messages are read, whatever upstream hears.
 */
function tellUpstream(
  { askReadMessages, log }: MessagePorts,
  numberId: NumberId,
  externalMessageIds: readonly string[],
): void {
  const note = (code: string) => log.info({ numberId, code }, 'messages were read, but upstream was not told')
  askReadMessages(numberId, externalMessageIds).then(
    (outcome) => (outcome.ok ? undefined : note(outcome.error.code)),
    () => note('FAILED'),
  )
}
