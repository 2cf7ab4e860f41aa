import type { CallDirection } from '../../domain/call.ts'
import type { CallEndReason } from '../../domain/device-bridge.ts'
import type { UpstreamFailure } from '../../domain/errors.ts'
import type { Traced } from '../../domain/trace.ts'

/**
 * What a change of field `calls` or `messages` says of calls, in the order in which upstream listed it. Between changes
 * events come in any order, and more than once. `at` is upstream's own time; null when it is missing or unreadable.
 * Events with the name of a ProviderEvent become one with a `seq`. An answer comes in two parts, SDP and ACCEPTED, in
 * either order.
 */
export type OfficialCallEvent =
  /** A user calls: the offer. `from` is digits, or upstream's id of a user who hides the number. */
  | ({
      readonly type: 'incomingCall'
      readonly externalCallId: string
      readonly from: string
      readonly sdp: string
      readonly fromName: string | null
      readonly at: Date | null
    } & Traced)
  | { readonly type: 'callRinging'; readonly externalCallId: string; readonly at: Date | null }
  /** The answer SDP of an outbound call. The user has not accepted yet. */
  | { readonly type: 'callSdp'; readonly externalCallId: string; readonly sdp: string; readonly at: Date | null }
  | { readonly type: 'callAccepted'; readonly externalCallId: string; readonly at: Date | null }
  | {
      readonly type: 'callEnded'
      readonly externalCallId: string
      readonly reason: CallEndReason
      readonly at: Date | null
      readonly end: OfficialCallEnd
    }
  | {
      readonly type: 'permissionChanged'
      readonly peer: string
      readonly status: 'NO_PERMISSION' | 'TEMPORARY' | 'PERMANENT'
      /** When a temporary permission ends; null for others. */
      readonly expiresAt: Date | null
      readonly at: Date | null
    }
  /** Upstream reports a fault of calling without ending a call by it, such as a missing payment method. */
  | { readonly type: 'callsFailing'; readonly failures: readonly UpstreamFailure[] }

/** The facts of a call's end beside its reason. */
export interface OfficialCallEnd {
  readonly direction: CallDirection | null
  /** True when upstream timed a conversation, even if no ACCEPTED came before. */
  readonly isAnswered: boolean
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  /** Whole seconds as upstream counted them. */
  readonly durationSeconds: number | null
  readonly bizOpaqueCallbackData: string | null
  readonly failure: UpstreamFailure | null
}
