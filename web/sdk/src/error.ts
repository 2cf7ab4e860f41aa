/**
 * What goes wrong before a frame speaks, and what is wrong with a call ([sdk.errors.1] to [sdk.errors.3]). Frames add
 * codes of the service.
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

/** An error that says what to do about it. Neither of its texts holds a token. */
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
