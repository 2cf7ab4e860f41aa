import { Bars } from '../../ground/bars.tsx'
import { useApp } from '../../shell/app.ts'
import type { UsageWords } from './usage-words.ts'

interface CountedProps {
  readonly words: UsageWords['used']
  /** A hook of the table, unlike those of the others. */
  readonly name: 'types' | 'categories'
  readonly heading: string
  /** What each row is. */
  readonly column: string
  readonly rows: readonly { readonly name: string; readonly count: number }[]
}

/** Figures of the whole time as bars with a table beside them, the largest first; nothing where all are zero. */
export function Counted({ words, name, heading, column, rows }: CountedProps) {
  const { language } = useApp()
  const counted = rows.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count)
  if (counted.length === 0) return null
  return (
    <section class="card usage-days" aria-labelledby={`usage-${name}`}>
      <h3 id={`usage-${name}`}>{heading}</h3>
      <Bars label={words.bars(heading)} bars={counted} />
      <div class="usage-table" role="region" aria-label={words.table(heading)} tabIndex={0}>
        <table data-table={name}>
          <thead>
            <tr>
              <th scope="col">{column}</th>
              <th scope="col">{words.count}</th>
            </tr>
          </thead>
          <tbody>
            {counted.map((row) => (
              <tr key={row.name}>
                <th scope="row">
                  <bdi>{row.name}</bdi>
                </th>
                <td>{new Intl.NumberFormat(language).format(row.count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
