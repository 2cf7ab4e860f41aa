export interface RateDecision {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number
  /** Seconds until one more request is allowed; 0 when allowed now. */
  readonly retryAfterSeconds: number
}

/** Token buckets, shared across nodes when a Redis is configured (contract 2). */
export interface RateLimiter {
  /**
   * Takes `tokens` of `bucket`, one when absent, all or none. The bucket holds `perMinute` tokens and refills evenly
   * over a minute; what costs more than it holds takes a full one.
   */
  take(bucket: string, perMinute: number, tokens?: number): Promise<RateDecision>
  /** Looks without taking. */
  peek(bucket: string, perMinute: number): Promise<RateDecision>
}
