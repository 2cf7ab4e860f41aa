import type { Rewriting } from '../../rewriting.ts'
import type { OfficialReceived, OfficialSent } from './message-record.ts'

/** What stands in a webhook of an edit or a revocation beside who wrote it and when. */
export function changedMessage(
  { externalMessageId, type, content }: OfficialReceived | OfficialSent,
  rewriting: Rewriting,
): object {
  const named = { original_message_id: externalMessageId }
  if (rewriting.kind === 'revoke') return { type: 'revoke', revoke: named }
  const { text } = rewriting
  const rewritten =
    type === 'text' ? { body: text } : { ...(typeof content === 'object' ? content : {}), caption: text }
  return { type: 'edit', edit: { ...named, message: { type, [type]: rewritten } } }
}
