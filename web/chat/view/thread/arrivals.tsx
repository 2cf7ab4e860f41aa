import { plainOf } from '../../model/formatted-text.ts'
import { nameOfType } from './quote.tsx'
import type { OpenThread } from '../../state/open-thread.ts'
import { useDrawn } from '../context.ts'

/**
 * Announces to screen readers who wrote and what, when a message comes in while the thread is open. History that is
 * read later is not announced.
 */
export function Arrivals({ open, title }: { readonly open: OpenThread; readonly title: string }) {
  const { words } = useDrawn()
  const message = open.arrived.value
  return (
    <p class="unseen" role="log" aria-live="polite">
      {message
        && words.message.arrived(
          message.fromName ?? title,
          message.content === null ? nameOfType(words.types, message.type) : plainOf(message.content),
        )}
    </p>
  )
}
