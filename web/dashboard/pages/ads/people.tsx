import { useEffect, useRef } from 'preact/hooks'
import type { Dates } from '../../ground/date-range.tsx'
import { Listed } from '../../ground/listed.tsx'
import { Time } from '../../ground/shown.tsx'
import { usePages } from '../../ground/use-pages.ts'
import { useApp } from '../../shell/app.ts'
import { nameOf } from './ad.ts'
import type { Ad, AdsWords, Referral } from './ad.ts'

interface PeopleProps {
  readonly words: AdsWords
  readonly ad: Ad
  readonly number: string
  readonly dates: Dates
}

/** Who wrote from an ad, newest first, with the ways to the conversations. */
export function People({ words, ad, number, dates }: PeopleProps) {
  const { router, words: ground } = useApp()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const list = usePages<Referral>({
    path: '/api/v1/referrals',
    number,
    query: { sourceId: ad.sourceId, ...dates },
    field: 'referrals',
  })
  return (
    <section class="part" aria-labelledby="people" data-open={ad.sourceId}>
      <h2 id="people" ref={heading} tabIndex={-1}>
        {words.people} <bdi>{nameOf(ad)}</bdi>
      </h2>
      <Listed
        of={list}
        none={words.none}
        label={words.people}
        columns={[words.person, words.text, words.at]}
        hooksOf={({ id }) => ({ id })}
        row={(one) => [
          <Person key="person" words={words} referral={one} number={number} />,
          <bdi key="text">{one.redacted ? words.redacted : one.content}</bdi>,
          <Time key="at" at={one.createdAt} />,
        ]}
      />
      <div class="actions">
        <button type="button" class="button quiet" data-action="close" onClick={() => router.ask({ ad: null })}>
          {ground.close}
        </button>
      </div>
    </section>
  )
}

interface PersonProps extends Pick<PeopleProps, 'words' | 'number'> {
  readonly referral: Referral
}

function Person({ words, referral, number }: PersonProps) {
  const { can } = useApp()
  const { from, fromName, conversationId } = referral
  const inbox = new URLSearchParams({ numberId: number, conversationId })
  return (
    <div>
      <bdi>{fromName ?? ''}</bdi>{' '}
      <span class="muted digits" dir="ltr">
        {from}
      </span>
      {can('chat:send') && (
        <div>
          <a class="link" href={`/dashboard/inbox?${inbox}`} data-conversation>
            {words.conversation}
          </a>
        </div>
      )}
    </div>
  )
}
