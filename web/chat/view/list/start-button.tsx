import Plus from 'lucide/dist/esm/icons/plus.mjs'
import { lazy, Suspense } from 'preact/compat'
import { useState } from 'preact/hooks'
import { TEXT_LENGTH } from '../../../../src/domain/limits.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useDrawn } from '../context.ts'

/** The dialog is loaded when somebody first opens it. */
const StartDialog = lazy(() => import('../start/start-dialog.tsx'))

/** Begins a conversation, where the session lets its users write first. */
export function StartButton() {
  const { inbox, words } = useDrawn()
  const [isOpen, setOpen] = useState(false)
  if (!inbox.session.value?.startConversation) return null
  return (
    <>
      <button
        type="button"
        class="plain"
        data-action="start"
        aria-label={words.list.start}
        title={words.list.start}
        disabled={inbox.over.value !== null}
        onClick={() => setOpen(true)}
      >
        <Icon of={Plus} size={18} />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <StartDialog mostText={TEXT_LENGTH} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
