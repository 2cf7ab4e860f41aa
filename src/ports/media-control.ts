/**
 * The control protocol between gateway and media host: JSON text over one WebSocket, which the gateway opens at
 * `ws://<control>/control` with `authorization: Bearer INTERNAL_SECRET` and `x-node-id`. Requests are `{id, op, ...}`,
 * answers `{re, ok, value | error}`, events `{ev: MediaEvent, n}`. `n` rises from event to event, and the host keeps
 * events until `{ack: n}`, so a dropped socket loses none. The first request is `sync` with the calls that this node
 * still knows; the host answers those that it holds for the node and repeats events that were not acknowledged. A call
 * that its node no longer names, that it left, or whose node is away waits CALL_ADOPTION_MS for another node to adopt
 * it. Once a second the host sends `{load: MediaLoad}`; hosts of earlier versions do not. `fence` of a request is the
 * owner's token of the call's number: the host refuses one below the last that adopted the call (NOT_OWNER). Gateways
 * of earlier versions send none: once a call has a token, only its own node may ask without one.
 */
import type { CallStatus } from '../domain/call.ts'
import type { CallMediaKind } from '../domain/call-media.ts'
import type { Outcome, Refusal } from '../domain/errors.ts'
import type { CallId, PlaybackId } from '../domain/ids.ts'
import type { RecordingCut } from '../domain/recording.ts'
import type { SessionMode } from '../domain/realtime-session.ts'
import type { AdoptedCall, MediaCall, MediaEvent, MintedSession, SessionToDial } from './media.ts'

export interface MediaOps {
  /** `publicUrl` is the beginning of the host's realtime URLs; hosts of earlier versions do not say it. */
  sync: { fields: { calls: CallId[] }; value: { hostId: string; publicUrl?: string | undefined; calls: CallId[] } }
  announce: { fields: { call: MediaCall }; value: null }
  /**
   * `kind` is the kind of the leg; WebRTC when it is missing. Here and below `sdp` describes a leg of either kind
   * (domain/call-media).
   */
  offer: { fields: { call: MediaCall; kind?: CallMediaKind }; value: { sdp: string } }
  answer: { fields: { call: MediaCall; sdpOffer: string }; value: { sdp: string } }
  connect: { fields: { callId: CallId; fence?: number; sdpAnswer: string }; value: null }
  /**
   * Gives the leg a further description of the peer; refused as by `connect`, and then the leg goes on as before. Hosts
   * of earlier versions answer VALIDATION.
   */
  update: { fields: { callId: CallId; fence?: number; sdp: string }; value: null }
  status: {
    fields: {
      callId: CallId
      fence?: number
      status: CallStatus
      reason?: string
      durationSeconds?: number
      externalCallId?: string
    }
    value: null
  }
  /**
   * `by` is the caller that the token is for, see `revoke`; gateways of earlier versions do not send it. `takesOver`:
   * the session that talks listens once this one opens; hosts of earlier versions replace it.
   */
  mint: {
    fields: { callId: CallId; fence?: number; mode: SessionMode; by?: string; takesOver?: boolean }
    value: MintedSession
  }
  /**
   * Gives the call back to the session it was taken over from. Refusals: CALL_INVALID_STATE when there is none. Hosts
   * of earlier versions answer VALIDATION.
   */
  giveBack: { fields: { callId: CallId; fence?: number }; value: null }
  /** Dials a server. Hosts of earlier versions answer VALIDATION. */
  dial: { fields: { callId: CallId; fence?: number } & SessionToDial; value: null }
  /** Ends the unused tokens of this caller, or of this number. An id without tokens changes nothing. */
  revoke: { fields: { by: string }; value: null }
  play: {
    fields: { callId: CallId; fence?: number; playbackId: PlaybackId; mediaUrl: string; hangupAfterPlay: boolean }
    value: null
  }
  close: {
    fields: { callId: CallId; fence?: number; status: CallStatus; reason?: string; durationSeconds?: number }
    value: null
  }
  /**
   * This node speaks for the call from now on and gets its events. The host tells the latest of it again: flow, files
   * and wishes of socket clients. Refusals: NOT_OWNER (a later owner has it), CALL_NOT_FOUND, CALL_INVALID_STATE (it is
   * over, as when nobody adopted it in time).
   */
  adopt: { fields: { callId: CallId; fence: number }; value: AdoptedCall }
  /** This node no longer speaks for the call, which goes on and waits for another node to adopt it. */
  leave: { fields: { callId: CallId; fence?: number }; value: null }
  /**
   * Tells what the host has of a recording whose call is over. Any node may ask; hosts of earlier versions answer
   * VALIDATION. Refusals: RECORDING_RUNNING, RECORDING_NOT_FOUND.
   */
  recording: { fields: { callId: CallId }; value: RecordingFacts }
  /** Gives bytes of it in base64, from `offset` on, as many as the host likes. */
  recordingPart: { fields: { callId: CallId; offset: number }; value: { bytes: string } }
  /** Lists recordings of calls that are over, at most 1,000. */
  recordings: { fields: object; value: { calls: CallId[] } }
  /** Deletes it. Idempotent. */
  dropRecording: { fields: { callId: CallId }; value: null }
}
/** A recording as a host has it. */
export interface RecordingFacts {
  /** Bytes of its whole pages. */
  readonly sizeBytes: number
  readonly durationMs: number
  /** Why it ended before its call; null when it did not. */
  readonly cutShort: RecordingCut | null
}

export type MediaOp = keyof MediaOps

export type MediaRequest = { [O in MediaOp]: { readonly id: number; readonly op: O } & MediaOps[O]['fields'] }[MediaOp]
export type MediaAnswer =
  | { readonly re: number; readonly ok: true; readonly value: unknown }
  | { readonly re: number; readonly ok: false; readonly error: Refusal }
export type MediaNotice = { readonly n: number; readonly ev: MediaEvent }
/**
 * What a host says of itself: the 99th percentile of how late its audio slots begin, in ms, and whether it is ending
 * and takes no new call.
 */
export interface MediaLoad {
  readonly tickLateP99Ms: number
  readonly draining: boolean
}
export type MediaAck = { readonly ack: number }
export type MediaOpOutcome<O extends MediaOp> = Outcome<MediaOps[O]['value']>
