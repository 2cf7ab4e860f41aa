import CircleAlert from 'lucide/dist/esm/icons/circle-alert.mjs'
import { useState } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'
import { RequestFailure } from '../../api/failure.ts'
import type { ChatWords } from '../../../words/chat-words.ts'
import type { Message } from '../../model/message.ts'
import { useDrawn } from '../context.ts'

/** Why a message was not delivered, with a button for another try. */
export function Failure({ message }: { readonly message: Message }) {
  const { inbox, words } = useDrawn()
  const [refused, setRefused] = useState<string | null>(null)
  const [isTrying, setTrying] = useState(false)

  async function retry(): Promise<void> {
    setTrying(true)
    try {
      await inbox.outbox.retry(message.id)
      setRefused(null)
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      setRefused(reasonOf(words, error.kind === 'network' ? null : (error.code ?? 'other')))
    } finally {
      setTrying(false)
    }
  }

  return (
    <p class="failure" data-failure>
      <Icon of={CircleAlert} size={16} />
      <span>{refused ?? reasonOf(words, message.errorCode ?? 'other')}</span>
      <button
        type="button"
        class="link"
        data-action="retry"
        disabled={isTrying || inbox.over.value !== null || inbox.outbox.retried.value.has(message.id)}
        onClick={() => void retry()}
      >
        {words.failure.retry}
      </button>
    </p>
  )
}

/** The words for an error code; null means a network failure. */
export function reasonOf(words: ChatWords, code: string | null): string {
  const reasons: Readonly<Record<string, string>> = words.failure
  if (code === null) return words.failure.lost
  return (Object.hasOwn(reasons, code) ? reasons[code] : undefined) ?? `${words.failure.other} (${code})`
}
