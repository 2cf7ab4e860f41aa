/** Labels of a series; keep the values a small closed set. */
export type Labels = Readonly<Record<string, string>>

export interface Counter {
  add(labels?: Labels, by?: number): void
}

export interface Gauge {
  set(value: number, labels?: Labels): void
}

export interface Histogram {
  /** Observes a duration in seconds, as Prometheus wants it. */
  observe(seconds: number, labels?: Labels): void
}

/** Makes the series that a part exports at /metrics. A second call with the same name gives the same series. */
export interface Metrics {
  counter(name: string, help: string, labelNames?: readonly string[]): Counter
  gauge(name: string, help: string, labelNames?: readonly string[]): Gauge
  histogram(name: string, help: string, bucketsSeconds: readonly number[], labelNames?: readonly string[]): Histogram
}
