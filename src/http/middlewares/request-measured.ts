import { boundNumber } from '../../domain/caller.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { HttpMiddleware } from '../request/context.ts'

export interface MeasuredDeps {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

/** Upper bounds in seconds; the last ones cover waiting for a pairing code (10 s) and a slow ask (20 s). */
const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

/**
 * Times and logs every request, and counts it in the histogram. Both name the route's pattern, never the path, the
 * query or the key: paths carry pairing tokens, and key ids authenticate.
 */
export function requestMeasured(deps: MeasuredDeps): HttpMiddleware {
  const labels = ['method', 'route', 'status'] as const
  const durations = deps.metrics.histogram(
    'http_request_duration_seconds',
    'Time to answer, by route pattern and status class',
    BUCKETS_SECONDS,
    labels,
  )
  return async (ctx, next) => {
    const startMs = deps.clock.monotonicMs()
    await next()
    const durationMs = deps.clock.monotonicMs() - startMs
    const { requestId, route, number, narrowedTo, session } = ctx.state
    const caller = ctx.state.caller ?? ctx.state.agent
    const seen = { method: knownMethod(ctx.method), route: route?.path ?? 'unmatched' }
    const series = { ...seen, status: `${Math.floor(ctx.status / 100)}xx` }
    durations.observe(durationMs / 1000, series)
    deps.log.info(
      {
        requestId,
        ...seen,
        status: ctx.status,
        durationMs: Math.round(durationMs * 10) / 10,
        tenantId: caller?.tenantId ?? session?.tenantId,
        numberId: caller && (boundNumber(caller) ?? number?.id ?? narrowedTo),
      },
      'request answered',
    )
  }
}

/** The method as a label: invented ones share OTHER. */
function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method) ? method : 'OTHER'
}
