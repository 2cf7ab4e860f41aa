import type { CallDirection, CallStatus, PlaybackStatus } from '../domain/call.ts'
import type { CallMediaKind } from '../domain/call-media.ts'
import type { CallerId } from '../domain/caller.ts'
import type { Outcome } from '../domain/errors.ts'
import type { CallId, NumberId, PlaybackId, RealtimeSessionId, TenantId } from '../domain/ids.ts'
import type { Trace } from '../domain/trace.ts'
import type { RealtimeSessionState, SessionMode } from '../domain/realtime-session.ts'

/** What the media host needs to know of a call: bound into tokens and shown in the `start` message. */
export interface MediaCall {
  readonly callId: CallId
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly direction: CallDirection
  /** Digits. */
  readonly peerNumber: string
  readonly externalCallId: string | null
  readonly status: CallStatus
  /** The owner's token of the number (ports/leases.ts). */
  readonly fence?: number
  /** True when the call is recorded. */
  readonly record?: boolean
  /** What the call is part of; absent when nothing is recorded of it. */
  readonly trace?: Trace
}

/** A leg that was made, with what the peer is told of it. */
export interface OpenedLeg {
  /** The description of the leg, as SDP or that of raw audio (domain/call-media.ts). */
  readonly sdp: string
  /**
   * Names the host that holds the leg, so that the number's next owner finds it; missing when the leg ends with this
   * node.
   */
  readonly host?: string
}

export interface AdoptedCall {
  /** True when the call has a leg; false when it has only sockets that wait for one. */
  readonly hasLeg: boolean
  /** True when the call is recorded, or will be from its answer on. */
  readonly isRecorded?: boolean | undefined
}

export interface MintedSession {
  readonly wsUrl: string
  readonly token: string
  /** When it expires, in ms since the epoch. */
  readonly expiresAtMs: number
}

/** A session whose server the media host dials ([voice.connect-to.1]). */
export interface SessionToDial {
  readonly sessionId: RealtimeSessionId
  readonly mode: SessionMode
  /** The server's address, `wss:`. */
  readonly url: string
  /** Sent with the handshake; secret. */
  readonly headers: Readonly<Record<string, string>>
  /** Parameters of the session by their names in the query of a realtime address. */
  readonly query: Readonly<Record<string, string>>
  /** Texts for the server's first message. */
  readonly given: Readonly<Record<string, string>>
  /** True when `onDisconnect` acts on an answered call alone; false when missing. */
  readonly sparesRinging?: boolean
}

/** What the media host reports of a call. */
export type MediaEvent =
  /** The first RTP packet of the peer arrived. */
  | { readonly type: 'flowing'; readonly callId: CallId }
  /** Progress of a file, queued by REST or by the socket. */
  | {
      readonly type: 'playback'
      readonly callId: CallId
      readonly playbackId: PlaybackId
      readonly mediaUrl: string
      readonly hangupAfterPlay: boolean
      readonly status: PlaybackStatus
      readonly error?: string
    }
  /** How a realtime session stands. */
  | { readonly type: 'session'; readonly callId: CallId; readonly session: RealtimeSessionState }
  /** The socket client asked to hang up, or left with onDisconnect=hangup. */
  | { readonly type: 'hangup'; readonly callId: CallId; readonly reason: string | null }
  /** The socket client asked to accept an inbound call. */
  | { readonly type: 'accept'; readonly callId: CallId }
  /** The leg is gone: ICE or DTLS failed, or the host that held it died or restarted. */
  | { readonly type: 'lost'; readonly callId: CallId; readonly reason: string }

/** The gateway's view of the media hosts. Requests answer an Outcome and never throw. */
export interface MediaPort {
  /** True when the hosts are programs of their own: their calls outlive this node. */
  readonly outlives: boolean
  /**
   * Creates a leg and its offer (outbound), a WebRTC one unless told otherwise. Refusals: MEDIA_CAPACITY,
   * MEDIA_UNAVAILABLE.
   */
  offer(call: MediaCall, kind?: CallMediaKind): Promise<Outcome<OpenedLeg>>
  /** Creates a leg that answers the provider's offer (inbound), of the kind that the offer is of. */
  answer(call: MediaCall, sdpOffer: string): Promise<Outcome<OpenedLeg>>
  /** Gives the leg of an outbound call the provider's answer. */
  connect(callId: CallId, sdpAnswer: string): Promise<Outcome<null>>
  /**
   * Gives a leg a further description of its peer, with other addresses, payload numbers or direction; a repetition
   * changes nothing. Refusals: INVALID_SDP (the leg goes on as before), CALL_INVALID_STATE (there is no leg),
   * MEDIA_UNAVAILABLE.
   */
  update(callId: CallId, sdp: string): Promise<Outcome<null>>
  /** Registers a call that has no leg yet (inbound, ringing) so that sessions may be opened before the answer. */
  announce(call: MediaCall): Promise<Outcome<null>>
  /** Tells the sockets of a transition; ACCEPTED starts the timeline and the queue. */
  setStatus(
    callId: CallId,
    status: CallStatus,
    info?: { readonly reason?: string; readonly durationSeconds?: number; readonly externalCallId?: string },
  ): void
  /**
   * Makes a token that ends with `by`, the caller who asked for it. Who opens it with `takesOver` has the call from
   * then on, and the session that talked listens. Refusals: MEDIA_UNAVAILABLE.
   */
  mint(callId: CallId, mode: SessionMode, by: CallerId, takesOver?: boolean): Promise<Outcome<MintedSession>>
  /**
   * Gives a call back to the session it was taken over from. Refusals: CALL_INVALID_STATE (there is none any more),
   * MEDIA_UNAVAILABLE.
   */
  giveBack(callId: CallId): Promise<Outcome<null>>
  /**
   * Has the host dial a server, once its address is let through; the session then tells how it stands. Asking again for
   * the same session only has it told again. Refusals: VALIDATION, MEDIA_URL_FORBIDDEN, MEDIA_CAPACITY,
   * MEDIA_UNAVAILABLE.
   */
  dial(callId: CallId, session: SessionToDial): Promise<Outcome<null>>
  /**
   * Queues a file; answers once the guard let it through and its first bytes are audio. Refusals: VALIDATION,
   * MEDIA_URL_FORBIDDEN, MEDIA_DOWNLOAD_FAILED, MEDIA_UNSUPPORTED, MEDIA_TOO_LARGE, PLAYBACK_QUEUE_FULL.
   */
  play(callId: CallId, playbackId: PlaybackId, mediaUrl: string, hangupAfterPlay: boolean): Promise<Outcome<null>>
  /**
   * Takes over a live call whose former owner is gone, with its `fence`. `host` is the name under which its leg was
   * opened; null when it had none, and then any host that knows the call is asked. Refusals: MEDIA_UNAVAILABLE (that
   * host is missing), CALL_NOT_FOUND, CALL_INVALID_STATE (the host ended it), NOT_OWNER.
   */
  adopt(call: MediaCall, host: string | null): Promise<Outcome<AdoptedCall>>
  /**
   * Gives the call up for the number's next owner, who adopts it; a call whose host ends with this node is closed.
   * Idempotent.
   */
  leave(callId: CallId): void
  /**
   * Ends sockets (after a `call` message with the final status) and leg. Idempotent. `fence` comes from an owner that
   * closes a call without holding it.
   */
  close(
    callId: CallId,
    final: {
      readonly status: CallStatus
      readonly reason?: string
      readonly durationSeconds?: number
      readonly fence?: number
    },
  ): void
  onEvent(listener: (event: MediaEvent) => void): void
}
