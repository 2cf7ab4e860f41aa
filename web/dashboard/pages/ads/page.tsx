import type { words as english } from '../../../words/dashboard/ads/en.ts'
import type { Like } from '../../../words/language.ts'
import { Asked, Empty, useAsked } from '../../ground/asked.tsx'
import { DateFields, datesIn } from '../../ground/date-range.tsx'
import type { Dates } from '../../ground/date-range.tsx'
import { List } from '../../ground/list.tsx'
import { NumberField, OfNumber } from '../../ground/of-number.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { Time } from '../../ground/shown.tsx'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { Bars } from './bars.tsx'

type Words = Like<typeof english>

/** What an ad or a post brought ([referrals.summary.1]). */
interface Ad {
  readonly sourceId: string
  readonly conversations: number
  readonly messages: number
  readonly lastHeadline: string | null
  readonly lastMessageAt: string
  readonly adName?: string | null
}

interface Summary {
  readonly ads: readonly Ad[]
  readonly truncated: boolean
}

/** The conversations that each ad or post began with a number. */
export function Page({ words, query }: PageProps<Words>) {
  const dates = datesIn(query)
  return (
    <PageFrame name="ads" heading={words.heading}>
      <OfNumber wanted={query.get('number')}>
        {(chosen, all) => (
          <>
            <div class="filters">
              <NumberField chosen={chosen} all={all} />
              <DateFields dates={dates} />
            </div>
            <Ads words={words} number={chosen.id} dates={dates} />
          </>
        )}
      </OfNumber>
    </PageFrame>
  )
}

interface AdsProps {
  readonly words: Words
  readonly number: string
  readonly dates: Dates
}

function Ads({ words, number, dates }: AdsProps) {
  const { api } = useApp()
  const summary = useAsked(
    (signal) => api.get<Summary>('/api/v1/referrals/summary', { number, query: { ...dates }, signal }),
    [number, dates.startDate, dates.endDate],
  )
  return (
    <Asked of={summary}>
      {({ ads, truncated }) =>
        ads.length === 0 ? (
          <Empty text={words.none} />
        ) : (
          <>
            <Bars label={words.chart} bars={ads.map((ad) => ({ name: nameOf(ad), count: ad.conversations }))} />
            {truncated && <p class="muted">{words.truncated}</p>}
            <List
              label={words.heading}
              items={ads}
              columns={[words.ad, words.conversations, words.messages, words.last]}
              hooksOf={({ sourceId }) => ({ id: sourceId })}
              row={(ad) => [
                <div key="ad">
                  <bdi>{nameOf(ad)}</bdi>
                  <div class="muted" dir="ltr">
                    {ad.sourceId}
                  </div>
                </div>,
                <span key="conversations">{words.conversationCount(ad.conversations)}</span>,
                <span key="messages">{words.timeCount(ad.messages)}</span>,
                <Time key="last" at={ad.lastMessageAt} />,
              ]}
            />
          </>
        )
      }
    </Asked>
  )
}

function nameOf({ adName, lastHeadline, sourceId }: Ad): string {
  return adName ?? lastHeadline ?? sourceId
}
