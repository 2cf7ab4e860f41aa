import { byEmoji, ownEmojiIn } from '../../model/reactions.ts'
import type { Conversation, Message } from '../../model/message.ts'
import { useDrawn } from '../context.ts'
import { writerOf } from '../writer.ts'

interface ReactionsProps {
  readonly of: readonly Message[]
  readonly conversation: Conversation | null
  /** Takes our own reaction back; null where that cannot be done. */
  readonly onTakeBack: (() => void) | null
}

/** The reactions to a message, each emoji with who chose it; a press on our own takes it back. */
export function Reactions({ of, conversation, onTakeBack }: ReactionsProps) {
  const { words } = useDrawn()
  return (
    <ul class="reactions" role="list" aria-label={words.message.reactions}>
      {[...byEmoji(of)].map(([emoji, by]) => {
        const names = by.map((one) => writerOf(one, conversation, words)).join(', ')
        const said = (
          <>
            {emoji} <span dir="auto">{names}</span>
          </>
        )
        return (
          <li key={emoji} data-reaction={emoji} title={names}>
            {onTakeBack && ownEmojiIn(by) !== null ? (
              <button
                type="button"
                data-action="unreact"
                aria-label={`${emoji} ${names}: ${words.message.unreact}`}
                onClick={onTakeBack}
              >
                {said}
              </button>
            ) : (
              said
            )}
          </li>
        )
      })}
    </ul>
  )
}
