import { Asked, useAsked } from '../../ground/asked.tsx'
import { OfNumber } from '../../ground/of-number.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { Badge, CopyText, Time } from '../../ground/shown.tsx'
import { useLive } from '../../ground/use-live.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { isOfFlows, STATUS_TONES } from '../flows/flow.ts'
import type { ListedFlow } from '../flows/flow.ts'
import { Acts } from './acts.tsx'
import { Answers } from './answers.tsx'
import { FlowDocument } from './document.tsx'
import { flowPath } from './props.ts'
import type { FlowProps, FlowWords } from './props.ts'

/** One Flow: its state, its document with what is wrong with it, and what customers answered. */
export function Page({ words, id, query }: PageProps<FlowWords>) {
  const wanted = query.get('number')
  return (
    <PageFrame name="flow" heading={words.heading} id={id} above={{ path: '/dashboard/flows', label: words.above }}>
      <OfNumber wanted={wanted}>
        {(chosen) => <OneFlow key={`${id} ${chosen.id}`} words={words} id={id} number={chosen.id} />}
      </OfNumber>
    </PageFrame>
  )
}

function OneFlow({ words, id, number }: { readonly words: FlowWords; readonly id: string; readonly number: string }) {
  const { api } = useApp()
  const flow = useAsked((signal) => api.get<ListedFlow>(flowPath(id), { number, signal }), [id, number])
  useLive({ event: (frame) => isOfFlows(frame) && flow.again() })
  return (
    <Asked of={flow} codes={words.codes}>
      {(body) => {
        const props = { words, flow: body, number }
        return (
          <>
            <Facts {...props} />
            <Acts {...props} again={flow.again} />
            <FlowDocument {...props} again={flow.again} />
            <Answers {...props} />
          </>
        )
      }}
    </Asked>
  )
}

function Facts({ words, flow }: FlowProps) {
  const { list } = words
  return (
    <section class="card" aria-labelledby="flow-name" data-status={flow.officialStatus}>
      <h2 id="flow-name" dir="auto">
        {flow.name}
      </h2>
      <p>
        <Badge tone={STATUS_TONES[flow.officialStatus]} text={list.statuses[flow.officialStatus]} />{' '}
        {words.meanings[flow.officialStatus]}
      </p>
      {flow.syncError !== null && (
        <p data-sync-error={flow.syncError.code}>
          {words.notUp} <bdi lang="en">{flow.syncError.message}</bdi>
        </p>
      )}
      <Details words={words} flow={flow} />
      {flow.previewUrl?.startsWith('https://') && (
        <p>
          <a class="link" href={flow.previewUrl} target="_blank" rel="noopener noreferrer" data-preview-link>
            {words.preview}
          </a>
        </p>
      )}
    </section>
  )
}

function Details({ words, flow }: Pick<FlowProps, 'words' | 'flow'>) {
  const { list } = words
  const facts = [
    [list.categories, flow.categories.map((name) => list.category[name]).join(', ')],
    [words.health, words.healths[flow.healthStatus]],
    [list.changed, <Time key="changed" at={flow.updatedAt} />],
    [words.id, <CopyText key="id" text={flow.id} />],
  ] as const
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
