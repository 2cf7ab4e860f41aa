import type { TraceSettings } from '../domain/trace-settings.ts'
import type { Variables } from './variables.ts'

/** Presents the collector of the environment; null for none. */
export function presentTraces(env: Variables): TraceSettings | null {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null
  return Object.freeze({
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, ''),
    headers: Object.freeze(env.OTEL_EXPORTER_OTLP_HEADERS),
    share: env.OTEL_TRACES_SAMPLER_ARG,
  })
}
