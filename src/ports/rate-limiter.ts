export interface RateDecision {
  readonly isAllowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number
  /** Seconds until one more request is allowed; 0 when allowed now. */
  readonly retryAfterSeconds: number
}

/** Token buckets, shared across nodes when a Redis is configured ([rest.rate-limits.1]). */
export interface RateLimiter {
  /**
   * Takes `tokens` from `bucket`, one when left out, all or none. The bucket holds `perMinute` tokens and refills
   * evenly over a minute; a cost above that takes a full bucket.
   */
  take(bucket: string, perMinute: number, tokens?: number): Promise<RateDecision>
  /** Reads the bucket without taking. */
  peek(bucket: string, perMinute: number): Promise<RateDecision>
}
