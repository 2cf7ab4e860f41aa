import type { Outcome } from '../../../src/domain/errors.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import type { ProviderEvent } from '../../../src/ports/provider.ts'

/** What a number hears of its session. */
export type LinkMessage =
  /** An event of the session `sessionId`; `callId` is the id that an incoming call will get. */
  | {
      readonly type: 'Session'
      readonly sessionId: number
      readonly event: ProviderEvent
      readonly callId: CallId | null
    }
  | { readonly type: 'SettingsApplied'; readonly askId: number; readonly outcome: Outcome<null> }
  /** Says whether the session `sessionId` could be asked for a code to type. */
  | { readonly type: 'PairingCodeAsked'; readonly sessionId: number; readonly isOk: boolean }
  | { readonly type: 'LoggedOut'; readonly attempt: number }

/** `disconnected` is the 30 s of [numbers.events.2]; `pair:n` is the time limit of ask n. */
export type LinkTimer = 'disconnected' | `pair:${number}`
