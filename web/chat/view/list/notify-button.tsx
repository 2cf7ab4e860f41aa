import Bell from 'lucide/dist/esm/icons/bell.mjs'
import BellOff from 'lucide/dist/esm/icons/bell-off.mjs'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import { titleOf } from '../../model/conversations.ts'
import { plainOf } from '../../model/formatted-text.ts'
import { Notifier } from '../../state/notifier.ts'
import { useDrawn } from '../context.ts'
import { nameOfType } from '../thread/quote.tsx'

/** Turns sound and desktop notifications of new messages on and off. */
export function NotifyButton() {
  const { words } = useDrawn()
  const [notifier] = useState(() => new Notifier())
  const { isOn } = notifier
  useNews(notifier)
  return (
    <button
      type="button"
      class="plain"
      data-action="notify"
      aria-pressed={isOn.value}
      aria-label={words.list.notify}
      title={words.list.notify}
      onClick={() => void notifier.toggle()}
    >
      <Icon of={isOn.value ? Bell : BellOff} size={18} />
    </button>
  )
}

/** Tells of the last message that came in, unless it is on the screen. */
function useNews(notifier: Notifier): void {
  const { inbox, words } = useDrawn()
  const message = inbox.arrived.value
  useEffect(() => {
    if (message === null || inbox.onScreen.peek() === message.conversationId) return
    const { conversationId, content, type } = message
    const conversation = inbox.conversations.find(conversationId)
    const title = message.fromName ?? (conversation ? titleOf(conversation, words) : words.unknownPerson)
    const text = content === null ? nameOfType(words.types, type) : plainOf(content)
    notifier.tell(message, { title, text }, inbox.clock.now(), () => void inbox.openConversation(conversationId))
  }, [message])
}
