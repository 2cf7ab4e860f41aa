import type { CallDirection } from '../../domain/call.ts'
import type { CallEndReason } from '../../domain/device-bridge.ts'
import type { UpstreamFailure } from '../../domain/errors.ts'

/**
 * What a change of field `calls` or `messages` says of calls, in the order upstream listed it: any order, and more than
 * once, between changes. `at` is upstream's own time, null when it gave none it can be read from. Those named like a
 * ProviderEvent are one once they carry a `seq`; an answer comes in two parts here, SDP and ACCEPTED, each of them
 * first.
 */
export type OfficialCallEvent =
  /** A user calls: the offer. `from` is digits, or upstream's id of a user who hides the number. */
  | {
      readonly type: 'incomingCall'
      readonly externalCallId: string
      readonly from: string
      readonly sdp: string
      readonly fromName: string | null
      readonly at: Date | null
    }
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
      /** Of a temporary permission. */
      readonly expiresAt: Date | null
      readonly at: Date | null
    }
  /** Upstream reports a fault of calling without ending a call by it, such as a missing payment method. */
  | { readonly type: 'callsFailing'; readonly failures: readonly UpstreamFailure[] }

/** What the end of a call carries beside its reason. */
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
