import { refuse } from './errors.ts'
import type { Refusal } from './errors.ts'
import type { Message, MessageStatus } from './message.ts'
import type { MessageChange } from './message-change.ts'

const MINUTE_MS = 60_000

/** What somebody wants to do to a message that the number sent, and until when ([message-verbs.verbs.1] and 2). */
const RULES: Readonly<
  Record<MessageChange['kind'], { readonly forMs: number; readonly done: string; readonly inWords: string }>
> = {
  EDIT: { forMs: 15 * MINUTE_MS, done: 'edited', inWords: '15 minutes' },
  REVOKE: { forMs: 48 * 60 * MINUTE_MS, done: 'taken back', inWords: '48 hours' },
}

/** The states of a message that readers may have. */
const OUT: ReadonlySet<MessageStatus> = new Set<MessageStatus>(['SENT', 'DELIVERED', 'READ'])

/** A message that can be changed: it has the id that upstream knows it by. */
export type SentMessage = Message & { readonly externalMessageId: string }

/** True for a message that went out. */
function isOut(message: Message): message is SentMessage {
  return OUT.has(message.status) && message.externalMessageId !== null
}

/**
 * The message, when the number may change it at `nowMs`, ms since the epoch; else why not: MESSAGE_INVALID_STATE
 * (somebody else wrote it, it is not out, or it was taken back), MESSAGE_TOO_OLD, MESSAGE_NOT_TEXT.
 */
export function changeable(
  message: Message,
  kind: MessageChange['kind'],
  nowMs: number,
): { readonly ok: true; readonly value: SentMessage } | { readonly ok: false; readonly error: Refusal } {
  const { forMs, done, inWords } = RULES[kind]
  const no = (error: Refusal) => ({ ok: false, error }) as const
  const { direction, status, revokedAt } = message
  if (direction === 'INBOUND')
    return no(
      refuse('MESSAGE_INVALID_STATE', `Only messages of the number can be ${done}: somebody else wrote this one`, {
        direction,
      }),
    )
  if (revokedAt !== null)
    return no(
      refuse('MESSAGE_INVALID_STATE', 'The message was taken back already', { revokedAt: revokedAt.toISOString() }),
    )
  if (!isOut(message))
    return no(refuse('MESSAGE_INVALID_STATE', `Only a message that was sent can be ${done}`, { status }))
  if (kind === 'EDIT' && message.type !== 'text')
    return no(
      refuse('MESSAGE_NOT_TEXT', 'Only a plain text can be edited: take the message back instead', {
        type: message.type,
      }),
    )
  const until = (message.sentAt ?? message.createdAt).getTime() + forMs
  if (nowMs <= until) return { ok: true, value: message }
  return no(
    refuse('MESSAGE_TOO_OLD', `A message can be ${done} for ${inWords} after it was sent`, {
      until: new Date(until).toISOString(),
    }),
  )
}
