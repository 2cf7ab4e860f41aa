import { typed } from '../../../ui/typed.ts'
import { endEdit } from '../../state/editing.ts'
import type { Draft } from '../../state/drafts.ts'
import type { Inbox } from '../../state/inbox.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import { useDrawn } from '../context.ts'
import { useOwnHeight } from './own-height.ts'

/** [messages.modes.1]: characters of a text. Our choice: the remaining count shows below 200. */
const MOST = 4_096
const TOLD_UNDER = 200

interface TextFieldProps {
  readonly open: OpenThread
  readonly field: { current: HTMLTextAreaElement | null }
  readonly draft: Draft
  readonly isFrozen: boolean
  readonly onSend: () => void
  readonly onPick: (what: 'replies') => void
  readonly onPaste: (event: ClipboardEvent) => void
}

/**
 * The text field of the composer. Enter sends, except while an input method composes a word; `/` in an empty field
 * opens the canned replies, or the templates where there are none.
 */
export function TextField({ open, field, draft, isFrozen, onSend, onPick, onPaste }: TextFieldProps) {
  const { inbox, words } = useDrawn()
  const left = MOST - [...draft.text.value].length

  useOwnHeight(field, draft.text.value)

  function press(event: KeyboardEvent): void {
    if (event.isComposing) return
    if (event.key === '/' && draft.text.value === '') {
      event.preventDefault()
      onPick('replies')
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      onSend()
    } else if (event.key === 'Escape' && draft.editing.value) {
      event.preventDefault()
      endEdit(draft)
    } else if (event.key === 'ArrowUp' && draft.text.value === '') {
      const messages = document.querySelectorAll<HTMLElement>('[data-thread] [data-message]')
      const last = messages[messages.length - 1]
      if (last) event.preventDefault()
      last?.focus()
    }
  }

  return (
    <div class="field">
      <textarea
        ref={field}
        data-composer
        rows={1}
        dir="auto"
        aria-label={words.composer.label}
        aria-describedby="composer-keys"
        placeholder={words.composer.placeholder}
        value={draft.text.value}
        readOnly={isFrozen}
        onInput={(event) => {
          draft.text.value = typed(event.currentTarget, MOST)
          told(inbox, open, draft)
        }}
        onKeyDown={press}
        onPaste={onPaste}
      />
      <span id="composer-keys" class="unseen">
        {words.composer.keys}
      </span>
      {left < TOLD_UNDER && (
        <span class="left" role="status">
          {words.composer.left(left)}
        </span>
      )}
    </div>
  )
}

/** Shows the person that the user writes. It is loaded with the first key, and not missed where that fails. */
function told(inbox: Inbox, { conversationId }: OpenThread, draft: Draft): void {
  import('../../state/tell-typing.ts').then(
    ({ tellTyping }) => tellTyping(inbox, conversationId, draft),
    () => {},
  )
}
