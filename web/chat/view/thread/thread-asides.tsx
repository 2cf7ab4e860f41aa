import Info from 'lucide/dist/esm/icons/info.mjs'
import SearchSign from 'lucide/dist/esm/icons/search.mjs'
import type { IconNode } from 'lucide'
import { lazy, Suspense } from 'preact/compat'
import { Icon } from '../../../ui/icon.tsx'
import type { Conversation } from '../../model/message.ts'
import type { OpenThread } from '../../state/open-thread.ts'
import { useDrawn } from '../context.ts'

/** Panes beside the thread are loaded when somebody first opens them. */
const PersonPanel = lazy(() => import('../aside/person-panel.tsx'))
const SearchPanel = lazy(() => import('../aside/search-panel.tsx'))

/** The pane beside the thread; null when none is open. */
export type AsideName = 'person' | 'search' | null

interface AsideProps {
  readonly shown: AsideName
  readonly show: (name: AsideName) => void
}

/** The buttons in the head of a thread that open panes beside it. */
export function AsideButtons({ shown, show }: AsideProps) {
  const { words, features } = useDrawn()
  const toggled =
    (name: AsideName): (() => void) =>
    () =>
      show(shown === name ? null : name)
  return (
    <div class="thread-acts">
      {features.search && (
        <AsideButton
          action="search-thread"
          label={words.find.open}
          icon={SearchSign}
          isOpen={shown === 'search'}
          onClick={toggled('search')}
        />
      )}
      {features.personPanel && (
        <AsideButton
          action="person"
          label={words.person.open}
          icon={Info}
          isOpen={shown === 'person'}
          onClick={toggled('person')}
        />
      )}
    </div>
  )
}

interface AsideButtonProps {
  readonly action: string
  readonly label: string
  readonly icon: IconNode
  readonly isOpen: boolean
  readonly onClick: () => void
}

function AsideButton({ action, label, icon, isOpen, onClick }: AsideButtonProps) {
  return (
    <button
      type="button"
      class="plain"
      data-action={action}
      aria-label={label}
      aria-expanded={isOpen}
      onClick={onClick}
    >
      <Icon of={icon} />
    </button>
  )
}

interface OpenAsideProps extends AsideProps {
  readonly open: OpenThread
  readonly conversation: Conversation
}

/** The pane that is open beside the thread. */
export function OpenAside({ shown, show, open, conversation }: OpenAsideProps) {
  const close = (): void => show(null)
  return (
    <Suspense fallback={null}>
      {shown === 'person' && <PersonPanel open={open} conversation={conversation} onClose={close} />}
      {shown === 'search' && <SearchPanel open={open} conversation={conversation} onClose={close} />}
    </Suspense>
  )
}
