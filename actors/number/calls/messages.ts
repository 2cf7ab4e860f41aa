import type { Call } from '../../../src/domain/call.ts'
import type { CallId } from '../../../src/domain/ids.ts'

/** What a number hears of its calls. */
export type CallsMessage =
  | { readonly type: 'CallOffered', readonly callId: CallId, readonly externalCallId: string | null }
  | { readonly type: 'CallStopped', readonly callId: CallId, readonly isStored: boolean }
  | { readonly type: 'Swept', readonly isDone: boolean, readonly resumable: readonly Call[] }

/** Closes rows that could not be written. */
export type CallsTimer = 'sweep'
