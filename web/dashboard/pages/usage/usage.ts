import { PRICE_CATEGORIES, usageOf } from '../../../../src/domain/usage.ts'
import type { Usage } from '../../../../src/domain/usage.ts'
import type { UsageWords } from './usage-words.ts'

type Words = UsageWords['used']

/** What `GET /v1/usage` answers ([usage.routes.1]); days and numbers without use are left out. */
interface Report<Item> {
  /** The first and the last day (UTC), `YYYY-MM-DD`. */
  readonly from: string
  readonly to: string
  readonly items: readonly (Usage & Item)[]
  readonly total: Usage
}
export type ByDay = Report<{ readonly day: string }>
export type ByNumber = Report<{ readonly channelNumberId: string }>

/** What was used on a day; its id is the day. */
export interface DayUsage {
  readonly id: string
  readonly used: Usage
}

const DAY_MS = 86_400_000
const NOTHING = usageOf([])
/** Our choice: over more days than these only those that were used are shown, or a first year of 0001 draws 700,000. */
const MOST_DAYS = 366

/** The days of a report, the first one first: every one, or of a long time those on which something was used. */
export function daysOf({ from, to, items }: ByDay): readonly DayUsage[] {
  const first = Date.parse(from)
  const length = Math.round((Date.parse(to) - first) / DAY_MS) + 1
  if (length > MOST_DAYS) return items.map(({ day, ...used }) => ({ id: day, used }))
  const used = new Map(items.map((item) => [item.day, item]))
  return Array.from({ length }, (_, at) => {
    const id = new Date(first + at * DAY_MS).toISOString().slice(0, 10)
    return { id, used: used.get(id) ?? NOTHING }
  })
}

/** A column of figures: one of the two that a chart is drawn of, or a further one of its table. */
export interface Figures {
  readonly label: string
  readonly of: (used: Usage) => number
}

/** What a chart shows of each day, as two figures that stand on one another. */
export interface Chart {
  readonly name: 'messages' | 'calls' | 'deliveries'
  readonly heading: string
  readonly lower: Figures
  readonly upper: Figures
  /** Whether the upper figure is of what went wrong. */
  readonly isUpperBad: boolean
  readonly further: readonly Figures[]
}

/** The charts of the page, in their order. */
export function chartsOf(words: Words): readonly Chart[] {
  return [
    {
      name: 'messages',
      heading: words.messages,
      lower: { label: words.received, of: ({ messages }) => messages.inbound },
      upper: { label: words.sent, of: ({ messages }) => messages.outbound },
      isUpperBad: false,
      further: [],
    },
    {
      name: 'calls',
      heading: words.calls,
      lower: { label: words.callsReceived, of: ({ calls }) => calls.inbound },
      upper: { label: words.placed, of: ({ calls }) => calls.outbound },
      isUpperBad: false,
      further: [{ label: words.seconds, of: ({ calls }) => calls.seconds }],
    },
    {
      name: 'deliveries',
      heading: words.deliveries,
      lower: { label: words.succeeded, of: ({ deliveries }) => deliveries.succeeded },
      upper: { label: words.failed, of: ({ deliveries }) => deliveries.failed },
      isUpperBad: true,
      further: [{ label: words.attempts, of: ({ deliveries }) => deliveries.attempts }],
    },
  ]
}

/** The columns of the file: those of the charts, and those that stand in no chart. */
function fileFigures(words: Words): readonly Figures[] {
  const charts = chartsOf(words).flatMap(({ heading, lower, upper, further }) =>
    [lower, upper, ...further].map(({ label, of }) => ({ label: `${heading}: ${label}`, of })),
  )
  return [
    ...charts,
    { label: words.recordings, of: ({ recordings }) => recordings.count },
    { label: words.recordingBytes, of: ({ recordings }) => recordings.bytes },
    ...PRICE_CATEGORIES.map((name) => ({
      label: `${words.charged}: ${words.categories[name]}`,
      of: ({ conversations }: Usage) => conversations[name],
    })),
  ]
}

/** The names of the columns of the file, in the order of `cellsOf`. */
export function columnsOf(words: Words): readonly string[] {
  return [words.day, ...fileFigures(words).map(({ label }) => label)]
}

/** The cells of a day in the file, except for the types of its messages. */
export function cellsOf({ id, used }: DayUsage, words: Words): readonly string[] {
  return [id, ...fileFigures(words).map(({ of }) => String(of(used)))]
}

/** A column for each type of message that was there. */
export function typeColumnsOf(days: readonly DayUsage[], words: Words) {
  const types = new Set(days.flatMap(({ used }) => Object.keys(used.messages.byType)))
  return [...types].toSorted().map((type) => ({
    name: `${words.messages}: ${type}`,
    cellOf: ({ used }: DayUsage) => String(used.messages.byType[type] ?? 0),
  }))
}
