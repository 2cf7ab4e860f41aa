import { useEffect, useRef } from 'preact/hooks'
import { Asked, Empty, useAsked } from '../../ground/asked.tsx'
import type { AskedState } from '../../ground/asked.tsx'
import { Bars } from '../../ground/bars.tsx'
import type { Dates } from '../../ground/date-range.tsx'
import { ExportCsv, pagesOf } from '../../ground/export-csv.tsx'
import { List } from '../../ground/list.tsx'
import { Time } from '../../ground/shown.tsx'
import { useLive } from '../../ground/use-live.ts'
import { useSettled } from '../../ground/use-settled.ts'
import { useApp } from '../../shell/app.ts'
import { cellsOf, mayRefer, nameOf } from './ad.ts'
import type { Ad, AdsWords } from './ad.ts'
import { People } from './people.tsx'

/** When names that are awaited are read again, in ms ([referrals.names.9]). */
const NAMES_MS = [5_000, 60_000] as const

interface Summary {
  readonly ads: readonly Ad[]
  readonly truncated: boolean
}

export interface AdsProps {
  readonly words: AdsWords
  /** The id of the number. */
  readonly number: string
  readonly dates: Dates
  /** The id of the ad whose people are shown; null for none. */
  readonly open: string | null
  /** How often ad accounts were shared since the page was opened: the names that were missing are asked for then. */
  readonly shares: number
}

/** What each ad or post began, as a chart and a list. */
export function Ads({ words, number, dates, open, shares }: AdsProps) {
  const { api, can } = useApp()
  const summary = useAsked(
    (signal) => api.get<Summary>('/api/v1/referrals/summary', { number, query: { ...dates }, signal }),
    [number, dates.startDate, dates.endDate],
  )
  const refresh = useSettled(summary.again)
  useLive({ event: (frame) => frame.channelNumberId === number && mayRefer(frame) && refresh() })
  useNames(summary, shares)
  return (
    <Asked of={summary} codes={words.codes}>
      {({ ads, truncated }) => {
        const opened = ads.find(({ sourceId }) => sourceId === open)
        if (ads.length === 0) return <Empty text={words.none} />
        return (
          <>
            <Bars label={words.chart} bars={ads.map((ad) => ({ name: nameOf(ad), count: ad.conversations }))} />
            {truncated && <p class="muted">{words.truncated}</p>}
            <div class="actions">
              <Export words={words} ads={ads} />
            </div>
            <Listing words={words} ads={ads} number={number} />
            {opened !== undefined && can('chat:read') && (
              <People key={opened.sourceId} words={words} ad={opened} number={number} dates={dates} />
            )}
          </>
        )
      }}
    </Asked>
  )
}

/** Saves the ads that are shown. */
function Export({ words, ads }: { readonly words: AdsWords; readonly ads: readonly Ad[] }) {
  const items = ads.map((ad) => ({ ...ad, id: ad.sourceId }))
  return (
    <ExportCsv<(typeof items)[number]>
      name="ads"
      columns={Object.values(words.columns)}
      cellsOf={cellsOf}
      read={pagesOf(items)}
    />
  )
}

/** Reads the ads again while names of theirs may still come, and after ad accounts were shared. */
function useNames({ body, again }: AskedState<Summary>, shares: number): void {
  const { clock } = useApp()
  const tries = useRef(0)
  useEffect(() => {
    const afterMs = NAMES_MS[tries.current]
    if (afterMs === undefined || body?.ads.some(({ namesResolvedAt }) => namesResolvedAt === null) !== true) return
    const next = clock.after(afterMs, () => {
      tries.current += 1
      again()
    })
    return () => next.cancel()
  }, [body])
  useEffect(() => {
    if (shares === 0) return
    const reads = NAMES_MS.map((afterMs) => clock.after(afterMs, again))
    return () => reads.forEach((read) => read.cancel())
  }, [shares])
}

interface ListingProps extends Pick<AdsProps, 'words' | 'number'> {
  readonly ads: readonly Ad[]
}

function Listing({ words, ads, number }: ListingProps) {
  return (
    <List
      label={words.heading}
      items={ads}
      columns={[words.ad, words.campaign, words.conversations, words.messages, words.last]}
      hooksOf={({ sourceId }) => ({ id: sourceId })}
      row={(ad) => [
        <Named key="ad" words={words} ad={ad} number={number} />,
        <div key="campaign">
          <bdi>{ad.campaignName}</bdi>
          <div class="muted">
            <bdi>{ad.adsetName}</bdi>
          </div>
        </div>,
        <Conversations key="conversations" words={words} ad={ad} />,
        <span key="messages">{words.timeCount(ad.messages)}</span>,
        <Time key="last" at={ad.lastMessageAt} />,
      ]}
    />
  )
}

interface NamedProps extends Pick<AdsProps, 'words' | 'number'> {
  readonly ad: Ad
}

/** An ad with the way to it, and to the leads of its forms. */
function Named({ words, ad, number }: NamedProps) {
  const { can } = useApp()
  const leads = new URLSearchParams({ number, adId: ad.sourceId })
  return (
    <div>
      <bdi>{nameOf(ad)}</bdi>
      <div class="muted" dir="ltr">
        {ad.sourceId}
      </div>
      {ad.lastSourceUrl?.startsWith('https://') && (
        <div>
          <a class="link" href={ad.lastSourceUrl} target="_blank" rel="noopener noreferrer" data-source>
            {words.source}
          </a>
        </div>
      )}
      {ad.sourceType === 'ad' && can('chat:read') && (
        <a class="link" href={`/dashboard/leads?${leads}`} data-leads>
          {words.leads}
        </a>
      )}
    </div>
  )
}

/** How many conversations an ad began; whoever may read them opens them. */
function Conversations({ words, ad }: Omit<NamedProps, 'number'>) {
  const { can, router } = useApp()
  const text = words.conversationCount(ad.conversations)
  if (!can('chat:read')) return <span>{text}</span>
  return (
    <button type="button" class="as-link" data-action="people" onClick={() => router.ask({ ad: ad.sourceId })}>
      {text}
    </button>
  )
}
