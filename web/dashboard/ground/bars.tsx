import './bars.css'

interface Bar {
  readonly name: string
  readonly count: number
}

/** Our choice: the bars of a chart; the list below it has all rows. */
const MOST_BARS = 20

/**
 * A chart of bars, the longest first as they come. It is a picture with a label, because a list or a table says the
 * same; widths are attributes of the drawing, which the policy of the page allows.
 */
export function Bars({ label, bars }: { readonly label: string; readonly bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <div class="bar-chart" role="img" aria-label={label} data-chart>
      {bars.slice(0, MOST_BARS).map(({ name, count }, at) => (
        <div key={at} class="bar-chart-row">
          <bdi class="bar-chart-name">{name}</bdi>
          <svg class="bar-chart-line" height="12" aria-hidden="true">
            <rect width={`${(100 * count) / most}%`} height="12" rx="3" data-count={count} />
          </svg>
          <span class="bar-chart-count">{count}</span>
        </div>
      ))}
    </div>
  )
}
