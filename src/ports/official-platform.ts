import type { CallDirection } from '../domain/call.ts'
import type { CallEndReason } from '../domain/device-bridge.ts'
import type { Outcome, UpstreamFailure } from '../domain/errors.ts'
import type { ReceivedMessage, ReportedMessage } from './provider.ts'

/** What a call to the official platform authenticates with; sealed at rest, never logged. */
export interface OfficialCredentials {
  readonly phoneId: string
  readonly accountId: string
  readonly accessToken: string
  readonly appId: string | null
  readonly appSecret: string | null
}

/** What upstream says of a phone number now. */
export interface OfficialHealth {
  /** Digits of the number that the phone id stands for. */
  readonly number: string
  readonly qualityRating: string | null
  /** Such as TIER_2K. */
  readonly messagingLimitTier: string | null
  readonly officialStatus: string | null
}

export type CallingOutcome = 'ENABLED' | 'PENDING_TIER' | 'PENDING_WEBHOOK'

export interface CallPermission {
  /** Unix seconds; null where nothing expires. */
  readonly permission: { readonly status: string, readonly expiration_time: number | null }
  readonly actions: readonly {
    readonly action_name: string
    readonly can_perform_action: boolean
    readonly limits: readonly { readonly time_period: string, readonly max_allowed: number, readonly current_usage: number }[]
  }[]
}

/**
 * The official platform beyond calls in progress (those go through ProviderSession). Every request answers an
 * Outcome whose refusal carries `details {upstreamCode, upstreamMessage}` and never throws.
 */
export interface OfficialPlatform {
  /** OFFICIAL_CREDENTIALS_REJECTED with upstream's reason when the token or the ids do not fit. */
  readHealth(credentials: OfficialCredentials): Promise<Outcome<OfficialHealth>>
  /** Subscribes our app to the account's webhooks, delivered to `callbackUrl` and verified by `verifyToken`. */
  subscribe(credentials: OfficialCredentials, callbackUrl: string, verifyToken: string): Promise<Outcome<null>>
  /** Tries to enable calling; 138015 and 138018 are outcomes, not refusals (spec: Number calling enablement). */
  enableCalling(credentials: OfficialCredentials): Promise<Outcome<CallingOutcome>>
  /** The `calling` object, SIP credentials never asked for and never passed on. */
  readCallSettings(credentials: OfficialCredentials): Promise<Outcome<Readonly<Record<string, unknown>>>>
  /** Partial; answers the settings read back. */
  writeCallSettings(credentials: OfficialCredentials, calling: Readonly<Record<string, unknown>>): Promise<Outcome<Readonly<Record<string, unknown>>>>
  readCallPermission(credentials: OfficialCredentials, to: string): Promise<Outcome<CallPermission>>
  /** Answers the id of the request's message. */
  requestCallPermission(credentials: OfficialCredentials, to: string, text: string): Promise<Outcome<{ readonly messageId: string }>>
  /**
   * Downloads a media the phone received. Refusals: NOT_FOUND (unknown, expired, or of another phone), MEDIA_READ_FAILED (upstream failed, or it is too large).
   */
  readMedia(credentials: OfficialCredentials, mediaId: string): Promise<Outcome<{ readonly bytes: Uint8Array, readonly mimeType: string, readonly fileName: string | null }>>
}

/** What a change of field `messages` or of echoes says of messages, in the order upstream listed it. */
export type OfficialMessageEvent =
  | ({ readonly type: 'messageReceived' } & ReceivedMessage)
  | ({ readonly type: 'messageStatus' } & ReportedMessage)

/** Reads what a change (`value`: JSON text) says of messages. Other fields and unknown parts say nothing. */
export type ReadMessageEvents = (field: string, value: string) => readonly OfficialMessageEvent[]

/**
 * What a change of field `calls` or `messages` says of calls, in the order upstream listed it: any order, and more than
 * once, between changes. `at` is upstream's own time, null when it gave none it can be read from. Those named like a ProviderEvent
 * are one once they carry a `seq`; an answer comes in two parts here, SDP and ACCEPTED, each of them first.
 */
export type OfficialCallEvent =
  /** A user calls: the offer. `from` is digits, or upstream's id of a user who hides the number. */
  | {
    readonly type: 'incomingCall', readonly externalCallId: string, readonly from: string, readonly sdp: string
    readonly fromName: string | null, readonly at: Date | null
  }
  | { readonly type: 'callRinging', readonly externalCallId: string, readonly at: Date | null }
  /** The answer SDP of an outbound call. The user has not accepted yet. */
  | { readonly type: 'callSdp', readonly externalCallId: string, readonly sdp: string, readonly at: Date | null }
  | { readonly type: 'callAccepted', readonly externalCallId: string, readonly at: Date | null }
  | { readonly type: 'callEnded', readonly externalCallId: string, readonly reason: CallEndReason, readonly at: Date | null, readonly end: OfficialCallEnd }
  | {
    readonly type: 'permissionChanged', readonly peer: string, readonly status: 'NO_PERMISSION' | 'TEMPORARY' | 'PERMANENT'
    /** Of a temporary permission. */
    readonly expiresAt: Date | null
    readonly at: Date | null
  }
  /** Upstream reports a fault of calling without ending a call by it, such as a missing payment method. */
  | { readonly type: 'callsFailing', readonly failures: readonly UpstreamFailure[] }

/** Reads what a change (`value`: JSON text) says of calls. Other fields and unknown parts say nothing. */
export type ReadCallEvents = (field: string, value: string) => readonly OfficialCallEvent[]

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

/** One change of an upstream webhook, cut out of its batch. Texts are upstream's own, byte for byte. */
export interface OfficialChange {
  /** `whatsapp_business_account`, or what upstream named. */
  readonly object: string
  readonly accountId: string | null
  readonly field: string
  /** Digits as text, whatever upstream wrote; null for changes of the whole account. */
  readonly phoneId: string | null
  /** JSON text of `value`. */
  readonly value: string
  /** The upstream envelope with this one entry and this one change. */
  readonly envelope: string
  /** Equal for two tellings of one change, different for any two changes. At most 100 characters. */
  readonly key: string
}
