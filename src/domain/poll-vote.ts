import type { NewEvent } from './events.ts'
import type { MessageId, NumberId } from './ids.ts'
import { shownAddress } from './message-event.ts'

/** What somebody has chosen in a poll that the number sent; it replaces what the same person chose before. */
export interface PollVote {
  /** Upstream id of the poll. */
  readonly externalMessageId: string
  /** The service's id of the poll; null when the engine no longer knows it. */
  readonly messageId: MessageId | null
  /** Digits of the voter. */
  readonly from: string
  readonly fromName: string | null
  /** Texts of the options, in the order of the poll; none when the vote was taken back. */
  readonly options: readonly string[]
  readonly group: { readonly id: string; readonly name: string | null } | null
  readonly at: Date
}

/** Makes the event of a vote ([message-verbs.modes.6]). A vote is no message: nothing of it is stored or unread. */
export function voteEvent(numberId: NumberId, vote: PollVote): NewEvent {
  const { externalMessageId, messageId, from, fromName, options, group, at } = vote
  return {
    event: 'message.poll_vote',
    data: {
      messageId: externalMessageId,
      internalMessageId: messageId,
      channelNumberId: numberId,
      from: shownAddress(from),
      participantName: fromName,
      options,
      groupId: group?.id ?? null,
      groupName: group?.name ?? null,
      createdAt: at.toISOString(),
    },
  }
}
