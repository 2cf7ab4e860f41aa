/**
 * Votes in polls that the gateway sent ([engines.bridge.10]). A vote is sealed with the secret of its poll and the
 * addresses of both people, and names options by their hashes. Pure: what the store knows is passed in.
 */
import { createHash } from 'node:crypto'
import { decryptPollVote, jidNormalizedUser, normalizeMessageContent } from 'baileys'
import type { proto, WAMessage } from 'baileys'
import type { EngineEvent } from '../protocol/engine-event.ts'
import type { StoredPoll } from '../store/polls.ts'
import { chatOf, writerJids } from './address.ts'
import { roomOf, sidesOf, timeOf, type ReadingContext } from './message.ts'

/** Id of the poll that a message votes in; null for others. */
export function votedId(message: WAMessage): string | null {
  return updateIn(message)?.pollCreationMessageKey?.id || null
}

function updateIn({ message }: WAMessage): proto.Message.IPollUpdateMessage | null {
  return normalizeMessageContent(message ?? undefined)?.pollUpdateMessage ?? null
}

export interface VoteContext extends Omit<ReadingContext, 'isOurs'> {
  readonly poll: StoredPoll
  /** All addresses of the number's own account. */
  readonly own: readonly (string | null | undefined)[]
}

/** Reads a vote; null when nothing opens it, as when it is not in this poll. */
export function readVote(message: WAMessage, context: VoteContext): EngineEvent | null {
  const update = updateIn(message)
  const from = sidesOf(message, context)?.from
  if (!update?.vote || from === undefined) return null
  const vote = open(update.vote, message, context)
  if (vote === null) return null
  const chosen = new Set((vote.selectedOptions ?? []).map((hash) => Buffer.from(hash).toString('hex')))
  const { poll } = context
  const { group } = roomOf(chatOf(message.key), context)
  const { senderTimestampMs: at } = update
  return {
    ev: 'message.poll_vote',
    externalMessageId: poll.externalId,
    messageId: poll.messageId,
    from,
    fromName: message.pushName || null,
    ...(group ? { group } : {}),
    options: poll.options.filter((option) => chosen.has(createHash('sha256').update(option).digest('hex'))),
    timestamp: Number(at ?? 0) > 0 ? Number(at) : timeOf(message.messageTimestamp, context.now),
  }
}

/**
 * Opens a vote. Phones seal with the addresses of the chat, numbers or private ids, and do not say which; a wrong pair
 * opens nothing, so that all pairs are tried.
 */
function open(
  { encPayload, encIv }: proto.Message.IPollEncValue,
  { key }: WAMessage,
  { poll, own }: VoteContext,
): proto.Message.PollVoteMessage | null {
  if (!encPayload || !encIv) return null
  const creators = addressesOf(own)
  const voters = key.fromMe ? creators : addressesOf([...writerJids(key), key.participant, key.remoteJid])
  for (const pollCreatorJid of creators)
    for (const voterJid of voters) {
      const names = { pollCreatorJid, voterJid, pollMsgId: poll.externalId, pollEncKey: poll.secret }
      try {
        return decryptPollVote({ encPayload, encIv }, names)
      } catch {
        // Sealed with other addresses, or not for this poll.
      }
    }
  return null
}

/** The addresses without their devices, each once. */
function addressesOf(jids: readonly (string | null | undefined)[]): readonly string[] {
  return [...new Set(jids.flatMap((jid) => (jid ? [jidNormalizedUser(jid)] : [])))].filter((jid) => jid !== '')
}
