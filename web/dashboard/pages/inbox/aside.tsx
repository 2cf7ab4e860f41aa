import { useRef } from 'preact/hooks'
import { useAsked } from '../../ground/asked.tsx'
import { useApp } from '../../shell/app.ts'
import { Assignee } from './assignee.tsx'
import { AssignedList } from './assigned-list.tsx'
import type { Handler, InboxWords } from './handling.ts'
import { Notes } from './notes.tsx'

interface AsideProps {
  readonly words: InboxWords
  /** The conversation that is open in the inbox; null while none was opened. */
  readonly conversationId: string | null
  /** Opens a conversation of a number in the inbox. */
  open(conversationId: string, numberId: string): void
}

/** Who handles which conversation, and the notes on the open one: what the people of the account alone see. */
export function Aside({ words, conversationId, open }: AsideProps) {
  const { api } = useApp()
  const people = useAsked(
    (signal) => api.get<{ readonly assignees: readonly Handler[] }>('/api/conversations/assignees', { signal }),
    [],
  )
  /** What is typed and not sent, by conversation. */
  const drafts = useRef(new Map<string, string>())
  const assignees = people.body?.assignees ?? []
  return (
    <aside class="handling" aria-label={words.handling.heading} data-handling={conversationId ?? ''}>
      {conversationId === null ? (
        <p class="muted">{words.handling.noneOpen}</p>
      ) : (
        <section key={conversationId} class="part" aria-labelledby="handling-one">
          <h2 id="handling-one">{words.handling.one}</h2>
          <Assignee words={words.handling} conversationId={conversationId} assignees={assignees} />
          <Notes words={words.handling} conversationId={conversationId} drafts={drafts.current} />
        </section>
      )}
      <AssignedList words={words.handling} assignees={assignees} open={open} />
    </aside>
  )
}
