/** Votes of a phone in a poll that it received, sealed as phones do. */
import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { proto } from 'baileys'
import type { Account } from './directory.ts'
import type { ReceivedMessage } from './phone-messages.ts'

/** Who wrote the poll and who votes, by the kind of address that the chat has. */
export type Between = { creator: Account; voter: Account; hidden: boolean }

function sealed(secret: Uint8Array, pollId: string, creator: string, voter: string, vote: Uint8Array) {
  const sign = Buffer.concat([pollId, creator, voter, 'Poll Vote', '\u0001'].map((part) => Buffer.from(part)))
  const first = createHmac('sha256', Buffer.alloc(32)).update(secret).digest()
  const key = createHmac('sha256', first).update(sign).digest()
  const encIv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, encIv).setAAD(Buffer.from(`${pollId}\u0000${voter}`))
  return { encPayload: Buffer.concat([cipher.update(vote), cipher.final(), cipher.getAuthTag()]), encIv }
}

/** Makes the message of a vote; `options` are the texts chosen, none when it is taken back. */
export function voteMessage(
  poll: ReceivedMessage,
  options: readonly string[],
  { creator, voter, hidden }: Between,
): proto.IMessage {
  const secret = poll.message.messageContextInfo?.messageSecret
  if (!secret) throw new Error('the message is no poll with a secret')
  const selectedOptions = options.map((option) => createHash('sha256').update(option).digest())
  const vote = proto.Message.PollVoteMessage.encode({ selectedOptions }).finish()
  const names = [creator, voter].map(({ pn, lid }) => (hidden ? lid : pn)) as [string, string]
  return {
    pollUpdateMessage: {
      pollCreationMessageKey: { remoteJid: names[0], fromMe: false, id: poll.id },
      vote: sealed(secret, poll.id, ...names, vote),
      senderTimestampMs: Date.now(),
    },
  }
}
