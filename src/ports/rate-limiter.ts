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
  /** Takes one token of `bucket`, which holds `perMinute` tokens and refills evenly over a minute. */
  take(bucket: string, perMinute: number): Promise<RateDecision>
  /** Looks without taking. */
  peek(bucket: string, perMinute: number): Promise<RateDecision>
}
