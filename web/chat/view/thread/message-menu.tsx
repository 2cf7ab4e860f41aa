import Copy from 'lucide/dist/esm/icons/copy.mjs'
import Hash from 'lucide/dist/esm/icons/hash.mjs'
import Pencil from 'lucide/dist/esm/icons/pencil.mjs'
import Reply from 'lucide/dist/esm/icons/reply.mjs'
import Smile from 'lucide/dist/esm/icons/face-slightly-smiling.mjs'
import Trash from 'lucide/dist/esm/icons/trash.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import type { ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import type { MoreWords } from '../../../words/chat-more-words.ts'
import type { Message } from '../../model/message.ts'
import { changesOf } from '../../model/own-change.ts'
import { beginEdit } from '../../state/editing.ts'
import { useDrawn } from '../context.ts'
import type { Drawn } from '../context.ts'
import MenuPanel from '../menu/menu-panel.tsx'
import type { MenuItem, MenuPicks } from '../menu/menu-panel.tsx'
import type { Menu, MenuPlace } from '../menu/use-menu.ts'
import { useMoreWords } from '../more-words.ts'
import type { ReactionPickerProps } from './reaction-picker.tsx'

/** Our choice: the emoji that phones offer first. */
const FIRST = ['\u{1F44D}', '\u2764\uFE0F', '\u{1F602}', '\u{1F62E}', '\u{1F622}', '\u{1F64F}']

export interface MessageActsProps {
  readonly message: Message
  readonly menu: Menu
  /** Null when the message cannot be answered. */
  readonly onReply: (() => void) | null
  /** Reacts with an emoji, or takes the reaction back with an empty text; null when nobody can react to the message. */
  readonly onReact: ((emoji: string) => void) | null
  /** Our reaction; null without one. */
  readonly reacted: string | null
}

interface MessageMenuProps extends MessageActsProps {
  readonly place: MenuPlace
}

/** The menu of a message; what it asks further takes its place. */
export default function MessageMenu({ place, ...props }: MessageMenuProps) {
  const drawn = useDrawn()
  const said = useMoreWords()
  const [step, setStep] = useState<'menu' | 'revoke'>('menu')
  const [Picker, setPicker] = useState<ComponentType<ReactionPickerProps> | null>(null)
  const { menu, onReact } = props
  if (said === null) return null
  // All other emoji are loaded when somebody wants one. `lazy` would put a part of the library into every small page.
  const pick = (): void => void import('./reaction-picker.tsx').then(({ default: loaded }) => setPicker(() => loaded))
  if (Picker && onReact) return <Picker place={place} onPick={onReact} onClose={menu.close} />
  if (step === 'revoke')
    return (
      <MenuPanel
        key={step}
        label={said.revokeAsk}
        items={revokeItems(props, drawn, said)}
        place={place}
        onClose={menu.close}
      />
    )
  return (
    <MenuPanel
      label={drawn.words.menu.label}
      picks={picksOf(props, said)}
      items={itemsOf(props, drawn, said, { pick, ask: () => setStep('revoke') })}
      place={place}
      onClose={menu.close}
    />
  )
}

/** The first emoji, and ours when it is another; a press on ours takes it back. */
function picksOf({ onReact, reacted }: MessageActsProps, said: MoreWords): MenuPicks | null {
  if (!onReact) return null
  const signs = reacted === null || FIRST.includes(reacted) ? FIRST : [reacted, ...FIRST.slice(1)]
  return { label: said.react, signs, chosen: reacted, onPick: (emoji) => onReact(emoji === reacted ? '' : emoji) }
}

/** What can be done with a message. A message without a text has none to copy. */
function itemsOf(
  { message, onReply, onReact }: MessageActsProps,
  { inbox, words, notes }: Drawn,
  said: MoreWords,
  { pick, ask }: { readonly pick: () => void; readonly ask: () => void },
): readonly MenuItem[] {
  const { id, conversationId, content, revokedAt } = message
  const number = inbox.session.value?.numbers.find((one) => one.id === numberIdOf(inbox, conversationId))
  const can = changesOf(message, inbox.over.value === null && number ? number : {}, inbox.clock.now())
  const edit = (): void => {
    beginEdit(inbox.drafts.of(conversationId), message)
    document.querySelector<HTMLElement>('[data-composer]')?.focus()
  }
  return [
    onReply && { action: 'reply', label: words.message.reply, icon: Reply, act: onReply },
    content !== null
      && content !== ''
      && revokedAt === null && {
        action: 'copy',
        label: said.copy,
        icon: Copy,
        act: () => notes.copy(content, said),
      },
    { action: 'copy-id', label: said.copyId, icon: Hash, act: () => notes.copy(id, said) },
    onReact && { action: 'react', label: said.reactOther, icon: Smile, act: pick, isKept: true },
    can.edit && { action: 'edit', label: said.edit, icon: Pencil, act: edit },
    can.revoke && { action: 'revoke', label: said.revoke, icon: Trash, act: ask, isKept: true },
  ].filter((item) => item !== null && item !== false)
}

function numberIdOf({ conversations }: Drawn['inbox'], conversationId: string): string | undefined {
  return conversations.find(conversationId)?.numberId
}

/** Asks once more, because nobody gets the message back. */
function revokeItems(
  { message }: MessageActsProps,
  { inbox, words, notes }: Drawn,
  said: MoreWords,
): readonly MenuItem[] {
  const revoke = (): void => {
    void inbox.change(message, null).then((isDone) => notes.say(isDone ? said.revoked : words.list.notMarked))
  }
  return [
    { action: 'cancel', label: words.cancel, icon: X, act: () => undefined },
    { action: 'revoke-now', label: said.revokeAsk, icon: Trash, act: revoke },
  ]
}
