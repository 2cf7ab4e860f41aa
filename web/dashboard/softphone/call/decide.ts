import { LIVE_STATUSES, type LiveStatus } from '../../../../src/domain/call.ts'
import { closingOf } from './closing.ts'
import type { Decided, Link, PhoneCall, PhoneEffect, PhoneEvent, PhoneState } from './state.ts'

type Live = Extract<PhoneState, { at: 'live' }>
type Event<Type extends PhoneEvent['type']> = Extract<PhoneEvent, { type: Type }>

/** [realtime.query.6], in ms: the service waits this long for a new session before it hangs up. */
const GRACE_MS = 30_000
/** Our choice, in ms: the wait before the first try for a new session; each further one doubles, up to the longest. */
const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 4_000

/** The softphone's next state, and what is to be done. Events that do not fit the state change nothing. */
export function decide(state: PhoneState, event: PhoneEvent): Decided {
  switch (event.type) {
    case 'dial':
      return dialled(state, event)
    case 'takeOver':
      return takenOver(state, event)
    case 'giveBack':
      return state.at === 'live' && state.hasBot ? does(state, 'giveBack') : stays(state)
    case 'givenBack':
      return state.at === 'live' ? givenBack(state, event) : stays(state)
    case 'placed':
      return placed(state, event)
    case 'refused':
      return refused(state, event)
    case 'told':
      return told(state, event)
    case 'socketClosed':
      return state.at === 'live' ? closed(state, event) : stays(state)
    case 'sessionRefused':
      return state.at === 'live' ? withoutSession(state, event) : stays(state)
    case 'hangup':
      return hungUp(state)
    case 'barred':
      return state.at === 'live' ? barred(state.call) : stays(state)
    case 'dismiss':
      return state.at === 'ended' ? { state: { at: 'idle' }, effects: [] } : stays(state)
    default:
      return state.at === 'live' ? inCall(state, event.type) : stays(state)
  }
}

function dialled(state: PhoneState, { numberId, to }: Event<'dial'>): Decided {
  if (isBusy(state)) return stays(state)
  return {
    state: { at: 'placing', numberId, peer: to, isGivenUp: false },
    effects: [{ do: 'place', numberId, to }],
  }
}

function placed(state: PhoneState, { call, status }: Event<'placed'>): Decided {
  if (state.at !== 'placing') return stays(state)
  if (state.isGivenUp) return { state: { at: 'idle' }, effects: [{ do: 'terminate', call }, { do: 'release' }] }
  return {
    state: { at: 'live', call, status, link: { at: 'opening' } },
    effects: [{ do: 'openSession', call }],
  }
}

function takenOver(state: PhoneState, { call, status }: Event<'takeOver'>): Decided {
  if (isBusy(state) || !isLive(status)) return stays(state)
  return {
    state: { at: 'live', call, status, link: { at: 'opening' }, hasBot: true },
    effects: [{ do: 'takeOver', call }],
  }
}

function givenBack({ hasBot: _hasBot, ...state }: Live, { isRefused }: Event<'givenBack'>): Decided {
  return isRefused ? { state, effects: [] } : { state: { at: 'idle' }, effects: [{ do: 'release' }] }
}

function refused(state: PhoneState, { fault }: Event<'refused'>): Decided {
  if (!isBusy(state)) return stays(state)
  const call = state.at === 'live' ? state.call : null
  return { state: { at: 'ended', call, ending: { kind: 'refused', fault } }, effects: [{ do: 'release' }] }
}

function told(state: PhoneState, { call, status, error }: Event<'told'>): Decided {
  if (state.at === 'live' && state.call.id === call.id) {
    if (!isLive(status)) return ended(state, status, error)
    if (isToAnswer(state) && status === 'ACCEPTED') return { state: { at: 'idle' }, effects: [] }
    return isLater(status, state.status) ? { state: { ...state, status }, effects: [] } : stays(state)
  }
  const rings = call.direction === 'INBOUND' && status === 'RINGING'
  if (!rings || isBusy(state)) return stays(state)
  return { state: { at: 'live', call, status, link: { at: 'none' } }, effects: [] }
}

function ended(state: Live, status: string, error: string | null): Decided {
  return {
    state: { at: 'ended', call: state.call, ending: { kind: 'status', status, error } },
    effects: [{ do: 'release' }],
  }
}

function closed(state: Live, { code, atMs }: Event<'socketClosed'>): Decided {
  switch (closingOf(code)) {
    case 'over':
      // The status follows by the stream of the account; it names the reason, which the code does not.
      return { state: linked(state, { at: 'none' }), effects: [{ do: 'release' }] }
    case 'taken':
      return { state: linked(state, { at: 'taken' }), effects: [{ do: 'release' }] }
    case 'again':
      return lost(state, atMs)
  }
}

function withoutSession(state: Live, { isOver, atMs }: Event<'sessionRefused'>): Decided {
  if (isOver) return { state: linked(state, { at: 'none' }), effects: [{ do: 'release' }] }
  return lost(state, atMs)
}

function lost(state: Live, atMs: number): Decided {
  const before = state.link.at === 'lost' ? state.link : { sinceMs: atMs, tries: 0 }
  if (atMs - before.sinceMs >= GRACE_MS)
    return { state: { at: 'ended', call: state.call, ending: { kind: 'lost' } }, effects: [{ do: 'release' }] }
  const ms = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** before.tries)
  return {
    state: linked(state, { at: 'lost', sinceMs: before.sinceMs, tries: before.tries + 1 }),
    effects: [{ do: 'retryIn', ms }],
  }
}

/** No further try would help, and nobody is to wait for a voice that cannot come. */
function barred(call: PhoneCall): Decided {
  return {
    state: { at: 'ended', call, ending: { kind: 'barred' } },
    effects: [{ do: 'terminate', call }, { do: 'release' }],
  }
}

function hungUp(state: PhoneState): Decided {
  if (state.at === 'placing') return { state: { ...state, isGivenUp: true }, effects: [] }
  return state.at === 'live' ? does(state, 'terminate') : stays(state)
}

function inCall(state: Live, type: 'accept' | 'accepted' | 'reject' | 'takeBack' | 'socketOpened' | 'retry'): Decided {
  const { link, call } = state
  switch (type) {
    case 'accept':
      if (!isToAnswer(state)) return stays(state)
      return { state: linked(state, { at: 'opening' }), effects: [{ do: 'accept', call }] }
    case 'accepted':
      // Not before: a session of somebody who comes second would take the call from who answered it.
      return link.at === 'opening' ? does(state, 'openSession') : stays(state)
    case 'reject':
      return isToAnswer(state) ? does(state, 'reject') : stays(state)
    case 'takeBack':
      if (link.at !== 'taken') return stays(state)
      return { state: linked(state, { at: 'opening' }), effects: [{ do: 'openSession', call }] }
    case 'retry':
      return link.at === 'lost' ? does(state, 'openSession') : stays(state)
    case 'socketOpened':
      return { state: linked(state, { at: 'open' }), effects: [] }
  }
}

function does(state: Live, effect: 'terminate' | 'reject' | 'openSession' | 'giveBack'): Decided {
  return { state, effects: [{ do: effect, call: state.call } satisfies PhoneEffect] }
}

function linked(state: Live, link: Link): Live {
  return { ...state, link }
}

function stays(state: PhoneState): Decided {
  return { state, effects: [] }
}

function isToAnswer({ call, status, link }: Live): boolean {
  return call.direction === 'INBOUND' && status === 'RINGING' && link.at === 'none'
}

function isBusy(state: PhoneState): boolean {
  return state.at === 'placing' || state.at === 'live'
}

function isLive(status: string): status is LiveStatus {
  return LIVE_STATUSES.some((live) => live === status)
}

/** Whether a status comes after another, because the stream and the socket tell the same call. */
function isLater(status: LiveStatus, than: LiveStatus): boolean {
  return LIVE_STATUSES.indexOf(status) > LIVE_STATUSES.indexOf(than)
}
