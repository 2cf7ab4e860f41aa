import Ellipsis from 'lucide/dist/esm/icons/ellipsis-vertical.mjs'
import Reply from 'lucide/dist/esm/icons/reply.mjs'
import { lazy, Suspense } from 'preact/compat'
import { Icon } from '../../../ui/icon.tsx'
import { useDrawn } from '../context.ts'
import type { MessageActsProps } from './message-menu.tsx'

/** The menu is loaded when somebody first opens one. */
const MessageMenu = lazy(() => import('./message-menu.tsx'))

/** The buttons beside a message: reply, and the menu of everything that can be done with it. */
export function MessageActs(props: MessageActsProps) {
  const { menu, onReply } = props
  const { words, features } = useDrawn()
  return (
    <div class="acts">
      {onReply && (
        <button type="button" class="plain" data-action="reply" aria-label={words.message.reply} onClick={onReply}>
          <Icon of={Reply} size={18} />
        </button>
      )}
      {features.messageMenu && (
        <button
          type="button"
          class="plain"
          data-action="message-menu"
          aria-label={words.menu.label}
          aria-haspopup="menu"
          aria-expanded={menu.place !== null}
          onClick={({ currentTarget }) => menu.openAt(currentTarget)}
        >
          <Icon of={Ellipsis} size={18} />
        </button>
      )}
      {menu.place && (
        <Suspense fallback={null}>
          <MessageMenu {...props} place={menu.place} />
        </Suspense>
      )}
    </div>
  )
}
