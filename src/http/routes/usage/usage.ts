import { refuse, RefusalError } from '../../../domain/errors.ts'
import { reportOf } from '../../../domain/usage.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { UsageStore } from '../../../ports/stores/usage-store.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { RANGE_CODES } from '../date-range.ts'
import * as example from './examples.ts'
import * as schema from './schema.ts'

export interface UsageDeps {
  readonly usage: UsageStore
  readonly clock: Clock
}

const DAY_MS = 86_400_000
/** Our choice: days without dates, and the most that one answer is of: a leap year. */
const DAYS = 30
const MOST_DAYS = 366

/** What the account used ([usage.routes.1]). */
export function usageRoutes(deps: UsageDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/usage',
      name: 'getUsage',
      group: 'Status',
      access: { by: ['key', 'session'], of: 'tenant' },
      permission: 'numbers:read',
      summary: 'Read what the account used, by day or by number',
      description: `Days are those of UTC, without dates the last ${DAYS}; one answer is of ${MOST_DAYS} at most. Everything is counted as it is stored, so it is exact, and stays when messages are deleted or numbers are removed.`,
      query: schema.query,
      queryCodes: RANGE_CODES,
      queryExample: 'startDate=2026-01-01&endDate=2026-01-30&groupBy=day',
      answer: { status: 200, description: 'The usage', schema: schema.usage, example: example.USAGE },
      async handle({ caller, query: { startDate, endDate, groupBy = 'day' } }) {
        const { from, to } = daysOf(startDate, endDate, deps.clock.now())
        const by = groupBy === 'day' ? 'day' : 'numberId'
        const { items, total } = reportOf(await deps.usage.read(caller.tenantId, { first: from, last: to, by }), by)
        const named = items.map(({ of, usage }) => ({
          ...(groupBy === 'day' ? { day: of } : { channelNumberId: of }),
          ...usage,
        }))
        return { status: 200, body: { from, to, groupBy, items: named, total } }
      },
    }),
  ]
}

/**
 * The first and the last day of a range, in UTC. Throws a refusal INVALID_DATE_RANGE when there are too many days
 * between them, or the first comes after today without an end.
 */
function daysOf(startDate: Date | undefined, endDate: Date | undefined, nowMs: number) {
  const to = startOfDay(endDate?.getTime() ?? nowMs)
  const from = startOfDay(startDate?.getTime() ?? to - (DAYS - 1) * DAY_MS)
  if (from > to) throw wrongRange('startDate must not be after today where there is no endDate')
  if ((to - from) / DAY_MS >= MOST_DAYS) throw wrongRange(`at most ${MOST_DAYS} days can be read at once`)
  return { from: dayText(from), to: dayText(to) }
}

function wrongRange(message: string): RefusalError {
  return new RefusalError(refuse('INVALID_DATE_RANGE', message, [{ path: 'startDate', message }]))
}

function startOfDay(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS
}

function dayText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}
