import { Fragment } from 'preact'
import { CheckNow } from '../../ground/check-now.tsx'
import { numberIn, useNumbers } from '../../ground/numbers.ts'
import { Badge, CopyText, NumberName, Time } from '../../ground/shown.tsx'
import { STANDING_TONES, standingOf } from '../lead-pages/linked-page.ts'
import type { LinkedPage } from '../lead-pages/linked-page.ts'
import { routeOf } from './props.ts'
import type { LeadPageProps } from './props.ts'

interface FactsProps extends LeadPageProps {
  /** Takes the Page as it was read anew. */
  take(now: LinkedPage): void
}

/** How a Page stands, and what to do about it. */
export function Facts({ words, page, take }: FactsProps) {
  const { list } = words
  const standing = standingOf(page)
  const leads = new URLSearchParams({ number: page.channelNumberId, pageId: page.pageId })
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
      <CheckNow path={routeOf(page.pageId)} label={words.check} codes={list.codes} take={take}>
        <a class="button quiet" data-action="leads" href={`/dashboard/leads?${leads}`}>
          {words.leads}
        </a>
      </CheckNow>
    </section>
  )
}

function NumberOf({ id }: { readonly id: string }) {
  const number = numberIn(useNumbers().body, id)
  return number === null ? <code dir="ltr">{id}</code> : <NumberName name={number.name} number={number.number} />
}
