import { useState } from 'preact/hooks'
import { Asked, Empty, useAsked } from '../../ground/asked.tsx'
import { List } from '../../ground/list.tsx'
import type { ListedNumber } from '../../ground/numbers.ts'
import { NumberField, OfNumber } from '../../ground/of-number.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { Badge, CopyText, Secret, Time } from '../../ground/shown.tsx'
import { useLive } from '../../ground/use-live.ts'
import { useSettled } from '../../ground/use-settled.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { LinkPage } from './link-page.tsx'
import { pagePath, STANDING_TONES, standingOf } from './linked-page.ts'
import type { CreatedPage, LeadPagesWords, LinkedPage } from './linked-page.ts'

/** The Pages whose leads belong to a number. */
export function Page({ words, query }: PageProps<LeadPagesWords>) {
  const wanted = query.get('number')
  const above = wanted === null ? '/dashboard/leads' : `/dashboard/leads?number=${encodeURIComponent(wanted)}`
  return (
    <PageFrame name="lead-pages" heading={words.heading} above={{ path: above, label: words.above }}>
      <OfNumber wanted={wanted}>
        {(chosen, all) => (
          <>
            <div class="filters">
              <NumberField chosen={chosen} all={all} />
            </div>
            <PagesOf key={chosen.id} words={words} number={chosen} />
          </>
        )}
      </OfNumber>
    </PageFrame>
  )
}

interface PagesProps {
  readonly words: LeadPagesWords
  readonly number: ListedNumber
}

function PagesOf({ words, number }: PagesProps) {
  const { api, router, say } = useApp()
  const [isLinking, link] = useState(false)
  const [created, show] = useState<CreatedPage | null>(null)
  const pages = useAsked(
    (signal) => api.get<readonly LinkedPage[]>('/api/v1/lead-pages', { number: number.id, signal }),
    [number.id],
  )
  const refresh = useSettled(pages.again)
  useLive({
    event: ({ event, channelNumberId }) => event === 'lead.received' && channelNumberId === number.id && refresh(),
  })
  function done(page: CreatedPage): void {
    if (page.webhook.status === 'SUBSCRIBED') {
      router.go(pagePath(page))
      return say(words.link.done)
    }
    link(false)
    show(page)
    pages.again()
  }
  return (
    <>
      {created !== null && <ByHand words={words} page={created} />}
      {isLinking ? (
        <LinkPage words={words} number={number} close={() => link(false)} done={done} />
      ) : (
        <div class="actions">
          <button type="button" class="button primary" data-action="new" onClick={() => link(true)}>
            {words.link.open}
          </button>
        </div>
      )}
      <Asked of={pages} codes={words.codes}>
        {(all) => (all.length === 0 ? <Empty text={words.none} /> : <Listing words={words} pages={all} />)}
      </Asked>
    </>
  )
}

function Listing({ words, pages }: { readonly words: LeadPagesWords; readonly pages: readonly LinkedPage[] }) {
  return (
    <List
      label={words.heading}
      items={pages}
      columns={[words.page, words.pending, words.last, words.state]}
      hooksOf={(page) => ({ id: page.pageId, status: standingOf(page) })}
      row={(page) => [
        <a key="page" class="link" href={pagePath(page)}>
          <bdi>{page.pageName ?? page.pageId}</bdi>
        </a>,
        <span key="pending">{words.pendingCount(page.pendingLeads)}</span>,
        <Time key="last" at={page.lastLeadAt} />,
        <Badge key="state" tone={STANDING_TONES[standingOf(page)]} text={words.standings[standingOf(page)]} />,
      ]}
    />
  )
}

/** What to enter upstream where the app does not deliver here yet. */
function ByHand({ words, page }: { readonly words: LeadPagesWords; readonly page: CreatedPage }) {
  return (
    <section class="card warning" aria-labelledby="by-hand" data-by-hand={page.pageId}>
      <h2 id="by-hand">{words.byHand.heading}</h2>
      <p>{words.meanings[page.webhook.status]}</p>
      <p>{words.byHand.text}</p>
      <p>
        {words.byHand.url} <CopyText text={page.webhook.url} />
      </p>
      <Secret value={page.verifyToken} label={words.byHand.token} />
    </section>
  )
}
