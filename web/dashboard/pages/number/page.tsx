import { Asked, useAsked } from '../../ground/asked.tsx'
import type { AskedState } from '../../ground/asked.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { CopyText, Time } from '../../ground/shown.tsx'
import { useLive } from '../../ground/use-live.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { CallingBadge, StateBadge, withNews, wordOfKind } from '../pairing/number-facts.tsx'
import type { ShownNumber } from '../pairing/number-facts.tsx'
import { Acts } from './acts.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { EnableCalling } from './enable-calling.tsx'
import { Health } from './health.tsx'
import { NumberForm } from './number-form.tsx'
import { VoiceForm } from './voice-form.tsx'
import type { NumberWords } from './number-words.ts'

/** One number: its live state, what it can do, its settings, and the ways to connect, disconnect and remove it. */
export function Page({ words, id }: PageProps<NumberWords>) {
  const { api } = useApp()
  const number = useAsked(
    (signal) => api.get<ShownNumber>(`/api/v1/numbers/${encodeURIComponent(id)}`, { signal }),
    [id],
  )
  useLive({
    number: (frame) => number.change((now) => withNews(now, frame)),
  })
  return (
    <PageFrame
      name="number"
      heading={number.body?.name ?? words.loading}
      id={id}
      state={number.body?.state}
      above={{ path: '/dashboard/numbers', label: words.above }}
    >
      <Asked of={number} codes={words.codes}>
        {(body) => <Parts words={words} number={body} asked={number} />}
      </Asked>
    </PageFrame>
  )
}

interface PartsProps {
  readonly words: NumberWords
  readonly number: ShownNumber
  readonly asked: AskedState<ShownNumber>
}

function Parts({ words, number, asked }: PartsProps) {
  const { can } = useApp()
  const take = (newer: ShownNumber): void => asked.change(() => newer)
  return (
    <>
      <Facts words={words} number={number} again={asked.again} />
      {can('numbers:manage') && <Acts words={words} number={number} take={take} again={asked.again} />}
      <Health words={words} number={number} />
      {can('numbers:manage') && <NumberForm words={words} number={number} take={take} />}
      {can('numbers:manage') && <VoiceForm words={words} number={number} take={take} />}
      {can('numbers:manage') && number.official !== null && (
        <CredentialsForm words={words} number={number} take={take} />
      )}
    </>
  )
}

interface FactsProps {
  readonly words: NumberWords
  readonly number: ShownNumber
  /** Reads the number anew. */
  again(): void
}

function Facts({ words, number, again }: FactsProps) {
  const { facts } = words
  const state = number.state === 'OPEN' && !number.isFullyConnected ? 'LOADING' : number.state
  return (
    <dl class="facts">
      <dt>{facts.state}</dt>
      <dd data-live-state>
        <StateBadge number={number} words={words} />{' '}
        <span class="muted">
          {state === 'CLOSE' ? words.stateTexts.CLOSE[wordOfKind(number)] : words.stateTexts[state]}
        </span>
      </dd>
      <dt>{facts.calling}</dt>
      <dd data-calling={number.calling?.status}>
        <CallingBadge calling={number.calling} words={words} />{' '}
        <span class="muted">{words.callingTexts[number.calling?.status ?? 'paired']}</span>
        <EnableCalling words={words} number={number} again={again} />
      </dd>
      <dt>{facts.number}</dt>
      <dd class="digits" dir="ltr">
        +{number.number}
      </dd>
      <dt>{facts.kind}</dt>
      <dd>{words.kinds[wordOfKind(number)]}</dd>
      <dt>{facts.id}</dt>
      <dd>
        <CopyText text={number.id} />
      </dd>
      <dt>{facts.created}</dt>
      <dd>
        <Time at={number.createdAt} />
      </dd>
    </dl>
  )
}
