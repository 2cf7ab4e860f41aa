import X from 'lucide/dist/esm/icons/x.mjs'
import { Icon } from '../../../ui/icon.tsx'
import { plainOf } from '../../model/formatted-text.ts'
import type { Draft } from '../../state/drafts.ts'
import { useDrawn } from '../context.ts'
import { nameOfType } from '../thread/quote.tsx'
import { writerOf } from '../writer.ts'

/** Shows the message that the draft answers. */
export function ReplyBar({ draft }: { readonly draft: Draft }) {
  const { inbox, words } = useDrawn()
  const reply = draft.reply.value
  if (reply === null) return null
  const name = writerOf(reply, inbox.conversations.find(reply.conversationId), words)
  return (
    <div class="reply-bar" data-reply={reply.id}>
      <p class="quote">
        <span class="quote-who">{words.composer.replyTo(name)}</span>
        <span class="quote-text" dir="auto">
          {reply.content === null ? nameOfType(words.types, reply.type) : plainOf(reply.content)}
        </span>
      </p>
      <button
        type="button"
        class="plain"
        data-action="cancel"
        aria-label={words.composer.cancelReply}
        onClick={() => {
          draft.reply.value = null
        }}
      >
        <Icon of={X} size={18} />
      </button>
    </div>
  )
}
