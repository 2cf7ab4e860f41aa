import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import type { Fault } from '../../../ui/session/answers.ts'
import { FaultLine } from '../../ground/asked.tsx'
import { numberIn, useNumbers } from '../../ground/numbers.ts'
import { Badge, CopyText, NumberName, Time } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import { STANDING_TONES, standingOf } from '../lead-pages/linked-page.ts'
import type { LinkedPage } from '../lead-pages/linked-page.ts'
import { routeOf } from './props.ts'
import type { LeadPageProps } from './props.ts'

interface FactsProps extends LeadPageProps {
  /** Takes the Page as it was read anew. */
  take(now: LinkedPage): void
}

/** How a Page stands, and what to do about it. */
export function Facts(props: FactsProps) {
  const { words, page } = props
  const { list } = words
  const standing = standingOf(page)
  const facts = [
    [words.number, <NumberOf key="number" id={page.channelNumberId} />],
    [list.pending, list.pendingCount(page.pendingLeads)],
    [list.last, <Time key="last" at={page.lastLeadAt} />],
    [words.linked, <Time key="linked" at={page.createdAt} />],
    [words.id, <CopyText key="id" text={page.pageId} />],
    [list.link.appId, <CopyText key="app" text={page.appId} />],
    [list.byHand.url, <CopyText key="url" text={page.webhook.url} />],
  ] as const
  return (
    <section class="card" aria-label={list.state}>
      <p>
        <Badge tone={STANDING_TONES[standing]} text={list.standings[standing]} /> {list.meanings[standing]}
      </p>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      <CheckNow {...props} />
    </section>
  )
}

function NumberOf({ id }: { readonly id: string }) {
  const number = numberIn(useNumbers().body, id)
  return number === null ? <code dir="ltr">{id}</code> : <NumberName name={number.name} number={number.number} />
}

/** Asks upstream how the Page stands, and the ways from here. */
function CheckNow({ words, page, take }: FactsProps) {
  const { api, words: ground } = useApp()
  const [isBusy, busy] = useState(false)
  const [fault, fail] = useState<Fault | null>(null)
  async function check(): Promise<void> {
    busy(true)
    fail(null)
    const answer = await api.get<LinkedPage>(routeOf(page.pageId), { query: { refresh: '1' } })
    busy(false)
    if (answer.fault) fail(answer.fault)
    else take(answer.body)
  }
  const leads = new URLSearchParams({ number: page.channelNumberId, pageId: page.pageId })
  return (
    <>
      {fault !== null && <FaultLine fault={fault} codes={words.list.codes} />}
      <div class="actions">
        <button type="button" class="button quiet" data-action="refresh" disabled={isBusy} onClick={() => void check()}>
          {isBusy ? ground.loading : words.check}
        </button>
        <a class="button quiet" data-action="leads" href={`/dashboard/leads?${leads}`}>
          {words.leads}
        </a>
      </div>
    </>
  )
}
