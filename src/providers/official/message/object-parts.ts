import { upstreamContacts } from '../../../domain/modes/contacts.ts'
import type { ListMode } from '../../../domain/modes/list.ts'
import type { ObjectMode } from '../../../domain/outgoing.ts'

/** A part of the body of `POST /messages`: its type and the object named after the type. */
export type Part = Readonly<Record<string, unknown>>

/** What surrounds the buttons, or the list, of an interactive message. */
export function framed({
  text,
  header,
  footer,
}: {
  readonly text: string
  readonly header?: string | null
  readonly footer?: string | null
}): Part {
  return {
    ...(header ? { header: { type: 'text', text: header } } : {}),
    body: { text },
    ...(footer ? { footer: { text: footer } } : {}),
  }
}

/** Makes the part of a mode that is one object. */
export function objectPart(content: Exclude<ObjectMode, { mode: 'poll' }>): Part {
  switch (content.mode) {
    case 'location':
      return { type: 'location', location: content.location }
    case 'contacts':
      return { type: 'contacts', contacts: upstreamContacts(content) }
    case 'reaction': {
      const { messageId, emoji } = content.reaction
      return { type: 'reaction', reaction: { message_id: messageId, emoji } }
    }
    case 'list':
      return { type: 'interactive', interactive: listOf(content) }
    case 'contactRequest':
      return {
        type: 'interactive',
        interactive: {
          type: 'request_contact_info',
          body: { text: content.contactRequest.text },
          action: { name: 'request_contact_info' },
        },
      }
  }
}

function listOf({ list: { button, sections, ...around } }: ListMode): Part {
  return { type: 'list', ...framed(around), action: { button, sections } }
}
