import type { CallCarrier, CallStatus } from '../../src/domain/call.ts'
import type { EventName, NewEvent } from '../../src/domain/events.ts'
import { toE164 } from '../../src/domain/phone.ts'
import { recordingUrl } from '../../src/domain/recording.ts'
import type { CallFacts } from './state.ts'

/** The state of a call at the moment of an event. */
export interface CallMoment {
  readonly status: CallStatus
  readonly externalCallId: string | null
  readonly media: CallCarrier | null
  readonly connectedAt: Date | null
  readonly endedAt: Date | null
  /** Null when the call was not answered. */
  readonly durationSeconds: number | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly isRecorded?: boolean
}

/**
 * The peer as E.164 with `+`. A user of an OFFICIAL number who hides the phone number is shown by upstream's id (our
 * choice).
 */
export function shownPeer(peer: string): string {
  return /^\d+$/.test(peer) ? toE164(peer) : peer
}

/**
 * Makes the event of a call: the call object without its SDP, numbers as E.164 with `+` ([rest.phones.2]),
 * `duration` on the end of an answered call ([events.data.5]), and where its recording will be
 * ([voice.recordings.4]).
 */
export function callEvent(event: EventName, facts: CallFacts, moment: CallMoment, nowMs: number): NewEvent {
  return {
    event,
    data: {
      id: facts.id,
      externalCallId: moment.externalCallId,
      direction: facts.direction,
      status: moment.status,
      peerNumber: shownPeer(facts.peerNumber),
      fromNumber: toE164(facts.fromNumber),
      conversationId: facts.conversationId,
      media: moment.media,
      bizOpaqueCallbackData: facts.bizOpaqueCallbackData,
      startedAt: facts.startedAt.toISOString(),
      connectedAt: moment.connectedAt?.toISOString() ?? null,
      endedAt: moment.endedAt?.toISOString() ?? null,
      durationSeconds: moment.durationSeconds,
      errorCode: moment.errorCode,
      errorMessage: moment.errorMessage,
      createdAt: facts.createdAt.toISOString(),
      updatedAt: new Date(nowMs).toISOString(),
      ...(event === 'call.ended' && moment.durationSeconds !== null ? { duration: moment.durationSeconds } : {}),
      ...(event === 'call.ended' && moment.isRecorded && moment.connectedAt !== null
        ? { recordingUrl: recordingUrl(facts.id) }
        : {}),
    },
  }
}
