import type { ChannelNumber, Message, MessageStatus } from './message.ts'

/** [message-verbs.verbs.1] [message-verbs.verbs.2]: how long a sent message can be changed, in ms. */
const EDITED_FOR_MS = 15 * 60_000
const REVOKED_FOR_MS = 48 * 3_600_000

const OUT: ReadonlySet<MessageStatus> = new Set<MessageStatus>(['SENT', 'DELIVERED', 'READ'])

/** What can be done to a message that the number sent, at a time of the service in ms; nothing to others. */
export function changesOf(
  { direction, status, type, content, externalMessageId, revokedAt, createdAt, sentAt }: Message,
  { can = { edits: false, revocations: false } }: Pick<ChannelNumber, 'can'>,
  nowMs: number,
): { readonly edit: boolean; readonly revoke: boolean } {
  const isOurs = direction === 'OUTBOUND' && OUT.has(status) && externalMessageId !== null && revokedAt === null
  const ageMs = nowMs - Date.parse(sentAt ?? createdAt)
  const isText = type === 'text' && content !== null
  return {
    edit: isOurs && can.edits && isText && ageMs < EDITED_FOR_MS,
    revoke: isOurs && can.revocations && ageMs < REVOKED_FOR_MS,
  }
}
