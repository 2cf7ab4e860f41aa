import { useEffect, useRef } from 'preact/hooks'
import { VirtualList } from '../../../ui/virtual-list.tsx'
import type { VListHandle } from '../../../ui/virtual-list.tsx'
import type { ConversationList } from '../../model/conversations.ts'
import type { Search } from '../../state/search.ts'
import { useDrawn } from '../context.ts'
import { Notice } from '../notice.tsx'
import { roam } from '../roving.ts'
import { Filters } from './filters.tsx'
import { NotifyButton } from './notify-button.tsx'
import { Results } from './results.tsx'
import { Row } from './row.tsx'
import { SearchField } from './search-field.tsx'
import { StartButton } from './start-button.tsx'

/** Our choice, in conversations: the next page is read when this many are left below the visible ones. */
const READ_AHEAD = 10

/** The pane of conversations: search, filters and the list. */
export function ConversationSide({ title, search }: { readonly title: string; readonly search: Search }) {
  const { words, features } = useDrawn()
  return (
    <nav class="side" aria-label={words.conversations}>
      <div class="side-head">
        <h1 class="side-title" dir="auto">
          {title}
        </h1>
        {features.startConversation && <StartButton />}
        {features.notifications && <NotifyButton />}
      </div>
      {features.search && <SearchField search={search} />}
      {search.state.value.at === 'none' ? (
        <>
          <Filters />
          <Listed />
        </>
      ) : (
        <Results search={search} />
      )}
    </nav>
  )
}

function Listed() {
  const {
    inbox: { conversations, over },
    words,
  } = useDrawn()
  const list = conversations.list.value
  if (list === null) {
    if (over.value !== null) return <Notice heading={words.states.expired} />
    return conversations.hasFailed.value ? (
      <Notice heading={words.states.failed} action={words.tryAgain} onAction={() => void conversations.reload()} />
    ) : (
      <Waiting />
    )
  }
  if (list.items.length === 0) {
    const { show } = conversations.filter.value
    return show !== 'all' ? (
      <Notice heading={words.states.none[show]} />
    ) : (
      <Notice heading={words.states.empty} text={words.states.emptyText} />
    )
  }
  return <Rows list={list} />
}

/** Placeholder rows while the list is being read. */
function Waiting() {
  const { words } = useDrawn()
  return (
    <div class="rows">
      <p class="unseen" role="status">
        {words.loading}
      </p>
      {Array.from({ length: 7 }, (_, at) => (
        <div key={at} class="row skeleton" aria-hidden="true">
          <span class="avatar" />
          <span class="row-head" />
          <span class="row-preview" />
        </div>
      ))}
    </div>
  )
}

function Rows({ list }: { readonly list: ConversationList }) {
  const { inbox } = useDrawn()
  const handle = useRef<VListHandle>(null)
  const openId = inbox.open.value?.conversationId ?? null
  const entryId = list.items.some(({ id }) => id === openId) ? openId : list.items[0]?.id

  function scrolled(): void {
    const { current } = handle
    if (!current) return
    const last = current.findItemIndex(current.scrollOffset + current.viewportSize)
    if (last >= list.items.length - READ_AHEAD) void inbox.conversations.readOn()
  }

  // A list that is shorter than its pane cannot be scrolled, so it must read on without a scroll event.
  useEffect(scrolled, [list])
  return (
    <div class="rows" onKeyDown={(event) => void roam(event, event.currentTarget, '[data-conversation]')}>
      <VirtualList ref={handle} data={list.items} onScroll={scrolled} bufferSize={400}>
        {(conversation) => (
          <Row
            key={conversation.id}
            conversation={conversation}
            isOpen={conversation.id === openId}
            isEntry={conversation.id === entryId}
            onOpen={() => void inbox.openConversation(conversation.id)}
            hasMenu
          />
        )}
      </VirtualList>
    </div>
  )
}
