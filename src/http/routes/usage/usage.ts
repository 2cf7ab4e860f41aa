import { reportOf } from '../../../domain/usage-report.ts'
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
/** The first day that dates reach ([rest.dates.1]). */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z')
/** Our choice: the days that are read without dates. */
const DAYS = 30

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
      description: `Days are those of UTC, without dates the last ${DAYS}. Everything is counted as it is stored, so it is exact, and stays when messages are deleted or numbers are removed.`,
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

/** The first and the last day of a range, in UTC. Without its end a range goes to today, or is its first day. */
function daysOf(startDate: Date | undefined, endDate: Date | undefined, nowMs: number) {
  const to = startOfDay(endDate?.getTime() ?? Math.max(nowMs, startDate?.getTime() ?? nowMs))
  const from = startOfDay(startDate?.getTime() ?? Math.max(FIRST_MS, to - (DAYS - 1) * DAY_MS))
  return { from: dayText(from), to: dayText(to) }
}

function startOfDay(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS
}

function dayText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}
