import type { Call } from '../../../src/domain/call.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import type { ChannelNumber } from '../../../src/domain/number.ts'
import type { OfficialCallEvent } from '../../../src/ports/official/call-events.ts'
import type { ProviderEvent } from '../../../src/ports/provider.ts'
import type { AbandonReason, CallMessage, Rejection } from '../../call/messages.ts'

/** From a session, or (with what upstream tells beside it) from a change. */
export type CallEvent =
  | (ProviderEvent & { readonly type: 'callRinging' | 'callAnswered' | 'callEnded' })
  | (OfficialCallEvent & { readonly type: 'callRinging' | 'callSdp' | 'callAccepted' | 'callEnded' } & {
      readonly seq: number
    })

export interface IncomingCall {
  readonly seq: number
  readonly externalCallId: string
  readonly from: string
  readonly sdp: string
  /** When it began by the provider's clock; missing or null: now. */
  readonly at?: Date | null
}

/** What a number knows of its calls. */
export interface CallsState {
  /** Live calls and the id the provider knows them by; null while it was not told yet. */
  readonly calls: ReadonlyMap<CallId, string | null>
  /** Call events of ids nobody knows yet, while an offer is out: its answer may still name them. */
  readonly parked: readonly CallEvent[]
  /** Calls taken up from their rows of which upstream has not said yet that it holds them. */
  readonly unconfirmed: readonly CallId[]
  /** Ends of inbound calls whose offer did not come yet, by the provider's id. */
  readonly earlyEnds: ReadonlyMap<string, CallEvent>
}

export type CallsEffect =
  | {
      readonly type: 'placeCall'
      readonly askId: number
      readonly callId: CallId
      readonly number: ChannelNumber
      readonly to: string
      readonly bizOpaqueCallbackData: string | null
      readonly sdp: string | null
    }
  | {
      readonly type: 'takeCall'
      readonly callId: CallId
      readonly number: ChannelNumber
      readonly externalCallId: string
      readonly peerNumber: string
      readonly sdp: string
      readonly seq: number
      readonly at: Date | null
      readonly rejection: Rejection | null
    }
  | { readonly type: 'resumeCall'; readonly call: Call }
  | { readonly type: 'tellCall'; readonly callId: CallId; readonly message: CallMessage }
  | { readonly type: 'endCalls'; readonly how: 'hangup' | 'fence' | 'leave' | AbandonReason }
  | { readonly type: 'listCalls'; readonly sessionId: number }
  | { readonly type: 'sweep'; readonly except: readonly CallId[] }
