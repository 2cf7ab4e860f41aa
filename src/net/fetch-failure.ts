/** Why a guarded request failed. The list is closed: callers map each kind to their own code. */
export type FetchFailureKind =
  /** Not a URL of http or https, or too long. */
  | 'invalid-url'
  /** The guard refused the address, the port or the form. */
  | 'forbidden'
  /** The name has no address. */
  | 'dns'
  /** No connection, or no TLS session, could be made. */
  | 'connect'
  /** Connecting, the first byte or the whole took too long. */
  | 'timeout'
  /** More bytes than allowed. */
  | 'too-large'
  /** The other side broke HTTP, cut the connection or redirected too often. */
  | 'protocol'
  /** The caller stopped it. */
  | 'aborted'

/** A failure as plain data. `message` names no address and may be shown to the caller. */
export interface FetchFailure {
  readonly kind: FetchFailureKind
  readonly message: string
}

/** Carries a failure through code that can only throw (sockets, abort signals). */
export class FetchFault extends Error {
  readonly failure: FetchFailure

  constructor(failure: FetchFailure) {
    super(failure.message)
    this.name = 'FetchFault'
    this.failure = failure
  }
}
