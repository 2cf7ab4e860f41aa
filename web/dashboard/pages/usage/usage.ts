import type { UsageWords } from './usage-words.ts'

type Words = UsageWords['used']

/** Categories by which upstream charges messages ([usage.objects.6]). */
export const PRICE_CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION', 'SERVICE'] as const

/** What an account, a number or a day used ([usage.objects.1]). */
export interface Usage {
  readonly messages: {
    readonly inbound: number
    readonly outbound: number
    /** Both directions, by type. */
    readonly byType: Readonly<Record<string, number>>
  }
  readonly calls: { readonly inbound: number; readonly outbound: number; readonly seconds: number }
  readonly recordings: { readonly count: number; readonly bytes: number }
  readonly deliveries: { readonly succeeded: number; readonly failed: number; readonly attempts: number }
  readonly conversations: Readonly<Record<(typeof PRICE_CATEGORIES)[number], number>>
}

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
const NOTHING: Usage = {
  messages: { inbound: 0, outbound: 0, byType: {} },
  calls: { inbound: 0, outbound: 0, seconds: 0 },
  recordings: { count: 0, bytes: 0 },
  deliveries: { succeeded: 0, failed: 0, attempts: 0 },
  conversations: { MARKETING: 0, UTILITY: 0, AUTHENTICATION: 0, SERVICE: 0 },
}

/** Every day of a report, the first one first, with those on which nothing was used. */
export function everyDay({ from, to, items }: ByDay): readonly DayUsage[] {
  const used = new Map(items.map((item) => [item.day, item]))
  const [first, last] = [Date.parse(from), Date.parse(to)]
  return Array.from({ length: Math.round((last - first) / DAY_MS) + 1 }, (_, at) => {
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
