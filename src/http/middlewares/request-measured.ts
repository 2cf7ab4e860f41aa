import { boundNumber } from '../../domain/caller.ts'
import type { Refusal } from '../../domain/errors.ts'
import { traceIdOf, type SpanFacts } from '../../domain/trace.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Traces } from '../../ports/traces.ts'
import type { HttpMiddleware } from '../request/context.ts'

export interface MeasuredDeps {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly traces: Traces
}

/** Upper bounds in seconds; the last ones cover waiting for a pairing code (10 s) and a slow ask (20 s). */
const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

/**
 * Times and logs every request, counts it in the histogram, and records it as part of the trace that its `traceparent`
 * names ([operation.traces.3]). All name the route's pattern, never the path, the query or the key: paths carry pairing
 * tokens, and key ids authenticate. Of pages and their files nothing is recorded: they cause nothing.
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
    const span = deps.traces.arrived('request', ctx.get('traceparent') || undefined, {})
    if (span) ctx.state.trace = span.trace
    await next()
    const durationMs = deps.clock.monotonicMs() - startMs
    const { requestId, route, number, narrowedTo, session } = ctx.state
    const caller = ctx.state.caller ?? ctx.state.agent
    const seen = { method: knownMethod(ctx.method), route: route?.path ?? 'unmatched' }
    const series = { ...seen, status: `${Math.floor(ctx.status / 100)}xx` }
    durations.observe(durationMs / 1000, series)
    const whose = {
      tenantId: caller?.tenantId ?? session?.tenantId,
      numberId: caller && (boundNumber(caller) ?? number?.id ?? narrowedTo),
    }
    deps.log.info(
      {
        requestId,
        ...seen,
        status: ctx.status,
        durationMs: Math.round(durationMs * 10) / 10,
        ...whose,
        ...(span ? { trace_id: traceIdOf(span.trace) } : {}),
      },
      'request answered',
    )
    if (route && route.bucket !== 'pages' && route.bucket !== 'static')
      span?.end({ ...seen, status: ctx.status, ...whose, ...failureOf(ctx.status, ctx.state.refusal) })
  }
}

/** Why the request failed by a fault of ours, or what refused it; nothing for a success. */
function failureOf(status: number, refusal: Refusal | undefined): SpanFacts {
  if (!refusal) return {}
  return status >= 500 ? { code: refusal.code } : { outcome: refusal.code }
}

/** The method as a label: invented ones share OTHER. */
function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method) ? method : 'OTHER'
}
