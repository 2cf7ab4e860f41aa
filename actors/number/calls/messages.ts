import type { Call } from '../../../src/domain/call.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import type { UpstreamCall } from '../../../src/ports/provider.ts'

/** What a number hears of its calls. */
export type CallsMessage =
  | { readonly type: 'CallOffered'; readonly callId: CallId; readonly externalCallId: string | null }
  | { readonly type: 'CallsListed'; readonly sessionId: number; readonly outcome: Outcome<readonly UpstreamCall[]> }
  /** The call is over here, and upstream could not be told. */
  | { readonly type: 'CallLeft'; readonly externalCallId: string }
  | { readonly type: 'CallStopped'; readonly callId: CallId; readonly isStored: boolean }
  | { readonly type: 'Swept'; readonly isDone: boolean; readonly resumable: readonly Call[] }

/** `sweep` closes rows that could not be written; `listing` asks upstream again which calls it holds. */
export type CallsTimer = 'sweep' | 'listing'
