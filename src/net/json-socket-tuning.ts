/** How a socket behaves; every value is our choice unless its comment names a source. */
export interface JsonSocketTuning {
  /** First step of the backoff; the wait is drawn from 0 to the step (full jitter). */
  readonly backoffMinMs: number
  readonly backoffMaxMs: number
  /** A connection that lived this long starts the backoff anew. */
  readonly stableMs: number
  readonly connectTimeoutMs: number
  readonly keepaliveMs: number
  /**
   * A connection with nothing heard for this long, pongs included, is dead. It is counted in beats, while this process
   * runs: a time in which the process stood still says nothing of the peer.
   */
  readonly deadAfterMs: number
  /** Larger frames of the peer end the connection with 1009 (RFC 6455, 7.4.1). */
  readonly maxPayloadBytes: number
  /** Frames are refused while this much waits for the network. */
  readonly maxBufferedBytes: number
  /** What the peer sends beyond these rates is read later. */
  readonly maxFramesPerSecond: number
  readonly maxBytesPerSecond: number
}

export const DEFAULT_TUNING: JsonSocketTuning = {
  backoffMinMs: 100,
  backoffMaxMs: 5_000,
  stableMs: 5_000,
  connectTimeoutMs: 10_000,
  keepaliveMs: 15_000,
  deadAfterMs: 45_000,
  maxPayloadBytes: 16 * 1024 * 1024,
  maxBufferedBytes: 8 * 1024 * 1024,
  maxFramesPerSecond: Number.POSITIVE_INFINITY,
  maxBytesPerSecond: Number.POSITIVE_INFINITY,
}
