import Check from 'lucide/dist/esm/icons/check.mjs'
import Copy from 'lucide/dist/esm/icons/copy.mjs'
import X from 'lucide/dist/esm/icons/x.mjs'
import { useEffect, useState } from 'preact/hooks'
import { copyText } from './clipboard.ts'
import type { PageClock } from './clock.ts'
import { Icon } from './icon.tsx'

/** Our choice, in ms: how long the result shows. */
const FEEDBACK_MS = 3_000

export interface CopyWords {
  readonly copy: string
  readonly copied: string
  readonly notCopied: string
}

/** Copies a text, and shows whether that succeeded. */
export function CopyButton({
  text,
  words,
  clock,
}: {
  readonly text: string
  readonly words: CopyWords
  readonly clock: PageClock
}) {
  const [outcome, setOutcome] = useState<'copied' | 'notCopied' | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = clock.after(FEEDBACK_MS, () => setOutcome(null))
    return () => timer.cancel()
  }, [outcome, clock])
  const copy = (): void => {
    copyText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('notCopied'),
    )
  }
  return (
    <>
      <button type="button" class="button quiet" data-action="copy" onClick={copy}>
        <Icon of={outcome === null ? Copy : outcome === 'copied' ? Check : X} />
        {words[outcome ?? 'copy']}
      </button>
      <span class="unseen" role="status">
        {outcome === null ? '' : words[outcome]}
      </span>
    </>
  )
}
