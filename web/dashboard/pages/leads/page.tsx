import type { words as english } from '../../../words/dashboard/leads/en.ts'
import type { Like } from '../../../words/language.ts'
import { DateFields, datesIn } from '../../ground/date-range.tsx'
import type { Dates } from '../../ground/date-range.tsx'
import { EXPORT_PAGE, ExportCsv } from '../../ground/export-csv.tsx'
import { Listed } from '../../ground/listed.tsx'
import { NumberField, OfNumber } from '../../ground/of-number.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { Badge, Time } from '../../ground/shown.tsx'
import { useLive } from '../../ground/use-live.ts'
import { usePageReader, usePages } from '../../ground/use-pages.ts'
import { useSettled } from '../../ground/use-settled.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { cellsOf, SEND_TONES } from './lead.ts'
import type { ListedLead } from './lead.ts'

type Words = Like<typeof english>

/** Our choice, in ms: leads that come together are read once. */
const SETTLED_MS = 500

/** The leads that came to a number, newest first. */
export function Page({ words, query }: PageProps<Words>) {
  const dates = datesIn(query)
  return (
    <PageFrame name="leads" heading={words.heading}>
      <OfNumber wanted={query.get('number')}>
        {(chosen, all) => (
          <>
            <div class="filters">
              <NumberField chosen={chosen} all={all} />
              <DateFields dates={dates} />
            </div>
            <Leads key={[chosen.id, ...Object.values(dates)].join(' ')} {...{ words, dates }} number={chosen.id} />
          </>
        )}
      </OfNumber>
    </PageFrame>
  )
}

interface LeadsProps {
  readonly words: Words
  readonly number: string
  readonly dates: Dates
}

function Leads({ words, number, dates }: LeadsProps) {
  const asked = { path: '/api/v1/leads', number, query: { ...dates }, field: 'leads' }
  const list = usePages<ListedLead>(asked)
  const read = usePageReader<ListedLead>(asked)
  const refresh = useSettled(list.again, SETTLED_MS)
  useLive({
    event: ({ event, channelNumberId }) => event === 'lead.received' && channelNumberId === number && refresh(),
  })
  return (
    <Listed
      of={list}
      none={words.none}
      codes={words.codes}
      label={words.heading}
      columns={[words.person, words.form, words.ad, words.submitted, words.sent]}
      hooksOf={({ id, autoSendStatus }) => ({ id, status: autoSendStatus })}
      row={(one) => rowOf(one, words)}
      above={
        <div class="actions">
          <ExportCsv<ListedLead>
            name="leads"
            columns={[words.id, words.person, words.email, words.phone, words.form, words.ad, words.submitted]}
            cellsOf={cellsOf}
            read={(page) => read(page, EXPORT_PAGE)}
          />
        </div>
      }
    />
  )
}

function rowOf(one: ListedLead, words: Words) {
  return [
    <div key="person">
      {one.redacted ? (
        <span class="muted" data-redacted>
          {words.redacted}
        </span>
      ) : (
        <>
          <bdi>{one.fullName ?? words.noName}</bdi>
          <div class="muted">
            <bdi>{[one.email, one.phone].filter((said) => said !== null).join(' · ')}</bdi>
          </div>
        </>
      )}
    </div>,
    <bdi key="form">{one.formName ?? one.formId}</bdi>,
    <bdi key="ad">{one.adName ?? one.adId ?? (one.isOrganic === true ? words.organic : words.noAd)}</bdi>,
    <Time key="received" at={one.createdAt} />,
    <Badge key="sent" tone={SEND_TONES[one.autoSendStatus]} text={words.sends[one.autoSendStatus]} />,
  ]
}
