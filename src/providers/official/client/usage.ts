import { parseRetryAfter } from '../../../net/retry-after.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import { fieldsOf } from '../values/loose.ts'

/** What the usage headers of an answer say; a missing header does not mean zero usage. */
export interface Usage {
  /** Highest of the percentages in the header; null when the header is missing. */
  readonly appPercent: number | null
  readonly businessPercent: number | null
  /** Minutes until a throttled account is served again; null when none is throttled. */
  readonly regainMinutes: number | null
}

const PERCENTAGES = ['call_count', 'total_cputime', 'total_time'] as const

const MINUTE_MS = 60_000
/** Our choice: longest wait, because upstream counts by the hour and by the day, whatever an answer says. */
const LONGEST_WAIT_MS = 24 * 3_600_000

/**
 * How long an answer asks to wait before the next request, ms, by `retry-after` and by its usage; null when it does not
 * say.
 */
export function readWaitMs(
  headers: Readonly<Record<string, string>>,
  { regainMinutes }: Pick<Usage, 'regainMinutes'>,
  nowMs: number,
): number | null {
  const asked = [
    parseRetryAfter(headers['retry-after'], nowMs),
    regainMinutes === null ? null : regainMinutes * MINUTE_MS,
  ].filter((ms) => ms !== null && ms > 0)
  return asked.length === 0 ? null : Math.min(LONGEST_WAIT_MS, highest(asked) ?? LONGEST_WAIT_MS)
}

/** Reads `x-app-usage` ({call_count, ...}) and `x-business-use-case-usage` ({business id: [{call_count, ...}]}). */
export function readUsage(headers: Readonly<Record<string, string>>): Usage {
  const app = percentOf(parsed(headers['x-app-usage']))
  const uses = Object.values(fieldsOf(parsed(headers['x-business-use-case-usage'])) ?? {}).flatMap((list) =>
    Array.isArray(list) ? list : [],
  )
  const regain = highest(uses.map((use) => fieldsOf(use)?.['estimated_time_to_regain_access']))
  return { appPercent: app, businessPercent: highest(uses.map(percentOf)), regainMinutes: regain === 0 ? null : regain }
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? null : JSON.parse(text)
  } catch {
    return null
  }
}

function percentOf(use: unknown): number | null {
  const fields = fieldsOf(use)
  return fields && highest(PERCENTAGES.map((name) => fields[name]))
}

function highest(values: readonly unknown[]): number | null {
  const numbers = values.filter((value): value is number => typeof value === 'number' && Number.isFinite(value))
  return numbers.length === 0 ? null : Math.max(...numbers)
}

/** Makes the reporter of usage. The series have no account label, because there are as many accounts as tenants. */
export function usageMetrics(metrics: Metrics): (usage: Usage) => void {
  const ratio = metrics.gauge(
    'official_usage_ratio',
    'Share of the rate limit used, 1 for all of it, as the last answer of the official platform told.',
    ['scope'],
  )
  const regain = metrics.gauge(
    'official_regain_access_seconds',
    'Time until a throttled account is served again, as last told.',
  )
  return ({ appPercent, businessPercent, regainMinutes }) => {
    if (appPercent !== null) ratio.set(appPercent / 100, { scope: 'app' })
    if (businessPercent === null) return
    ratio.set(businessPercent / 100, { scope: 'business' })
    regain.set((regainMinutes ?? 0) * 60)
  }
}
