import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Labels, Metrics } from '../ports/metrics.ts'

/** The metrics of this process as Prometheus text. This file alone imports prom-client. */
export interface ProcessMetrics extends Metrics {
  text(): Promise<string>
}

export function createMetrics(): ProcessMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const known = new Map<string, unknown>()

  function once<T>(name: string, make: () => T): T {
    const existing = known.get(name)
    if (existing !== undefined) return existing as T
    const made = make()
    known.set(name, made)
    return made
  }

  return {
    counter: (name, help, labelNames = []) =>
      once(name, () => {
        const series = new Counter({ name, help, labelNames: [...labelNames], registers: [registry] })
        return { add: (labels: Labels = {}, by = 1) => series.inc(labels, by) }
      }),
    gauge: (name, help, labelNames = []) =>
      once(name, () => {
        const series = new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] })
        return { set: (value: number, labels: Labels = {}) => series.set(labels, value) }
      }),
    histogram: (name, help, bucketsSeconds, labelNames = []) =>
      once(name, () => {
        const series = new Histogram({
          name,
          help,
          labelNames: [...labelNames],
          buckets: [...bucketsSeconds],
          registers: [registry],
        })
        return { observe: (seconds: number, labels: Labels = {}) => series.observe(labels, seconds) }
      }),
    text: () => registry.metrics(),
  }
}
