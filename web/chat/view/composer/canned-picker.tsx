import X from 'lucide/dist/esm/icons/x.mjs'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import { RequestFailure } from '../../api/failure.ts'
import type { CannedReply } from '../../api/requests.ts'
import type { Draft } from '../../state/drafts.ts'
import { useDrawn } from '../context.ts'
import { enterList, roam } from '../roving.ts'
import './templates.css'

interface CannedPickerProps {
  readonly draft: Draft
  readonly onClose: () => void
  /** Leads on to the templates; at once when there is no canned reply, or they cannot be read. */
  readonly onTemplates: () => void
}

/** Chooses a canned reply, which is then in the field ([inbox.features.14]). */
export default function CannedPicker({ draft, onClose, onTemplates }: CannedPickerProps) {
  const { words } = useDrawn()
  const [wanted, setWanted] = useState('')
  const search = useRef<HTMLInputElement>(null)
  const replies = useReplies(onTemplates)
  useEffect(() => search.current?.focus(), [replies !== null])
  if (replies === null) return null
  const found = matching(replies, wanted)

  function choose({ text }: CannedReply): void {
    draft.text.value = text
    onClose()
  }

  function press(event: KeyboardEvent): void {
    const [first] = found
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && event.target === search.current && first) choose(first)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <section class="templates" aria-label={words.canned} onKeyDown={press}>
      <header class="templates-head">
        <h3>{words.canned}</h3>
        <button type="button" class="plain" data-action="template" onClick={onTemplates}>
          {words.composer.template}
        </button>
        <button type="button" class="plain" data-action="cancel" aria-label={words.close} onClick={onClose}>
          <Icon of={X} size={18} />
        </button>
      </header>
      <input
        ref={search}
        type="text"
        class="templates-search"
        aria-label={words.canned}
        placeholder={words.canned}
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
        onKeyDown={(event) => enterList(event, '[data-canned]')}
      />
      {found.length === 0 && <p class="aside">{words.states.noResult}</p>}
      <Found found={found} onChoose={choose} />
    </section>
  )
}

interface FoundProps {
  readonly found: readonly CannedReply[]
  readonly onChoose: (reply: CannedReply) => void
}

function Found({ found, onChoose }: FoundProps) {
  return (
    <ul class="templates-list" onKeyDown={(event) => void roam(event, event.currentTarget, 'button')}>
      {found.map((reply) => (
        <li key={reply.id}>
          <button type="button" data-action="canned" data-canned={reply.id} onClick={() => onChoose(reply)}>
            <span class="template-name">
              /<bdi>{reply.shortcut}</bdi>
            </span>
            <span class="template-text" dir="auto">
              {reply.text}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Those whose shortcut begins with what is typed, then those that contain it. */
function matching(replies: readonly CannedReply[], wanted: string): readonly CannedReply[] {
  const typed = wanted.trim().replace(/^\//, '').toLowerCase()
  const begins = replies.filter(({ shortcut }) => shortcut.startsWith(typed))
  const contains = replies.filter((one) => !begins.includes(one) && one.text.toLowerCase().includes(typed))
  return [...begins, ...contains]
}

/** The canned replies; null while they are read. */
function useReplies(onNone: () => void): readonly CannedReply[] | null {
  const { inbox } = useDrawn()
  const [replies, setReplies] = useState<readonly CannedReply[] | null>(null)
  useEffect(() => {
    const asking = new AbortController()
    inbox.requests.cannedReplies(asking.signal).then(
      (all) => (all.length === 0 ? onNone() : setReplies(all)),
      (error: unknown) => {
        if (!(error instanceof RequestFailure)) throw error
        if (!asking.signal.aborted) onNone()
      },
    )
    return () => asking.abort()
  }, [])
  return replies
}
