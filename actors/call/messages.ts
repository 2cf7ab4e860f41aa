import type { CallerId } from '../../src/domain/caller.ts'
import type { CallEndReason } from '../../src/domain/device-bridge.ts'
import type { Call, CallAnswer, CallCarrier } from '../../src/domain/call.ts'
import type { Outcome, Refusal } from '../../src/domain/errors.ts'
import type { CallId, PlaybackId } from '../../src/domain/ids.ts'
import type { VoiceWithHeaders } from '../../src/domain/number-voice.ts'
import type { SessionMode } from '../../src/domain/realtime-session.ts'
import type { Fault } from '../../src/domain/set-aside.ts'
import type { Traced } from '../../src/domain/trace.ts'
import type { AdoptedCall, MediaEvent, MintedSession, OpenedLeg, SessionToDial } from '../../src/ports/media.ts'
import type { OfficialCallEnd } from '../../src/ports/official/call-events.ts'

/**
 * Commands to a live call, and their answers. A call that is not live has no actor: the directory answers from its row
 * (reject and terminate with its final status, the others with CALL_INVALID_STATE).
 */
export interface CallCommands {
  /**
   * `sdp` is the tenant's answer on an OFFICIAL call, null for the one of PreAccept; with `media` `bridge` our media
   * host answers it. UNOFFICIAL calls ignore both. Refusals beside CALL_INVALID_STATE: INVALID_SDP (none given), and
   * those of provider and media host. `record` has the call recorded from the answer on; without it the call stays as
   * it was asked for before.
   */
  Accept: {
    fields: { readonly sdp: string | null; readonly media?: CallCarrier | null; readonly record?: boolean }
    value: CallAnswer
  }
  /**
   * Sets the tenant's leg up early, while the call goes on ringing. Other calls than OFFICIAL refuse it:
   * FEATURE_NOT_SUPPORTED.
   */
  PreAccept: { fields: { readonly sdp: string }; value: CallAnswer }
  Reject: { fields: object; value: CallAnswer }
  Terminate: { fields: object; value: CallAnswer }
  Play: { fields: { readonly mediaUrl: string; readonly hangupAfterPlay: boolean }; value: CallAnswer }
  /** With `takesOver` the session that talks listens once this one opens. */
  OpenSession: { fields: WantedSession; value: MintedSession }
  /** Gives the call back to the session it was taken over from; without one it refuses CALL_INVALID_STATE. */
  GiveBack: { fields: object; value: null }
  DialSession: { fields: { readonly session: SessionToDial }; value: null }
}

/** A realtime session to be minted. */
export interface WantedSession {
  readonly mode: SessionMode
  readonly by: CallerId
  readonly takesOver?: boolean
}
export type CallCommandType = keyof CallCommands
export type CallCommand<T extends CallCommandType = CallCommandType> = {
  [K in T]: { readonly type: K; readonly callId: CallId } & CallCommands[K]['fields']
}[T]

/** A command as it reaches the actor. `askId` is the ask to answer, null when a socket client or the number asks. */
export type AskedCallCommand = Traced & AskedAlone

type AskedAlone =
  | { readonly type: 'Reject' | 'Terminate'; readonly askId: number | null }
  | {
      readonly type: 'Accept'
      readonly askId: number | null
      readonly sdp: string | null
      readonly media?: CallCarrier | null
      readonly record?: boolean
    }
  | { readonly type: 'PreAccept'; readonly askId: number; readonly sdp: string }
  | {
      readonly type: 'Play'
      readonly askId: number
      readonly playbackId: PlaybackId
      readonly mediaUrl: string
      readonly hangupAfterPlay: boolean
    }
  | ({ readonly type: 'OpenSession'; readonly askId: number } & WantedSession)
  | { readonly type: 'GiveBack'; readonly askId: number }
  | { readonly type: 'DialSession'; readonly askId: number; readonly session: SessionToDial }

/** The answer of StartOutbound: the call as the provider accepted it. */
export interface PlacedCall extends CallAnswer {
  readonly externalCallId: string
}

/**
 * The outcome of a write. `applied` also when the row already says what the write wanted; `moved` when it says
 * something else (a null row is gone); `failed` after the last retry, with the refusal for its askers.
 */
export type WriteOutcome =
  | { readonly kind: 'applied' }
  | { readonly kind: 'moved'; readonly row: Call | null }
  | { readonly kind: 'fenced' }
  /** `fault` is the write's own reason to fail; null when the store is away. */
  | { readonly kind: 'failed'; readonly refusal: Refusal; readonly fault?: Fault | null }

/** `silence` bounds an answered call whose audio is not here: its end comes from upstream or never. */
const CALL_TIMERS = ['unringing', 'ring', 'media', 'silence'] as const
export type CallTimer = (typeof CALL_TIMERS)[number]

/** Why a number ends a call that it can no longer hold. */
export type AbandonReason = 'NODE_LOST' | 'PROVIDER_FAILED' | 'INTERNAL_ERROR'

/** Everything that a call actor hears. Outcomes carry their attempt; outcomes of older attempts are dropped. */
export type CallMessage =
  | AskedCallCommand
  /** `sdp` is the tenant's offer; null when the media host makes one. */
  | ({
      readonly type: 'StartOutbound'
      readonly askId: number
      readonly sdp: string | null
      readonly media?: CallCarrier | null
      readonly record?: boolean
    } & Traced)
  | ({
      readonly type: 'StartInbound'
      readonly seq: number
      readonly externalCallId: string
      readonly sdp: string
      readonly rejection: Rejection | null
    } & Traced)
  /** Resumes a live call from its row, which has its provider id. */
  | { readonly type: 'Resume'; readonly call: Call }
  | { readonly type: 'Adopted'; readonly attempt: number; readonly outcome: Outcome<AdoptedCall> }
  /** Upstream says that it still has the resumed call. */
  | { readonly type: 'UpstreamKnows'; readonly isConnected: boolean }
  | { readonly type: 'Stored'; readonly attempt: number; readonly outcome: WriteOutcome }
  | { readonly type: 'MediaOffered'; readonly attempt: number; readonly outcome: Outcome<OpenedLeg> }
  | { readonly type: 'Offered'; readonly attempt: number; readonly outcome: Outcome<{ externalCallId: string }> }
  | { readonly type: 'MediaAnswered'; readonly attempt: number; readonly outcome: Outcome<OpenedLeg> }
  | { readonly type: 'AcceptedUpstream'; readonly attempt: number; readonly outcome: Outcome<null> }
  | {
      readonly type: 'PreAccepted'
      readonly askId: number | null
      readonly sdp: string
      readonly outcome: Outcome<null>
    }
  | { readonly type: 'MediaConnected'; readonly attempt: number; readonly outcome: Outcome<null> }
  | { readonly type: 'Dialled' | 'GivenBack'; readonly askId: number; readonly outcome: Outcome<null> }
  /** The bot server of the number; null when it has none, or it could not be read. */
  | { readonly type: 'VoiceRead'; readonly voice: VoiceWithHeaders | null }
  | { readonly type: 'VoiceDialled'; readonly outcome: Outcome<null> }
  | { readonly type: 'Minted'; readonly askId: number; readonly outcome: Outcome<MintedSession> }
  | {
      readonly type: 'PlayQueued'
      readonly askId: number
      readonly playbackId: PlaybackId
      readonly mediaUrl: string
      readonly hangupAfterPlay: boolean
      readonly outcome: Outcome<null>
    }
  | { readonly type: 'ProviderRinging'; readonly seq: number }
  /** `sdp` is null when it comes by ProviderSdp; `at` is the provider's own time. */
  | { readonly type: 'ProviderAnswered'; readonly seq: number; readonly sdp: string | null; readonly at?: Date | null }
  /** The provider's answer SDP of an outbound OFFICIAL call; the peer may not have accepted yet. */
  | { readonly type: 'ProviderSdp'; readonly seq: number; readonly sdp: string }
  | {
      readonly type: 'ProviderEnded'
      readonly seq: number
      readonly reason: CallEndReason
      readonly end?: OfficialCallEnd
    }
  /** The provider announced this call again, maybe with another description. */
  | { readonly type: 'ProviderRepeated'; readonly seq: number; readonly sdp: string }
  | { readonly type: 'Media'; readonly event: MediaEvent }
  | { readonly type: 'TimerFired'; readonly timer: CallTimer }
  /** The node stops. The next owner goes on with the call, unless its media host stops too. */
  | { readonly type: 'Leave' }
  /**
   * The number loses its session, or cannot go on with the call. The call fails, unless the tenant holds its leg and
   * the next owner resumes it.
   */
  | { readonly type: 'Abandon'; readonly reason: AbandonReason }
  /** Another node owns the number: nothing may be written any more. */
  | { readonly type: 'Fenced' }
  /** A turn threw. */
  | { readonly type: 'Crashed' }

/**
 * The service declines the call itself ([calls.settings.4]). `text` is sent to the caller; null sends none
 * ([calls.settings.5]).
 */
export interface Rejection {
  readonly text: string | null
}
