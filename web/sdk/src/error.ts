/**
 * Codes of errors before a frame speaks, and of wrong calls ([sdk.errors.1] to [sdk.errors.3]). Frames add codes of the
 * service.
 */
export type ChannelErrorCode =
  | 'TARGET_NOT_FOUND'
  | 'TOKEN_MISSING'
  | 'TOKEN_INVALID'
  | 'ORIGIN_NOT_ALLOWED'
  | 'SESSION_NOT_LIVE'
  | 'HOST_CSP'
  | 'NETWORK'
  | 'VERSION'
  | 'TIMEOUT'

/** An error with a text that says what to do about it. None of its texts contains a token. */
export class ChannelError extends Error {
  override readonly name = 'ChannelError'
  declare readonly code: ChannelErrorCode | (string & {})
  declare readonly hint: string

  constructor(code: ChannelErrorCode | (string & {}), message: string, hint: string) {
    super(message)
    this.code = code
    this.hint = hint
  }
}
