import type { CallStatus } from '../../src/domain/call.ts'
import type { CallId } from '../../src/domain/ids.ts'
import type { MintedSession } from '../../src/ports/media.ts'

export interface CallAnswer {
  readonly id: CallId
  readonly status: CallStatus
}

/**
 * Commands to a live call, and what each answers. A call that is not live any more is not an
 * actor: the directory answers from its row (reject and terminate its final status, the
 * others CALL_INVALID_STATE).
 */
export interface CallCommands {
  Accept: { fields: object, value: CallAnswer }
  Reject: { fields: object, value: CallAnswer }
  Terminate: { fields: object, value: CallAnswer }
  Play: { fields: { readonly mediaUrl: string, readonly hangupAfterPlay: boolean }, value: CallAnswer }
  OpenSession: { fields: { readonly mode: 'talk' | 'listen' }, value: MintedSession }
}
export type CallCommandType = keyof CallCommands
export type CallCommand<T extends CallCommandType = CallCommandType> =
  { [K in T]: { readonly type: K, readonly callId: CallId } & CallCommands[K]['fields'] }[T]
