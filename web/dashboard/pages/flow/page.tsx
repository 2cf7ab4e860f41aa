import { Asked, useAsked } from '../../ground/asked.tsx'
import { datesIn } from '../../ground/date-range.tsx'
import type { Dates } from '../../ground/date-range.tsx'
import { OfNumber } from '../../ground/of-number.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { useLive } from '../../ground/use-live.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { flowsPage, isOfFlows } from '../flows/flow.ts'
import type { ListedFlow } from '../flows/flow.ts'
import { Acts } from './acts.tsx'
import { Answers } from './answers.tsx'
import { FlowDocument } from './document.tsx'
import { Facts } from './facts.tsx'
import { NewFlow } from './new-flow.tsx'
import { flowPath, NEW } from './props.ts'
import type { FlowWords } from './props.ts'

/** One Flow: its state, its document with what is wrong with it, and what customers answered. */
export function Page({ words, id, query }: PageProps<FlowWords>) {
  const wanted = query.get('number')
  if (id === NEW) return <NewFlow words={words} number={wanted} source={query.get('clone')} />
  return (
    <PageFrame name="flow" heading={words.heading} id={id} above={{ path: flowsPage(wanted), label: words.above }}>
      <OfNumber wanted={wanted}>
        {(chosen) => (
          <OneFlow key={`${id} ${chosen.id}`} words={words} id={id} number={chosen.id} dates={datesIn(query)} />
        )}
      </OfNumber>
    </PageFrame>
  )
}

interface OneProps {
  readonly words: FlowWords
  readonly id: string
  readonly number: string
  /** Of the answers that are shown. */
  readonly dates: Dates
}

function OneFlow({ words, id, number, dates }: OneProps) {
  const { api } = useApp()
  const flow = useAsked((signal) => api.get<ListedFlow>(flowPath(id), { number, signal }), [id, number])
  useLive({ event: (frame) => isOfFlows(frame) && flow.again() })
  return (
    <Asked of={flow} codes={words.codes}>
      {(body) => {
        const props = { words, flow: body, number }
        return (
          <>
            <Facts {...props} take={(now) => flow.change(() => now)} />
            <Acts {...props} again={flow.again} />
            <FlowDocument {...props} again={flow.again} />
            <Answers {...props} dates={dates} />
          </>
        )
      }}
    </Asked>
  )
}
