/**
 * The control protocol between gateway and media host: JSON text over one WebSocket, which the
 * gateway opens at `ws://<control>/control` with `authorization: Bearer INTERNAL_SECRET` and
 * `x-node-id`. Requests `{id, op, ...}`, answers `{re, ok, value | error}`, events `{ev: MediaEvent, n}`.
 * Events rise in `n` and are kept by the host until `{ack: n}`, so a dropped socket loses none.
 * First request is `sync`: the calls this node still knows; the host answers those whose leg
 * it holds, closes this node's other legs, and re-sends events that were not acknowledged.
 */
import type { CallStatus } from '../domain/call.ts'
import type { Outcome, Refusal } from '../domain/errors.ts'
import type { CallId, PlaybackId } from '../domain/ids.ts'
import type { MediaCall, MediaEvent, MintedSession } from './media.ts'

export interface MediaOps {
  sync: { fields: { calls: CallId[] }, value: { hostId: string, calls: CallId[] } }
  announce: { fields: { call: MediaCall }, value: null }
  offer: { fields: { call: MediaCall }, value: { sdp: string } }
  answer: { fields: { call: MediaCall, sdpOffer: string }, value: { sdp: string } }
  connect: { fields: { callId: CallId, sdpAnswer: string }, value: null }
  status: { fields: { callId: CallId, status: CallStatus, reason?: string, durationSeconds?: number, externalCallId?: string }, value: null }
  /** `by`: the caller the token is for, see `revoke`; gateways of before do not tell. */
  mint: { fields: { callId: CallId, mode: 'talk' | 'listen', by?: string }, value: MintedSession }
  /** Ends the unused tokens of this caller, or of this number. An id that minted nothing changes nothing. */
  revoke: { fields: { by: string }, value: null }
  play: { fields: { callId: CallId, playbackId: PlaybackId, mediaUrl: string, hangupAfterPlay: boolean }, value: null }
  close: { fields: { callId: CallId, status: CallStatus, reason?: string, durationSeconds?: number }, value: null }
}
export type MediaOp = keyof MediaOps

export type MediaRequest = { [O in MediaOp]: { readonly id: number, readonly op: O } & MediaOps[O]['fields'] }[MediaOp]
export type MediaAnswer = { readonly re: number, readonly ok: true, readonly value: unknown } | { readonly re: number, readonly ok: false, readonly error: Refusal }
export type MediaNotice = { readonly n: number, readonly ev: MediaEvent }
export type MediaAck = { readonly ack: number }
export type MediaOpOutcome<O extends MediaOp> = Outcome<MediaOps[O]['value']>
