import { isLive } from '../../../domain/call.ts'
import type { Call, CallAnswer, CallStatus, Playback } from '../../../domain/call.ts'
import type { CallId } from '../../../domain/ids.ts'
import { kindOf } from '../../../domain/kinds/kinds.ts'
import { REALTIME_TOKEN_MS } from '../../../domain/limits.ts'
import { recordingUrl } from '../../../domain/recording.ts'
import type { RealtimeSessionState } from '../../../domain/realtime-session.ts'
import type { MintedSession } from '../../../ports/media.ts'

/** A call as listed: never with SDP ([calls.object.9]). */
export function presentCall(call: Call) {
  return {
    id: call.id,
    externalCallId: call.externalCallId,
    direction: call.direction,
    status: call.status,
    peerNumber: call.peerNumber,
    fromNumber: call.fromNumber,
    conversationId: call.conversationId,
    media: call.media,
    bizOpaqueCallbackData: call.bizOpaqueCallbackData,
    startedAt: call.startedAt?.toISOString() ?? null,
    connectedAt: call.connectedAt?.toISOString() ?? null,
    endedAt: call.endedAt?.toISOString() ?? null,
    durationSeconds: call.durationSeconds,
    errorCode: call.errorCode,
    errorMessage: call.errorMessage,
    createdAt: call.createdAt.toISOString(),
    updatedAt: call.updatedAt.toISOString(),
  }
}

/**
 * A single call with its files. Its SDP is shown only on request ([calls.object.9]), and is always null on UNOFFICIAL
 * numbers ([calls.object.10]).
 */
export function presentCallRead(call: Call, sessions: readonly RealtimeSessionState[], isSdpIncluded: boolean) {
  const hasSdp = kindOf(call).can.callSdp
  return {
    ...presentCall(call),
    sessions: sessions.map(presentSessionState),
    playback: call.playback.map((file) => presentPlayback(file, isLive(call.status))),
    recordingUrl: call.recording === 'STORED' ? recordingUrl(call.id) : null,
    ...(isSdpIncluded ? { sdpOffer: hasSdp ? call.sdpOffer : null, sdpAnswer: hasSdp ? call.sdpAnswer : null } : {}),
  }
}

function presentSessionState({ openedAtMs, closedAtMs, ...session }: RealtimeSessionState) {
  const { id, direction, mode, dialect, status, closeCode, error } = session
  const times = { openedAt: isoOf(openedAtMs), closedAt: isoOf(closedAtMs) }
  return { id, direction, mode, dialect, status, ...times, closeCode, error }
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

/** our choice: a file that an ended call did not play to its end is FAILED, because it will not go on. */
function presentPlayback({ mediaUrl, status, error }: Playback, isCallLive: boolean) {
  if (!isCallLive && (status === 'QUEUED' || status === 'PLAYING'))
    return { mediaUrl, status: 'FAILED', error: 'CALL_ENDED' }
  return { mediaUrl, status, ...(error === undefined ? {} : { error }) }
}

export function presentPlaced(placed: {
  readonly id: CallId
  readonly externalCallId: string | null
  readonly status: CallStatus
}) {
  return { id: placed.id, externalCallId: placed.externalCallId, status: placed.status }
}

export function presentAnswer(answer: CallAnswer) {
  return { success: true, id: answer.id, status: answer.status }
}

/**
 * A session to open ([realtime.session.2]). The lifetime shown is the fixed one, not a difference of two machines'
 * clocks.
 */
export function presentSession(session: MintedSession) {
  const seconds = REALTIME_TOKEN_MS / 1000
  return {
    wsUrl: session.wsUrl,
    token: session.token,
    expiresIn: seconds,
    expiresInSeconds: seconds,
    expiresAt: new Date(session.expiresAtMs).toISOString(),
  }
}
