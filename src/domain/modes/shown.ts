import { NO_CONTENT } from '../message.ts'
import type { MessageContent, MessageType } from '../message.ts'
import type { ObjectMode } from '../outgoing.ts'

/**
 * What reads show of a message of one of these modes: its type, and its parts as they were sent. `interactive` is what
 * a person can choose from; its own type is upstream's name of such messages, or the mode's.
 */
export function shownMode(sent: ObjectMode): { readonly type: MessageType; readonly content: MessageContent } {
  switch (sent.mode) {
    case 'location':
      return { type: 'location', content: { ...NO_CONTENT, location: sent.location } }
    case 'contacts':
      return { type: 'contacts', content: { ...NO_CONTENT, contacts: sent.contacts } }
    case 'reaction': {
      const { messageId, emoji } = sent.reaction
      return { type: 'reaction', content: { ...NO_CONTENT, reaction: { messageId, emoji: emoji || null } } }
    }
    case 'list': {
      const { text, ...list } = sent.list
      return interactive(text, { type: 'list', ...list })
    }
    case 'poll':
      return interactive(sent.poll.question, { type: 'poll', ...sent.poll })
    case 'contactRequest':
      return interactive(sent.contactRequest.text, { type: 'request_contact_info' })
  }
}

function interactive(text: string, shown: Readonly<Record<string, unknown>>) {
  return { type: 'interactive', content: { ...NO_CONTENT, text, interactive: shown } } as const
}
