/** Where spans are sent, and how many. */
export interface TraceSettings {
  /** Address of the collector that takes spans by OTLP over HTTP, without /v1/traces and a final slash. */
  readonly endpoint: string
  /** Headers of each request to it; they may hold its key. */
  readonly headers: Readonly<Record<string, string>>
  /** The share of what arrives without a trace of its own that is recorded, from 0 to 1. */
  readonly share: number
}
