import { Asked, useAsked } from '../../ground/asked.tsx'
import { datesIn } from '../../ground/date-range.tsx'
import { NUMBERS_PATH } from '../../ground/numbers.ts'
import { PageFrame } from '../../ground/page.tsx'
import { useLive } from '../../ground/use-live.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { withNews } from '../pairing/number-facts.tsx'
import type { ShownNumber } from '../pairing/number-facts.tsx'
import type { UsageWords } from './usage-words.ts'
import { NeedsAttention } from './needs-attention.tsx'
import { Standing } from './standing.tsx'
import { Used } from './used.tsx'
import './usage.css'

/** What needs attention now, how each number stands, and what the account used. */
export function Page({ words, query }: PageProps<UsageWords>) {
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
            <Used words={words} dates={datesIn(query)} numbers={all} />
          </>
        )}
      </Asked>
    </PageFrame>
  )
}
