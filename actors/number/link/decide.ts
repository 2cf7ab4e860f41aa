import { succeed } from '../../../src/domain/errors.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import type { ProviderEvent } from '../../../src/ports/provider.ts'
import { incomingCall, routeCallEvent } from '../calls/decide.ts'
import type { AskedNumberCommand } from '../messages.ts'
import { changeMessage, namePeer, peerTypes, receiveMessage, reportStatus, takeVote } from '../receiving/decide.ts'
import { withLimits } from '../sends/decide.ts'
import { beginSave } from '../rows/decide.ts'
import type { ReadyNumber, Step } from '../state.ts'
import { step } from '../state.ts'
import { engineTold } from './engine.ts'
import type { LinkMessage } from './messages.ts'
import { codeShown } from './pairing.ts'
import type { Link } from './state.ts'
import { dropped, stateChanged } from './ups-and-downs.ts'

/**
 * Handles a report of the session. Events of a session that was closed since are dropped, because its successor repeats
 * them.
 */
export function sessionReported(
  state: ReadyNumber,
  { sessionId, event, callId }: LinkMessage & { type: 'Session' },
  nowMs: number,
): Step<ReadyNumber> {
  if (state.link.at !== 'UP' || state.link.sessionId !== sessionId) return step(state)
  const isHeard = state.link.isHeard || (event.type === 'state' && event.state === 'OPEN')
  return heard(state, { ...state.link, isSilent: false, isHeard }, event, callId, nowMs)
}

function heard(
  before: ReadyNumber,
  link: Link & { at: 'UP' },
  event: ProviderEvent,
  callId: CallId | null,
  nowMs: number,
): Step<ReadyNumber> {
  const state = { ...before, link }
  switch (event.type) {
    case 'qr':
      return codeShown(state, link, event, nowMs)
    case 'state':
      return stateChanged(state, link, event)
    case 'credentials':
      return credentialsChanged(state, event)
    case 'incomingCall':
      return incomingCall(state, event, callId)
    case 'callRinging':
    case 'callAnswered':
    case 'callEnded':
      return routeCallEvent(state, event)
    case 'messageReceived':
    case 'messageStatus':
    case 'messageChanged':
    case 'pollVoted':
    case 'peerNamed':
      return messagesTold(state, event)
    case 'peerTyping':
      return peerTypes(state, event)
    case 'health':
    case 'engine':
      return engineTold(state, event)
    case 'linkDown':
      return dropped(state, null)
    case 'linkUp':
      return step(state)
    case 'unused':
      return step(state, [{ type: 'settle', seq: event.seq }])
  }
}

/** Takes what the engine tells of messages and of who writes them. */
function messagesTold(
  state: ReadyNumber,
  event: ProviderEvent & {
    type: 'messageReceived' | 'messageStatus' | 'messageChanged' | 'pollVoted' | 'peerNamed'
  },
): Step<ReadyNumber> {
  switch (event.type) {
    case 'messageReceived':
      return receiveMessage(state, event, event.seq)
    case 'messageStatus':
      return reportStatus(state, event, event.seq)
    case 'messageChanged':
      return changeMessage(state, event, event.seq)
    case 'pollVoted':
      return takeVote(state, event, event.seq)
    case 'peerNamed':
      return namePeer(state, event, event.seq)
  }
}

/** The engine changed the credentials of the pairing. They are stored before the event is settled. */
function credentialsChanged(
  state: ReadyNumber,
  { credentials, seq }: ProviderEvent & { type: 'credentials' },
): Step<ReadyNumber> {
  return beginSave(state, {
    patch: { credentials },
    seq,
    next: { credentials },
    effects: [{ type: 'settle', seq }],
  })
}

/** Uses new settings and tells the session, if there is one. The row has them already. */
export function applySettings(
  state: ReadyNumber,
  { askId, settings, piiMode, limits = null }: AskedNumberCommand & { type: 'ApplySettings' },
): Step<ReadyNumber> {
  const { number } = state
  const next = { ...state, number: { ...number, settings, piiMode: piiMode ?? number.piiMode } }
  const limited = limits ? withLimits(next, limits) : step(next)
  if (state.link.at === 'NONE') return step(limited.state, limited.effects, [{ askId, outcome: succeed(null) }])
  return step(limited.state, [...limited.effects, { type: 'applySettings', askId, settings }])
}
