import { isBlank } from '../../../src/domain/characters.ts'
import { fail, refuse } from '../../../src/domain/errors.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import { kindOf } from '../../../src/domain/kinds/kinds.ts'
import { toDigits } from '../../../src/domain/phone.ts'
import type { CallMessage } from '../../call/messages.ts'
import type { AskedNumberCommand } from '../messages.ts'
import type { NumberEffect, ReadyNumber, Step } from '../state.ts'
import { isConnected, isStateless, step } from '../state.ts'
import type { CallEvent, CallsState, IncomingCall } from './state.ts'

export const NO_CALLS: CallsState = {
  calls: new Map(),
  parked: [],
  unswept: new Map(),
  unconfirmed: [],
  earlyEnds: new Map(),
}

/** Starts a call actor, which answers the ask once the provider took the call. */
export function placeCall(state: ReadyNumber, command: AskedNumberCommand & { type: 'PlaceCall' }): Step<ReadyNumber> {
  const { askId, callId, to, bizOpaqueCallbackData, sdp, media = null, record = false, trace } = command
  if (!isConnected(state)) {
    return step(
      state,
      [],
      [{ askId, outcome: fail(refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'The number is not connected')) }],
    )
  }
  if (kindOf(state.number).can.callSdp && !sdp && media !== 'bridge')
    return step(
      state,
      [],
      [{ askId, outcome: fail(refuse('INVALID_SDP', 'Send the SDP offer of the call, or media bridge')) }],
    )
  return step({ ...state, calls: new Map(state.calls).set(callId, null) }, [
    { type: 'placeCall', askId, callId, number: state.number, to, bizOpaqueCallbackData, sdp, media, record, trace },
  ])
}

/**
 * our choice: most live calls of a number whose phone rings. No phone rings for that many, so further calls are not
 * announced.
 */
const LIVE_CALLS = 500

function callOf(state: ReadyNumber, externalCallId: string): CallId | null {
  for (const [callId, known] of state.calls) if (known === externalCallId) return callId
  return null
}

function isOffering(state: ReadyNumber): boolean {
  for (const known of state.calls.values()) if (known === null) return true
  return false
}

function toMessage(event: CallEvent): CallMessage {
  switch (event.type) {
    case 'callRinging':
      return { type: 'ProviderRinging', seq: event.seq }
    case 'callAnswered':
      return { type: 'ProviderAnswered', seq: event.seq, sdp: event.sdp }
    case 'callSdp':
      return { type: 'ProviderSdp', seq: event.seq, sdp: event.sdp }
    case 'callAccepted':
      return { type: 'ProviderAnswered', seq: event.seq, sdp: null, at: event.at }
    case 'callEnded':
      return {
        type: 'ProviderEnded',
        seq: event.seq,
        reason: event.reason,
        ...('end' in event ? { end: event.end } : {}),
      }
  }
}

/** Takes a new call. When the call was announced again, its actor settles the event once its row is stored. */
export function incomingCall(state: ReadyNumber, event: IncomingCall, freshId: CallId | null): Step<ReadyNumber> {
  const { seq, externalCallId, from, sdp, at = null, trace } = event
  const known = callOf(state, externalCallId)
  if (known !== null)
    return step(state, [{ type: 'tellCall', callId: known, message: { type: 'ProviderRepeated', seq, sdp } }])
  // A leaving number takes no call. The unsettled event comes again to the next owner, or once the call runs again.
  const isUnswept = isStateless(state.number) && state.unswept.has(externalCallId)
  if (freshId === null || state.leaving || isUnswept) return step(state)
  if (state.calls.size >= LIVE_CALLS && !isStateless(state.number)) return step(state, [{ type: 'settle', seq }])
  const { number } = state
  const { rejectCall, msgRejectCall } = number.settings
  // A blank text would show an empty bubble, so none is sent.
  const rejection = rejectCall === true ? { text: isBlank(msgRejectCall ?? '') ? null : msgRejectCall } : null
  const ended = state.earlyEnds.get(externalCallId)
  return step(
    {
      ...state,
      calls: new Map(state.calls).set(freshId, externalCallId),
      earlyEnds: ended ? withoutEarlyEnd(state, externalCallId) : state.earlyEnds,
    },
    [
      {
        type: 'takeCall',
        callId: freshId,
        number,
        externalCallId,
        peerNumber: peerOf(from),
        sdp,
        seq,
        at,
        rejection,
        trace,
      },
      // The event of that end is settled already; settling it again does no harm.
      ...(ended ? [{ type: 'tellCall', callId: freshId, message: toMessage(ended) } as const] : []),
    ],
  )
}

/**
 * The peer's digits. A user who hides the number has an id of upstream's, which holds letters and is kept unchanged
 * (our choice).
 */
function peerOf(from: string): string {
  return toDigits(from) ?? (/[a-z]/i.test(from) ? from : from.replaceAll(/\D/g, ''))
}

/**
 * Hands a call event to its call. The event of an unknown call waits while an offer is out; otherwise its call is over
 * and it is settled.
 */
export function routeCallEvent(state: ReadyNumber, event: CallEvent): Step<ReadyNumber> {
  const callId = callOf(state, event.externalCallId)
  if (callId !== null) return step(state, [{ type: 'tellCall', callId, message: toMessage(event) }])
  if (isOffering(state) || state.unswept.has(event.externalCallId))
    return step({ ...state, parked: [...state.parked, event] })
  return step(withEarlyEnd(state, event), [{ type: 'settle', seq: event.seq }, ...askOfStray(state, event)])
}

/**
 * Asks upstream for its calls when one rings or is answered that nobody here knows. Upstream may have started it late,
 * from an offer that was given up because its gateway is gone or stopped waiting. A listed call without a row is then
 * ended there.
 */
function askOfStray({ number, link }: ReadyNumber, { type }: CallEvent): NumberEffect[] {
  if (link.at !== 'UP' || isStateless(number) || (type !== 'callRinging' && type !== 'callAnswered')) return []
  return [{ type: 'listCalls', sessionId: link.sessionId }]
}

/** our choice: most ends that are remembered while their offers are missing; the oldest is forgotten first. */
const EARLY_ENDS = 1_000

/**
 * Remembers the end of an inbound call that came before its offer. Upstream still sends the offer, which must not ring.
 */
function withEarlyEnd(state: ReadyNumber, event: CallEvent): ReadyNumber {
  if (event.type !== 'callEnded' || !('end' in event) || event.end.direction === 'OUTBOUND') return state
  const earlyEnds = new Map(state.earlyEnds).set(event.externalCallId, event)
  for (const oldest of earlyEnds.keys()) {
    if (earlyEnds.size <= EARLY_ENDS) break
    earlyEnds.delete(oldest)
  }
  return { ...state, earlyEnds }
}

function withoutEarlyEnd({ earlyEnds }: ReadyNumber, externalCallId: string): ReadyNumber['earlyEnds'] {
  const others = new Map(earlyEnds)
  others.delete(externalCallId)
  return others
}

/** Closes the rows of calls without an actor, or has these calls run again. */
export function sweep(state: ReadyNumber): Step<ReadyNumber> {
  const unswept = new Map([...state.unswept.keys()].map((externalCallId) => [externalCallId, true]))
  return step({ ...state, unswept }, [{ type: 'sweep', except: [...state.calls.keys()] }])
}

/** The sweep that was under way is done. A leaving number leaves the events of those calls to its next owner. */
export function sweptAll(state: ReadyNumber): Step<ReadyNumber> {
  if (state.leaving) return step(state)
  return unpark({ ...state, unswept: new Map([...state.unswept].filter(([, isSwept]) => !isSwept)) })
}

/** Routes the events that waited, as far as their calls are known by now. */
function unpark(state: ReadyNumber): Step<ReadyNumber> {
  let next: ReadyNumber = { ...state, parked: [] }
  const effects: NumberEffect[] = []
  for (const event of state.parked) {
    const routed = routeCallEvent(next, event)
    next = routed.state
    effects.push(...routed.effects)
  }
  return step(next, effects)
}

/** The provider named the call, or refused it. */
export function callOffered(state: ReadyNumber, callId: CallId, externalCallId: string | null): Step<ReadyNumber> {
  if (!state.calls.has(callId) || externalCallId === null) return step(state)
  return unpark({ ...state, calls: new Map(state.calls).set(callId, externalCallId) })
}

/** A call actor is gone. When it could not store its end, the row is closed later. */
export function callStopped(state: ReadyNumber, callId: CallId, isStored: boolean): Step<ReadyNumber> {
  const calls = new Map(state.calls)
  calls.delete(callId)
  const externalCallId = state.calls.get(callId) ?? null
  const isLost = !isStored && externalCallId !== null
  const unswept = isLost ? new Map(state.unswept).set(externalCallId, false) : state.unswept
  const unconfirmed = state.unconfirmed.filter((resumed) => resumed !== callId)
  const unparked = unpark({ ...state, calls, unswept, unconfirmed })
  if (isStored) return unparked
  return step(unparked.state, [
    ...unparked.effects,
    { type: 'startTimer', timer: 'sweep', delayMs: state.times.sweepMs },
  ])
}
