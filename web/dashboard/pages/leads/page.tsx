import { useEffect, useRef, useState } from 'preact/hooks'
import { DateFields, datesIn } from '../../ground/date-range.tsx'
import type { Dates } from '../../ground/date-range.tsx'
import { EXPORT_PAGE, ExportCsv } from '../../ground/export-csv.tsx'
import { Listed } from '../../ground/listed.tsx'
import { NumberField, OfNumber } from '../../ground/of-number.tsx'
import type { ListedNumber } from '../../ground/numbers.ts'
import { PageFrame } from '../../ground/page.tsx'
import { Badge, Time } from '../../ground/shown.tsx'
import { useLive } from '../../ground/use-live.ts'
import { usePageReader, usePages } from '../../ground/use-pages.ts'
import { useSettled } from '../../ground/use-settled.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { FilterFields, FILTERS, filtersIn, NOTHING_SEEN, Only, withSeen } from './filters.tsx'
import type { Filters } from './filters.tsx'
import { adOf, answerColumnsOf, cellsOf, columnsOf, consentOf, leadPath, reasonOf, SEND_TONES } from './lead.ts'
import type { LeadsWords, ListedLead } from './lead.ts'

/** The leads that came to a number, newest first. */
export function Page({ words, query }: PageProps<LeadsWords>) {
  const { can } = useApp()
  const wanted = query.get('number')
  return (
    <PageFrame
      name="leads"
      heading={words.heading}
      actions={
        can('leads:manage') && (
          <a
            class="button quiet"
            data-action="pages"
            href={`/dashboard/leads/pages${wanted === null ? '' : `?number=${encodeURIComponent(wanted)}`}`}
          >
            {words.pages}
          </a>
        )
      }
    >
      <OfNumber wanted={wanted}>
        {(chosen, all) => <OfOne key={chosen.id} words={words} query={query} chosen={chosen} all={all} />}
      </OfNumber>
    </PageFrame>
  )
}

interface OfOneProps {
  readonly words: LeadsWords
  readonly query: URLSearchParams
  readonly chosen: ListedNumber
  readonly all: readonly ListedNumber[]
}

function OfOne({ words, query, chosen, all }: OfOneProps) {
  const [seen, see] = useState(NOTHING_SEEN)
  const [dates, filters] = [datesIn(query), filtersIn(query)]
  return (
    <>
      <div class="filters">
        <NumberField chosen={chosen} all={all} drops={FILTERS} />
        <DateFields dates={dates} />
        <FilterFields words={words} filters={filters} seen={seen} />
      </div>
      <Leads
        key={Object.values({ ...dates, ...filters }).join(' ')}
        {...{ words, dates, filters }}
        number={chosen.id}
        saw={(leads) => see((now) => withSeen(now, leads))}
      />
    </>
  )
}

interface LeadsProps {
  readonly words: LeadsWords
  readonly number: string
  readonly dates: Dates
  readonly filters: Filters
  /** Told of the leads that are shown. */
  saw(leads: readonly ListedLead[]): void
}

function Leads({ words, number, dates, filters, saw }: LeadsProps) {
  const asked = { path: '/api/v1/leads', number, query: { ...dates, ...filters }, field: 'leads' }
  const list = usePages<ListedLead>(asked)
  const read = usePageReader<ListedLead>(asked)
  const refresh = useSettled(list.again)
  /** Leads that came since the page was opened; what answers one may be told before the list shows it. */
  const came = useRef(new Set<unknown>())
  useEffect(() => saw(list.items ?? []), [list.items])
  useLive({
    event({ event, channelNumberId, data }) {
      if (channelNumberId !== number) return
      if (event === 'lead.received') came.current.add(data['id'])
      // A message that answers a lead names the lead.
      const answered = data['correlationId'] ?? null
      const isOfLead = came.current.has(answered) || list.items?.some(({ id }) => id === answered) === true
      if (event === 'lead.received' || isOfLead) refresh()
    },
  })
  return (
    <Listed
      of={list}
      none={FILTERS.some((filter) => filters[filter] !== null) ? words.noneSuch : words.none}
      codes={words.codes}
      label={words.heading}
      columns={[words.person, words.form, words.ad, words.submitted, words.consent, words.sent]}
      hooksOf={({ id, autoSendStatus }) => ({ id, status: autoSendStatus })}
      row={(one) => rowOf(one, words, number)}
      above={
        <div class="actions">
          <ExportCsv<ListedLead>
            name="leads"
            columns={columnsOf(words)}
            cellsOf={(lead) => cellsOf(lead, words)}
            furtherOf={answerColumnsOf}
            read={(page) => read(page, EXPORT_PAGE)}
          />
        </div>
      }
    />
  )
}

function rowOf(one: ListedLead, words: LeadsWords, number: string) {
  const { adId, formId, formName, pageId, pageName } = one
  const reason = reasonOf(one, words)
  return [
    <Person key="person" words={words} lead={one} path={leadPath(one, number)} />,
    <div key="form">
      <Only filter="formId" id={formId} name={formName ?? formId} words={words} />
      <div class="muted">
        <Only filter="pageId" id={pageId} name={pageName ?? pageId} words={words} />
      </div>
    </div>,
    adId === null ? (
      <span key="ad">{adOf(one, words)}</span>
    ) : (
      <Only key="ad" filter="adId" id={adId} name={adOf(one, words)} words={words} />
    ),
    <Time key="submitted" at={one.createdAt} />,
    <span key="consent" data-consent={String(one.consentGiven)}>
      {consentOf(one, words)}
    </span>,
    <div key="sent">
      <Badge tone={SEND_TONES[one.autoSendStatus]} text={words.sends[one.autoSendStatus]} />
      {reason !== null && (
        <div class="muted" data-reason={one.autoSendReason}>
          {reason}
        </div>
      )}
    </div>,
  ]
}

interface PersonProps {
  readonly words: LeadsWords
  readonly lead: ListedLead
  readonly path: string
}

function Person({ words, lead, path }: PersonProps) {
  if (lead.redacted)
    return (
      <a class="link" href={path} data-redacted>
        {words.redacted}
      </a>
    )
  const reached = [lead.email, lead.phone].filter((said) => said !== null)
  return (
    <div>
      <a class="link" href={path}>
        <bdi>{lead.fullName ?? words.noName}</bdi>
      </a>
      {reached.map((said) => (
        <div key={said} class="muted">
          <bdi>{said}</bdi>
        </div>
      ))}
    </div>
  )
}
