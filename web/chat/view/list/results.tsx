import type { Found } from '../../api/requests.ts'
import type { Search } from '../../state/search.ts'
import { useDrawn } from '../context.ts'
import { Notice } from '../notice.tsx'
import { roam } from '../roving.ts'
import { Row } from './row.tsx'

/** Search results: conversations by name and number, then messages by their text. */
export function Results({ search }: { readonly search: Search }) {
  const { words } = useDrawn()
  const state = search.state.value
  if (state.at === 'short') return <Notice heading={words.states.typeMore} />
  if (state.at === 'failed') return <Notice heading={words.states.failed} />
  if (state.at !== 'found')
    return (
      <p class="waiting" role="status">
        {words.loading}
      </p>
    )
  const { conversations, messages } = state.found
  if (conversations.length + messages.length === 0)
    return <Notice heading={words.states.noResult} text={words.states.noResultText} />
  return <FoundRows found={state.found} />
}

function FoundRows({ found: { conversations, messages } }: { readonly found: Found }) {
  const { inbox, words } = useDrawn()
  const openId = inbox.open.value?.conversationId ?? null
  return (
    <div class="rows found" onKeyDown={(event) => void roam(event, event.currentTarget, '[data-conversation]')}>
      {conversations.map((conversation, at) => (
        <Row
          key={conversation.id}
          conversation={conversation}
          isOpen={conversation.id === openId}
          isEntry={at === 0}
          onOpen={() => void inbox.openConversation(conversation.id)}
        />
      ))}
      {messages.length > 0 && <h2 class="found-heading">{words.list.inMessages}</h2>}
      {messages.map(({ message, conversation }, at) => (
        <Row
          key={message.id}
          conversation={conversation}
          isOpen={false}
          isEntry={conversations.length === 0 && at === 0}
          found={message}
          onOpen={() => void inbox.openConversation(conversation.id, message.id)}
        />
      ))}
    </div>
  )
}
