import { plainOf } from '../../model/formatted-text.ts'
import type { Quoted } from '../../model/message.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import { useDrawn } from '../context.ts'
import { writerOf } from '../writer.ts'

/** The message that another one answers; a press scrolls to it. */
export function Quote({
  of: { id, direction, type, content },
  open,
}: {
  readonly of: Quoted
  readonly open: OpenThread
}) {
  const { inbox, words } = useDrawn()
  const conversation = inbox.conversations.find(open.conversationId)
  // The writer of a quoted message is known only when that message was read: in a group it may be anybody.
  const writer = open.thread.value?.messages.find((message) => message.id === id) ?? {
    direction,
    fromName: null,
    from: null,
  }
  return (
    <button type="button" class="quote" data-quote onClick={() => void open.goTo(id)}>
      <span class="unseen">{words.message.goToQuoted}: </span>
      <span class="quote-who" dir="auto">
        {writerOf(writer, conversation, words)}
      </span>
      <span class="quote-text" dir="auto">
        {content === null ? nameOfType(words.types, type) : plainOf(content)}
      </span>
    </button>
  )
}

/** The name of a message type, for a message without text. */
export function nameOfType(names: Readonly<Record<string, string>>, type: string): string {
  return Object.hasOwn(names, type) ? (names[type] ?? type) : type
}
