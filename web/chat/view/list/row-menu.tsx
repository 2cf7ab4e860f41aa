import Archive from 'lucide/dist/esm/icons/archive.mjs'
import Inbox from 'lucide/dist/esm/icons/inbox.mjs'
import Mail from 'lucide/dist/esm/icons/mail.mjs'
import type { MoreWords } from '../../../words/chat-more-words.ts'
import type { Conversation } from '../../model/message.ts'
import type { Mark } from '../../state/inbox.ts'
import { useDrawn } from '../context.ts'
import type { Drawn } from '../context.ts'
import MenuPanel from '../menu/menu-panel.tsx'
import type { MenuItem } from '../menu/menu-panel.tsx'
import type { MenuPlace } from '../menu/use-menu.ts'
import { useMoreWords } from '../more-words.ts'

interface RowMenuProps {
  readonly conversation: Conversation
  readonly place: MenuPlace
  readonly onClose: () => void
}

/** The menu of a conversation in the list. Whatever it does can be undone for a moment. */
export default function RowMenu({ conversation, place, onClose }: RowMenuProps) {
  const drawn = useDrawn()
  const said = useMoreWords()
  return (
    said && (
      <MenuPanel
        label={drawn.words.list.menu}
        items={itemsOf(conversation, drawn, said.marks)}
        place={place}
        onClose={onClose}
      />
    )
  )
}

function itemsOf(conversation: Conversation, drawn: Drawn, said: MoreWords['marks']): readonly MenuItem[] {
  const { features } = drawn
  const { unreadCount, isMarkedUnread, archivedAt } = conversation
  const act = (mark: Mark) => () => void marked(drawn, conversation, mark, said)
  const unread = features.markUnread
    && unreadCount === 0
    && !isMarkedUnread && { action: 'mark-unread', label: said.markUnread, icon: Mail, act: act('unread') }
  const archive = archivedAt
    ? { action: 'unarchive', label: said.unarchive, icon: Inbox, act: act('unarchive') }
    : { action: 'archive', label: said.archive, icon: Archive, act: act('archive') }
  return [unread, features.archive && archive].filter((item) => item !== false)
}

/** What takes each mark back. */
const BACK = { unread: 'read', archive: 'unarchive', unarchive: 'archive' } as const

/** Says what became of it, and offers to take it back; the focus stays in the list. */
async function marked(
  { inbox, notes, words }: Drawn,
  { id }: Conversation,
  mark: Mark,
  said: MoreWords['marks'],
): Promise<void> {
  const beside = besideOf(id)
  if (!(await inbox.mark(id, mark))) return notes.say(words.list.notMarked)
  const back = BACK[mark]
  const undo = async (): Promise<void> => {
    notes.say('')
    await (back === 'read' ? inbox.markRead(id) : inbox.mark(id, back))
    focusRow(id)
  }
  notes.say(said.did[mark], { label: said.undo, act: () => void undo() })
  focusRow(id, beside)
}

/** The conversation behind this one in the list, else the one before it; null when there is no other. */
function besideOf(id: string): string | null {
  const ids = [...document.querySelectorAll<HTMLElement>('.side [data-conversation]')].map(
    ({ dataset }) => dataset['conversation'] ?? '',
  )
  const at = ids.indexOf(id)
  return ids[at + 1] ?? ids[at - 1] ?? null
}

/** Moves the focus to the first of these rows that is there, unless the person is somewhere else by now. */
function focusRow(...ids: readonly (string | null)[]): void {
  requestAnimationFrame(() => {
    const { activeElement } = document
    if (activeElement && activeElement !== document.body && !activeElement.closest('.side, .told')) return
    const rows = ids.map((id) => id && document.querySelector<HTMLElement>(`[data-conversation="${CSS.escape(id)}"]`))
    const row = rows.find((one) => one) ?? document.querySelector<HTMLElement>('[data-action=filter-unread]')
    if (row instanceof HTMLElement) row.focus()
  })
}
