import { storableOffer } from '../../src/domain/call-media.ts'
import type { NewEvent } from '../../src/domain/events.ts'
import { callEvent } from './event-data.ts'
import { hasOwnLeg } from './leg.ts'
import type { CallMessage } from './messages.ts'
import { rowFacts } from './outbound.ts'
import type { CallEffect, CallState, Step } from './state.ts'
import { beginWrite } from './writing.ts'

/** our choice: an offer that reached us long after it was made still waits this many ms for news of its end. */
const LATE_OFFER_MS = 5_000

/**
 * How long the offer waits, in ms. An offer by webhook may come late, and the caller has been waiting since it was
 * made.
 */
function patienceMs({ facts, times }: CallState, nowMs: number): number {
  const waitedMs = Math.max(0, nowMs - facts.startedAt.getTime())
  return Math.max(Math.min(LATE_OFFER_MS, times.ringMs), times.ringMs - waitedMs)
}

/**
 * Stores an inbound call as RINGING, and announces it to a media host meanwhile, so that a session can be opened as
 * soon as call.ringing is heard. The number's bot is dialled once the call is stored. With a rejection the call is
 * declined right after, and never rings for anybody.
 */
export function startInbound(state: CallState, message: CallMessage & { type: 'StartInbound' }, nowMs: number): Step {
  const { externalCallId, sdp, seq, rejection } = message
  const { startedAt } = state.facts
  // The number's next owner may have to answer the offer.
  const sdpOffer = hasOwnLeg(state) && !state.outlives ? null : storableOffer(sdp)
  const call = {
    ...rowFacts(state),
    externalCallId,
    status: 'RINGING',
    startedAt,
    media: null,
    sdpOffer,
    sdpAnswer: null,
  } as const
  const ringing = ringingEvent(state, externalCallId, nowMs)
  const afterwards: CallEffect[] = []
  if (!rejection)
    afterwards.push({ type: 'startTimer', timer: 'ring', delayMs: patienceMs(state, nowMs) }, { type: 'readVoice' })
  else if (rejection.text) afterwards.push({ type: 'sendRejection', text: rejection.text })
  const begun = beginWrite(
    state,
    {
      kind: 'insert',
      next: { at: 'INCOMING', externalCallId, sdpOffer: sdp },
      asks: [],
      effects: [{ type: 'settle', seq }, ...afterwards],
    },
    (attempt) => ({ type: 'insert', attempt, call, events: rejection ? [] : [ringing] }),
    rejection ? [] : [{ type: 'mediaAnnounce', externalCallId }],
  )
  return rejection ? { ...begun, state: { ...begun.state, stash: [{ type: 'Reject', askId: null }] } } : begun
}

function ringingEvent({ facts }: CallState, externalCallId: string, nowMs: number): NewEvent {
  const open = {
    media: null,
    connectedAt: null,
    endedAt: null,
    durationSeconds: null,
    errorCode: null,
    errorMessage: null,
  }
  return callEvent('call.ringing', facts, { status: 'RINGING', externalCallId, ...open }, nowMs)
}
