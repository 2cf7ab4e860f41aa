import type { Call, CallCarrier } from '../../../src/domain/call.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import type { ChannelNumber } from '../../../src/domain/number.ts'
import type { Traced } from '../../../src/domain/trace.ts'
import type { OfficialCallEvent } from '../../../src/ports/official/call-events.ts'
import type { ProviderEvent } from '../../../src/ports/provider.ts'
import type { AbandonReason, CallMessage, Rejection } from '../../call/messages.ts'

/** A call event of a session, or of a change, which says more. */
export type CallEvent =
  | (ProviderEvent & { readonly type: 'callRinging' | 'callAnswered' | 'callEnded' })
  | (OfficialCallEvent & { readonly type: 'callRinging' | 'callSdp' | 'callAccepted' | 'callEnded' } & {
      readonly seq: number
    })

export interface IncomingCall extends Traced {
  readonly seq: number
  readonly externalCallId: string
  readonly from: string
  readonly sdp: string
  /** When the call began, by the provider's clock; missing or null for now. */
  readonly at?: Date | null
}

/** The number's knowledge of its calls. */
export interface CallsState {
  /** Live calls with the provider's ids; null while the provider has not named the call. */
  readonly calls: ReadonlyMap<CallId, string | null>
  /** Call events of unknown ids, kept while an offer is out, whose answer may name them, or until rows were swept. */
  readonly parked: readonly CallEvent[]
  /**
   * Calls whose actors are gone and whose rows may still be live, by upstream's ids. True while a sweep that includes
   * them is under way.
   */
  readonly unswept: ReadonlyMap<string, boolean>
  /** Resumed calls that upstream has not confirmed yet. */
  readonly unconfirmed: readonly CallId[]
  /** Ends of inbound calls whose offer has not come yet, by the provider's id. */
  readonly earlyEnds: ReadonlyMap<string, CallEvent>
}

export type CallsEffect =
  | ({
      readonly type: 'placeCall'
      readonly askId: number
      readonly callId: CallId
      readonly number: ChannelNumber
      readonly to: string
      readonly bizOpaqueCallbackData: string | null
      readonly sdp: string | null
      readonly record: boolean
      readonly media: CallCarrier | null
    } & Traced)
  | ({
      readonly type: 'takeCall'
      readonly callId: CallId
      readonly number: ChannelNumber
      readonly externalCallId: string
      readonly peerNumber: string
      readonly sdp: string
      readonly seq: number
      readonly at: Date | null
      readonly rejection: Rejection | null
    } & Traced)
  | { readonly type: 'resumeCall'; readonly call: Call }
  | { readonly type: 'tellCall'; readonly callId: CallId; readonly message: CallMessage }
  | { readonly type: 'endCalls'; readonly how: 'hangup' | 'fence' | 'leave' | AbandonReason }
  | { readonly type: 'listCalls'; readonly sessionId: number }
  | { readonly type: 'sweep'; readonly except: readonly CallId[] }
