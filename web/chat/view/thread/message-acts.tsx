import Copy from 'lucide/dist/esm/icons/copy.mjs'
import Ellipsis from 'lucide/dist/esm/icons/ellipsis-vertical.mjs'
import Hash from 'lucide/dist/esm/icons/hash.mjs'
import Reply from 'lucide/dist/esm/icons/reply.mjs'
import { lazy, Suspense } from 'preact/compat'
import { Icon } from '../../../ui/icon.tsx'
import type { ChatWords } from '../../../words/chat-words.ts'
import type { Message } from '../../model/message.ts'
import type { Notes } from '../../state/notes.ts'
import { useDrawn } from '../context.ts'
import type { MenuItem } from '../menu/menu-panel.tsx'
import type { Menu } from '../menu/use-menu.ts'

/** The menu is loaded when somebody first opens one. */
const MenuPanel = lazy(() => import('../menu/menu-panel.tsx'))

interface MessageActsProps {
  readonly message: Message
  readonly menu: Menu
  /** Null when the message cannot be answered. */
  readonly onReply: (() => void) | null
}

/** The buttons beside a message: reply, and the menu of everything that can be done with it. */
export function MessageActs({ message, menu, onReply }: MessageActsProps) {
  const { words, notes, features } = useDrawn()
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
          <MenuPanel
            label={words.menu.label}
            items={itemsOf(message, words, notes, onReply)}
            place={menu.place}
            onClose={menu.close}
          />
        </Suspense>
      )}
    </div>
  )
}

/** What can be done with a message. A message without a text has none to copy. */
function itemsOf(
  { id, content, revokedAt }: Message,
  words: ChatWords,
  notes: Notes,
  onReply: (() => void) | null,
): readonly MenuItem[] {
  const reply = onReply && { action: 'reply', label: words.message.reply, icon: Reply, act: onReply }
  const copy = content !== null
    && content !== ''
    && revokedAt === null && {
      action: 'copy',
      label: words.menu.copy,
      icon: Copy,
      act: () => notes.copy(content, words.menu),
    }
  const copyId = { action: 'copy-id', label: words.menu.copyId, icon: Hash, act: () => notes.copy(id, words.menu) }
  return [reply, copy, copyId].filter((item) => item !== null && item !== false)
}
