import Smile from 'lucide/dist/esm/icons/face-slightly-smiling.mjs'
import { lazy, Suspense } from 'preact/compat'
import { useRef, useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import type { Draft } from '../../state/drafts.ts'
import { useDrawn } from '../context.ts'

/** The grid is loaded when somebody first opens it. */
const EmojiGrid = lazy(() => import('./emoji-grid.tsx'))

/** Opens the emoji grid and inserts the chosen emoji at the cursor. */
export function EmojiButton({
  field,
  draft,
  isFrozen,
}: {
  readonly field: { readonly current: HTMLTextAreaElement | null }
  readonly draft: Draft
  readonly isFrozen: boolean
}) {
  const { words } = useDrawn()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)

  function close(): void {
    setOpen(false)
    button.current?.focus()
  }

  function put(emoji: string): void {
    const { selectionStart = 0, selectionEnd = 0 } = field.current ?? {}
    const { value } = draft.text
    draft.text.value = value.slice(0, selectionStart) + emoji + value.slice(selectionEnd)
    setOpen(false)
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(selectionStart + emoji.length, selectionStart + emoji.length)
    })
  }

  return (
    <div class="emoji">
      <button
        ref={button}
        type="button"
        class="plain"
        data-action="emoji"
        aria-label={words.composer.emoji}
        aria-expanded={isOpen}
        disabled={isFrozen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon of={Smile} />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <EmojiGrid onPick={put} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}
