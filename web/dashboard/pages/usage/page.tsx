import { Asked, useAsked } from '../../ground/asked.tsx'
import { NUMBERS_PATH } from '../../ground/numbers.ts'
import { PageFrame } from '../../ground/page.tsx'
import { useLive } from '../../ground/use-live.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { withNews } from '../pairing/number-facts.tsx'
import type { ShownNumber } from '../pairing/number-facts.tsx'
import type { UsageWords } from './attention.ts'
import { NeedsAttention } from './needs-attention.tsx'
import { Standing } from './standing.tsx'
import './usage.css'

/** What needs attention now, and how each number stands. */
export function Page({ words }: PageProps<UsageWords>) {
  const { api } = useApp()
  const numbers = useAsked((signal) => api.get<readonly ShownNumber[]>(NUMBERS_PATH, { signal }), [])
  useLive({
    number: (frame) => numbers.change((now) => now.map((one) => withNews(one, frame))),
    event({ event }) {
      if (event.startsWith('number.')) numbers.again()
    },
  })
  return (
    <PageFrame name="usage" heading={words.heading}>
      <Asked of={numbers}>
        {(all) => (
          <>
            <NeedsAttention words={words} numbers={all} />
            <Standing words={words} numbers={all} />
          </>
        )}
      </Asked>
    </PageFrame>
  )
}
