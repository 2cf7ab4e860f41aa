import X from 'lucide/dist/esm/icons/x.mjs'
import { Icon } from '../../../ui/icon.tsx'
import { plainOf } from '../../model/formatted-text.ts'
import { endEdit } from '../../state/editing.ts'
import type { Draft } from '../../state/drafts.ts'
import { useDrawn } from '../context.ts'
import { nameOfType } from '../thread/quote.tsx'
import { writerOf } from '../writer.ts'

/** Shows the message whose text is being changed, else the one that the draft answers. */
export function ReplyBar({ draft }: { readonly draft: Draft }) {
  const { inbox, words } = useDrawn()
  const editing = draft.editing.value?.message
  const shown = editing ?? draft.reply.value
  if (!shown) return null
  const name = writerOf(shown, inbox.conversations.find(shown.conversationId), words)
  return (
    <div class="reply-bar" {...(editing ? { 'data-editing': shown.id } : { 'data-reply': shown.id })}>
      <p class="quote">
        <span class="quote-who">{editing ? words.composer.editing : words.composer.replyTo(name)}</span>
        <span class="quote-text" dir="auto">
          {shown.content === null ? nameOfType(words.types, shown.type) : plainOf(shown.content)}
        </span>
      </p>
      <button
        type="button"
        class="plain"
        data-action="cancel"
        aria-label={editing ? words.composer.cancelEdit : words.composer.cancelReply}
        onClick={() => {
          if (editing) endEdit(draft)
          else draft.reply.value = null
        }}
      >
        <Icon of={X} size={18} />
      </button>
    </div>
  )
}
