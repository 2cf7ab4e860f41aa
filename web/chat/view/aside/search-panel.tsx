import { useState } from 'preact/hooks'
import { typed } from '../../../ui/typed.ts'
import type { Found } from '../../api/requests.ts'
import { excerptOf } from '../../model/excerpt.ts'
import { plainOf } from '../../model/formatted-text.ts'
import type { Conversation, Message } from '../../model/message.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import { MOST, Search } from '../../state/search.ts'
import { useDrawn } from '../context.ts'
import { useMoreWords, useSaid } from '../more-words.ts'
import { enterList, roam } from '../roving.ts'
import { useNow } from '../use-now.ts'
import { writerOf } from '../writer.ts'
import { Aside } from './aside.tsx'

/** [embeds.inbox-routes.10]: messages that a search finds at most. */
const MOST_FOUND = 20

interface SearchPanelProps {
  readonly open: OpenThread
  readonly conversation: Conversation
  readonly onClose: () => void
}

/** Finds messages of a conversation by their text, and leads to one of them, or to a date. */
export default function SearchPanel(props: SearchPanelProps) {
  return useMoreWords() && <Shown {...props} />
}

function Shown({ open, conversation, onClose }: SearchPanelProps) {
  const { inbox, words } = useDrawn()
  const said = useSaid()
  const [search] = useState(() => new Search(inbox.requests, conversation.id))
  /** Shows the thread; where the pane covers it, the pane makes room. */
  const shown = (going: Promise<void>): void => {
    void going
    if (matchMedia('(max-width: 1079px)').matches) onClose()
  }
  return (
    <Aside name="search" heading={words.find.open} onClose={onClose}>
      <div class="find">
        <label>
          {said.find.label}
          <input
            type="text"
            role="searchbox"
            data-search-thread
            placeholder={said.find.hint}
            value={search.text.value}
            autocomplete="off"
            onInput={(event) => search.type(typed(event.currentTarget, MOST), null)}
            onKeyDown={(event) => enterList(event, '[data-found]')}
          />
        </label>
        <DateField onChoose={(at) => shown(open.goToTime(at))} />
        <Results search={search} conversation={conversation} onChoose={(id) => shown(open.goTo(id))} />
      </div>
    </Aside>
  )
}

/** Leads to the first message of a day, in the time zone of the browser. */
function DateField({ onChoose }: { readonly onChoose: (at: string) => void }) {
  const said = useSaid()
  const [day, setDay] = useState('')
  return (
    <form
      class="find-date"
      onSubmit={(event) => {
        event.preventDefault()
        const at = new Date(`${day}T00:00:00`)
        if (!Number.isNaN(at.getTime())) onChoose(at.toISOString())
      }}
    >
      <label>
        {said.find.date}
        <input type="date" data-search-date value={day} onInput={(event) => setDay(event.currentTarget.value)} />
      </label>
      <button type="submit" class="primary" data-action="go-to-date" disabled={day === ''}>
        {said.find.go}
      </button>
    </form>
  )
}

interface ResultsProps {
  readonly search: Search
  readonly conversation: Conversation
  readonly onChoose: (messageId: string) => void
}

function Results({ search, conversation, onChoose }: ResultsProps) {
  const { words } = useDrawn()
  const said = useSaid()
  const state = search.state.value
  return (
    <>
      <p class={state.at === 'failed' ? 'failure' : 'aside'} role="status">
        {state.at === 'short' && words.states.typeMore}
        {state.at === 'searching' && words.loading}
        {state.at === 'failed' && words.states.failed}
        {state.at === 'found' && countOf(state.found, said.find)}
      </p>
      {state.at === 'found' && state.found.messages.length > 0 && (
        <ul
          class="find-rows"
          role="list"
          aria-label={said.find.results}
          onKeyDown={(event) => void roam(event, event.currentTarget, 'button')}
        >
          {state.found.messages.map(({ message }) => (
            <li key={message.id}>
              <FoundRow
                message={message}
                conversation={conversation}
                part={search.text.value.trim()}
                onChoose={onChoose}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

interface FoundRowProps extends Omit<ResultsProps, 'search'> {
  readonly message: Message
  readonly part: string
}

function FoundRow({ message, conversation, part, onChoose }: FoundRowProps) {
  const { words, formats } = useDrawn()
  const now = useNow(60_000)
  const { before, found, after } = excerptOf(plainOf(message.content ?? ''), part)
  return (
    <button type="button" data-found={message.id} onClick={() => onChoose(message.id)}>
      <span class="find-head">
        <bdi>{writerOf(message, conversation, words)}</bdi>
        <time dateTime={message.createdAt} title={formats.full(message.createdAt)}>
          {formats.shortly(message.createdAt, now)}
        </time>
      </span>
      <span class="find-text" dir="auto">
        {before}
        {found !== '' && <mark>{found}</mark>}
        {after}
      </span>
    </button>
  )
}

function countOf(
  { messages: { length } }: Found,
  words: {
    readonly none: string
    readonly found: (count: number) => string
    readonly foundMost: (count: number) => string
  },
): string {
  if (length === 0) return words.none
  return length < MOST_FOUND ? words.found(length) : words.foundMost(length)
}
