import { useApp } from '../../shell/app.ts'
import type { UsageWords } from './usage-words.ts'
import type { Chart, DayUsage } from './usage.ts'

interface DayChartProps {
  readonly words: UsageWords['used']
  readonly chart: Chart
  /** The first day first. */
  readonly days: readonly DayUsage[]
}

/** A chart of days with a table of the same figures beside it. */
export function DayChart({ words, chart, days }: DayChartProps) {
  const { name, heading } = chart
  return (
    <section class="card usage-days" aria-labelledby={`usage-${name}`}>
      <h3 id={`usage-${name}`}>{heading}</h3>
      <Columns words={words} chart={chart} days={days} />
      <DayTable words={words} chart={chart} days={days} />
    </section>
  )
}

/** A day is one unit wide; the heights are of 100. */
const COLUMN = 0.8
const GAP = (1 - COLUMN) / 2

/** A column a day. It is a picture with a label, because the table says the same. */
function Columns({ words, chart: { name, heading, lower, upper, isUpperBad }, days }: DayChartProps) {
  const { language } = useApp()
  const most = Math.max(1, ...days.map(({ used }) => lower.of(used) + upper.of(used)))
  const [first, last] = [days[0], days.at(-1)]
  return (
    <div class="usage-chart" role="img" aria-label={words.chart(heading)} data-chart={name}>
      <div class="usage-legend">
        <span class="usage-lower">{lower.label}</span>
        <span class={isUpperBad ? 'usage-bad' : 'usage-upper'}>{upper.label}</span>
        <span class="usage-most">{new Intl.NumberFormat(language).format(most)}</span>
      </div>
      <svg viewBox={`0 0 ${days.length} 100`} preserveAspectRatio="none" aria-hidden="true">
        {days.map(({ id, used }, at) => {
          const [below, above] = [lower.of(used), upper.of(used)]
          const [height, further] = [(100 * below) / most, (100 * above) / most]
          return (
            <g key={id} data-day={id}>
              <title>{`${dayText(id, language)}: ${lower.label} ${below}, ${upper.label} ${above}`}</title>
              <rect class="usage-hit" x={at} y={0} width={1} height={100} />
              <rect class="usage-lower" x={at + GAP} y={100 - height} width={COLUMN} height={height} />
              <rect
                class={isUpperBad ? 'usage-bad' : 'usage-upper'}
                x={at + GAP}
                y={100 - height - further}
                width={COLUMN}
                height={further}
              />
            </g>
          )
        })}
      </svg>
      <div class="usage-ends">
        <span>{first !== undefined && dayText(first.id, language)}</span>
        <span>{last !== undefined && last !== first && dayText(last.id, language)}</span>
      </div>
    </div>
  )
}

/** The figures of each day, the newest day first. */
function DayTable({ words, chart: { name, heading, lower, upper, further }, days }: DayChartProps) {
  const { language } = useApp()
  const figures = [lower, upper, ...further]
  const number = new Intl.NumberFormat(language)
  return (
    <div class="usage-table" role="region" aria-label={words.table(heading)} tabIndex={0}>
      <table data-table={name}>
        <thead>
          <tr>
            <th scope="col">{words.day}</th>
            {figures.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ id, used }) => (
            <tr key={id} data-day={id}>
              <th scope="row">
                <time dateTime={id}>{dayText(id, language)}</time>
              </th>
              {figures.map(({ label, of }) => (
                <td key={label}>{number.format(of(used))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A day of UTC in the language of the person. */
function dayText(day: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))
}
