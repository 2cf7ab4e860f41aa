import { useDrawn } from '../context.ts'
import { useNow } from '../use-now.ts'

/** The line between the messages of two days. */
export function DayItem({ at }: { readonly at: string }) {
  const { formats } = useDrawn()
  const now = useNow(60_000)
  return (
    <p class="day">
      <time dateTime={at} title={formats.date(at)}>
        {formats.day(at, now)}
      </time>
    </p>
  )
}

/** The line before the first message that was unread when the thread was opened. */
export function UnreadItem() {
  const { words } = useDrawn()
  return (
    <p class="unread-line">
      <span>{words.message.unreadFrom}</span>
    </p>
  )
}
