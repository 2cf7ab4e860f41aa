import type { ChatWords } from '../../words/chat-words.ts'
import { numberOf } from '../../ui/phone-number.ts'
import { titleOf } from '../model/conversations.ts'
import type { Conversation, Message } from '../model/message.ts'

/** Who wrote a message; in a group it is the member, not the group. */
export function writerOf(
  { direction, fromName, from }: Pick<Message, 'direction' | 'fromName' | 'from'>,
  conversation: Conversation | null,
  words: ChatWords,
): string {
  if (direction === 'OUTBOUND') return words.message.you
  if (fromName) return fromName
  return conversation?.type === 'DIRECT' ? titleOf(conversation, words) : (numberOf(from) ?? words.unknownPerson)
}
