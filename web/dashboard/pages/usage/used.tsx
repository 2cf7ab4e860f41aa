import { PRICE_CATEGORIES } from '../../../../src/domain/usage.ts'
import type { Usage } from '../../../../src/domain/usage.ts'
import { Asked, Empty, useAsked } from '../../ground/asked.tsx'
import { DateFields } from '../../ground/date-range.tsx'
import type { Dates } from '../../ground/date-range.tsx'
import { ExportCsv, pagesOf } from '../../ground/export-csv.tsx'
import { useApp } from '../../shell/app.ts'
import type { ShownNumber } from '../pairing/number-facts.tsx'
import type { UsageWords } from './usage-words.ts'
import { Counted } from './counted.tsx'
import { DayChart } from './day-chart.tsx'
import { OfNumbers } from './of-numbers.tsx'
import { cellsOf, chartsOf, columnsOf, daysOf, typeColumnsOf } from './usage.ts'
import type { ByDay, DayUsage } from './usage.ts'

interface UsedProps {
  readonly words: UsageWords
  readonly dates: Dates
  readonly numbers: readonly ShownNumber[]
}

/** What the account used between two dates: totals, charts by day with their tables, and by number. */
export function Used({ words: { used: words }, dates, numbers }: UsedProps) {
  const { api } = useApp()
  const { startDate, endDate } = dates
  const byDay = useAsked(
    (signal) => api.get<ByDay>('/api/v1/usage', { query: { startDate, endDate, groupBy: 'day' }, signal }),
    [startDate, endDate],
  )
  const shown = { startDate: startDate ?? byDay.body?.from ?? null, endDate: endDate ?? byDay.body?.to ?? null }
  return (
    <section class="part" aria-labelledby="used">
      <h2 id="used">{words.heading}</h2>
      <div class="filters">
        <DateFields dates={shown} />
        {byDay.body !== null && <Export words={words} report={byDay.body} />}
      </div>
      <p class="hint">{words.utc}</p>
      <Asked of={byDay}>{(report) => <Report words={words} report={report} />}</Asked>
      <OfNumbers words={words} dates={dates} numbers={numbers} />
    </section>
  )
}

interface ReportProps {
  readonly words: UsageWords['used']
  readonly report: ByDay
}

/** The days are all there, so pages of the file are cut from them. */
function Export({ words, report }: ReportProps) {
  const days = daysOf(report)
  return (
    <ExportCsv<DayUsage>
      name={`usage-${report.from}-${report.to}`}
      columns={columnsOf(words)}
      cellsOf={(day) => cellsOf(day, words)}
      furtherOf={(items) => typeColumnsOf(items, words)}
      read={pagesOf(days)}
    />
  )
}

function Report({ words, report }: ReportProps) {
  const { total, items } = report
  const days = daysOf(report)
  if (items.length === 0) return <Empty text={words.none} />
  return (
    <>
      <Totals words={words} total={total} />
      {chartsOf(words).map((chart) => (
        <DayChart key={chart.name} words={words} chart={chart} days={days} />
      ))}
      <Counted
        words={words}
        name="types"
        heading={words.types}
        column={words.type}
        rows={Object.entries(total.messages.byType).map(([name, count]) => ({ name, count }))}
      />
      <Counted
        words={words}
        name="categories"
        heading={words.charged}
        column={words.category}
        rows={PRICE_CATEGORIES.map((name) => ({ name: words.categories[name], count: total.conversations[name] }))}
      />
    </>
  )
}

function Totals({ words, total }: { readonly words: UsageWords['used']; readonly total: Usage }) {
  const { language } = useApp()
  const { messages, calls, deliveries, recordings } = total
  const plain = new Intl.NumberFormat(language)
  const unit = (name: string, amount: number) =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, maximumFractionDigits: 1 }).format(amount)
  const figures: readonly (readonly [string, string, string])[] = [
    ['received', words.messagesReceived, plain.format(messages.inbound)],
    ['sent', words.messagesSent, plain.format(messages.outbound)],
    ['calls', words.calls, plain.format(calls.inbound + calls.outbound)],
    ['answered', words.answered, unit('minute', calls.seconds / 60)],
    ['succeeded', words.deliveriesSucceeded, plain.format(deliveries.succeeded)],
    ['failed', words.deliveriesFailed, plain.format(deliveries.failed)],
    ...(recordings.count === 0
      ? []
      : ([
          ['recordings', words.recordings, plain.format(recordings.count)],
          ['bytes', words.recordingSize, unit('megabyte', recordings.bytes / 1_000_000)],
        ] as const)),
  ]
  return (
    <dl class="figures">
      {figures.map(([name, label, text]) => (
        <div key={name} data-figure={name}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
