import type { SessionCloseReason } from '../../../src/domain/device-bridge.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import { NO_CODE, type PairingCode } from '../../../src/domain/pairing.ts'
import type { ProviderEvent } from '../../../src/ports/provider.ts'
import { incomingCall, routeCallEvent } from '../calls/decide.ts'
import type { AskedNumberCommand } from '../messages.ts'
import { changeMessage, receiveMessage, reportStatus } from '../receiving/decide.ts'
import { beginSave } from '../rows/decide.ts'
import type { NumberEffect, ReadyNumber, Reply, Step } from '../state.ts'
import { isStateless, step } from '../state.ts'
import type { Link, ShownCode } from './state.ts'

const NO_LINK: Link = { at: 'NONE' }

/** Whoever waits for a code that will not come. */
function refuseWaiters(link: Link, code: 'ALREADY_CONNECTED' | 'DEVICE_NETWORK_TIMEOUT'): Reply[] {
  if (link.at === 'NONE') return []
  const refusal = code === 'ALREADY_CONNECTED'
    ? refuse(code, 'The number is connected already')
    : refuse(code, 'The device network gave no code in time; try again')
  return link.waiters.map((askId) => ({ askId, outcome: fail(refusal) }))
}

/** What a session reports. Events of a session that was closed since are dropped: another one has their successors. */
export function sessionReported(before: ReadyNumber, sessionId: number, event: ProviderEvent, callId: CallId | null, nowMs: number): Step<ReadyNumber> {
  if (before.link.at !== 'UP' || before.link.sessionId !== sessionId) return step(before)
  const isHeard = before.link.isHeard || (event.type === 'state' && event.state === 'OPEN')
  const link = { ...before.link, isSilent: false, isHeard }
  const state = { ...before, link }
  switch (event.type) {
    case 'qr':
      return codeShown(state, link, event, nowMs)
    case 'state':
      return stateChanged(state, link, event)
    case 'credentials':
      return beginSave(state, {
        patch: { credentials: event.credentials },
        seq: event.seq,
        next: { credentials: event.credentials },
        effects: [{ type: 'settle', seq: event.seq }],
      })
    case 'incomingCall':
      return incomingCall(state, event, callId)
    case 'callRinging':
    case 'callAnswered':
    case 'callEnded':
      return routeCallEvent(state, event)
    case 'messageReceived':
      return receiveMessage(state, event, event.seq)
    case 'messageStatus':
      return reportStatus(state, event, event.seq)
    case 'messageChanged':
      return changeMessage(state, event, event.seq)
    case 'linkDown':
      return dropped(state, null)
    case 'linkUp':
      return step(state)
    case 'unused':
      return step(state, [{ type: 'settle', seq: event.seq }])
  }
}

/** A new code replaces the one before and answers all who wait. Nothing of it is stored. */
function codeShown(state: ReadyNumber, link: Link & { at: 'UP' }, event: ProviderEvent & { type: 'qr' }, nowMs: number): Step<ReadyNumber> {
  const code = { qr: event.qr, pairingCode: event.pairingCode, expiresAtMs: nowMs + event.expiresInMs }
  return step(
    { ...state, link: { ...link, code, waiters: [] } },
    [{ type: 'settle', seq: event.seq }, ...link.waiters.map((askId) => ({ type: 'cancelTimer', timer: `pair:${askId}` } as const))],
    link.waiters.map((askId) => ({ askId, outcome: answerCode(code, nowMs) })),
  )
}

function stateChanged(state: ReadyNumber, link: Link & { at: 'UP' }, event: ProviderEvent & { type: 'state' }): Step<ReadyNumber> {
  if (event.state === 'OPEN') return opened(state, link, event.seq)
  if (event.state === 'CONNECTING') return dropped(state, event.seq)
  switch (event.reason) {
    case 'banned':
      return isStateless(state.number) ? suspended(state, event.seq) : closed(state, link, event.seq, event.reason)
    case 'logged_out':
    case 'replaced':
    case 'qr_expired':
      return closed(state, link, event.seq, event.reason)
    case 'network':
    case null:
      return dropped(state, event.seq)
  }
}

/** Connected: stored with number.connected unless that is what was said last; the pairing links die (contract 3). */
function opened(state: ReadyNumber, link: Link & { at: 'UP' }, seq: number): Step<ReadyNumber> {
  const orphans = state.orphans.map((externalCallId): NumberEffect => ({ type: 'terminateOrphan', externalCallId }))
  if (state.number.state === 'OPEN') return step({ ...state, orphans: [] }, [...orphans, { type: 'settle', seq }])
  const save = beginSave(state, {
    patch: { state: 'OPEN', isFullyConnected: true },
    seq,
    announce: state.isAnnounced ? null : 'number.connected',
    next: { isAnnounced: true, orphans: [], link: { ...link, isPairing: false, code: null, waiters: [] } },
    effects: [
      { type: 'cancelTimer', timer: 'disconnected' },
      ...(link.isPairing ? [{ type: 'consumePairing' } as const] : []),
      ...orphans,
      { type: 'settle', seq },
    ],
    replies: refuseWaiters(link, 'ALREADY_CONNECTED'),
  })
  return save
}

/** The link is down for now and its driver reconnects; nothing is said for 30 s (contract 3). `seq` null: the socket itself. */
function dropped(state: ReadyNumber, seq: number | null): Step<ReadyNumber> {
  const settle: NumberEffect[] = seq === null ? [] : [{ type: 'settle', seq }]
  if (state.number.state !== 'OPEN') return step(state, settle)
  return beginSave(
    state,
    { patch: { state: 'CONNECTING', isFullyConnected: false }, seq, effects: settle },
    [{ type: 'startTimer', timer: 'disconnected', delayMs: state.times.disconnectedMs }],
  )
}

/** 30 s without reconnection. The driver goes on trying. */
export function disconnectedLong(state: ReadyNumber): Step<ReadyNumber> {
  if (!state.isAnnounced || state.number.state === 'OPEN') return step(state)
  return beginSave(state, { patch: { state: state.number.state }, announce: 'number.disconnected', next: { isAnnounced: false } })
}

/**
 * The session is over and is not reopened by itself. `logged_out` wipes the pairing; `replaced` means somebody
 * else holds it (architecture 6), `banned` may pass, so both keep it for a later connect (our choice); `qr_expired`
 * was no connection at all. number.disconnected is said at once, unless it never was connected.
 */
function closed(state: ReadyNumber, link: Link & { at: 'UP' }, seq: number, reason: Exclude<SessionCloseReason, 'network'>): Step<ReadyNumber> {
  // A logout under way is done with this, whatever the engine calls it.
  const isWiped = reason === 'logged_out' || state.logouts.length > 0
  return beginSave(state, {
    patch: { state: 'CLOSE', isFullyConnected: false, ...(isWiped ? { credentials: null } : {}) },
    seq,
    announce: state.isAnnounced ? 'number.disconnected' : null,
    next: {
      isAnnounced: false, link: NO_LINK, logouts: [], logoutAttempt: null,
      leaving: state.leaving && { ...state.leaving, isLinkDone: true },
      ...(isWiped ? { credentials: null } : {}),
    },
    effects: [
      { type: 'cancelTimer', timer: 'disconnected' },
      { type: 'settle', seq },
      { type: 'closeSession' },
    ],
    replies: [
      ...refuseWaiters(link, 'DEVICE_NETWORK_TIMEOUT'),
      ...state.logouts.map((askId) => ({ askId, outcome: succeed(null) })),
    ],
  }, isStateless(state.number) ? [] : [{ type: 'endCalls', how: 'PROVIDER_FAILED' }])
}

/**
 * Upstream refuses what the number authenticates with. The session stays and tells when that is over; calls go on, as
 * their audio is not here and what happens to them still comes by webhook.
 */
function suspended(state: ReadyNumber, seq: number): Step<ReadyNumber> {
  const settle = { type: 'settle', seq } as const
  if (state.number.state === 'CLOSE') return step(state, [settle])
  return beginSave(state, {
    patch: { state: 'CLOSE', isFullyConnected: false },
    seq,
    announce: state.isAnnounced ? 'number.disconnected' : null,
    next: { isAnnounced: false },
    effects: [settle],
  })
}

/** What a number does with its pairing once it is loaded: opens its session; a row that says more than is true without one is put right. */
export function beginLink(state: ReadyNumber): Step<ReadyNumber> {
  const { number, times } = state
  if (state.credentials !== null && state.hasDriver) {
    return openLink(state, [], state.isAnnounced && !isStateless(number) ? [{ type: 'startTimer', timer: 'disconnected', delayMs: times.disconnectedMs }] : [])
  }
  if (number.state === 'CLOSE') return step(state)
  return beginSave(state, {
    patch: { state: 'CLOSE', isFullyConnected: false },
    announce: state.isAnnounced ? 'number.disconnected' : null,
    next: { isAnnounced: false },
  })
}

/** Opens a session and says CONNECTING; one that is stateless reports at once, so that is waited for instead. */
export function openLink(state: ReadyNumber, waiters: readonly number[], alongside: readonly NumberEffect[] = []): Step<ReadyNumber> {
  const sessionId = state.attempts + 1
  const { number, credentials } = state
  const link: Link & { at: 'UP' } = { at: 'UP', sessionId, isPairing: credentials === null, code: null, waiters, isSilent: isStateless(number), isHeard: false }
  const opening: NumberEffect[] = [{ type: 'openSession', sessionId, number, credentials }, ...alongside]
  const linked = { ...state, attempts: sessionId, link }
  if (link.isSilent || number.state === 'CONNECTING') return step(linked, opening)
  return beginSave(linked, { patch: { state: 'CONNECTING', isFullyConnected: false } }, opening)
}

/** Ends the pairing for good, once the provider was asked to unlink the device. */
function forget(state: ReadyNumber, replies: readonly Reply[]): Step<ReadyNumber> {
  const { link } = state
  return beginSave(state, {
    patch: { state: 'CLOSE', isFullyConnected: false, credentials: null },
    announce: state.isAnnounced ? 'number.disconnected' : null,
    next: { isAnnounced: false, link: NO_LINK, credentials: null, logouts: [], logoutAttempt: null },
    effects: [{ type: 'cancelTimer', timer: 'disconnected' }, { type: 'closeSession' }],
    replies: [...refuseWaiters(link, 'DEVICE_NETWORK_TIMEOUT'), ...replies],
  })
}

/** Opened and not heard yet, where everything waits for the first report. */
export function isSilent({ link }: ReadyNumber): boolean {
  return link.at === 'UP' && link.isSilent
}

export function currentCode(state: ReadyNumber, askId: number, nowMs: number): Step<ReadyNumber> {
  return step(state, [], [{ askId, outcome: answerCode(state.link.at === 'UP' ? state.link.code : null, nowMs) }])
}

/** Starts pairing or joins the one under way; answers the code shown, or waits for the first. */
export function pair(state: ReadyNumber, askId: number, waitMs: number, nowMs: number): Step<ReadyNumber> {
  const refused = (outcome: Outcome<never>) => step(state, [], [{ askId, outcome }])
  if (state.number.state === 'OPEN') return refused(fail(refuse('ALREADY_CONNECTED', 'The number is connected already')))
  if (state.leaving || state.logouts.length > 0) return refused(fail(refuse('BUSY', 'The number is being logged out; try again', undefined, 1)))
  if (!state.hasDriver) return refused(fail(refuse('DEVICE_NETWORK_ERROR', 'No device network is configured')))
  const { link } = state
  const patience = { type: 'startTimer', timer: `pair:${askId}`, delayMs: waitMs } as const
  if (link.at === 'NONE') return openLink(state, [askId], [patience])
  if (link.code && link.code.expiresAtMs > nowMs) return step(state, [], [{ askId, outcome: answerCode(link.code, nowMs) }])
  return step({ ...state, link: { ...link, waiters: [...link.waiters, askId] } }, [patience])
}

/** The patience of one ask is over; pairing goes on. */
export function pairingLate(state: ReadyNumber, askId: number): Step<ReadyNumber> {
  const { link } = state
  if (link.at === 'NONE' || !link.waiters.includes(askId)) return step(state)
  return step(
    { ...state, link: { ...link, waiters: link.waiters.filter((waiter) => waiter !== askId) } },
    [],
    [{ askId, outcome: fail(refuse('DEVICE_NETWORK_TIMEOUT', 'The device network gave no code in time; try again')) }],
  )
}

/** The code as it is shown; one that ran out is none. */
function answerCode(code: ShownCode | null, nowMs: number): Outcome<PairingCode> {
  if (!code || code.expiresAtMs <= nowMs) return succeed(NO_CODE)
  return succeed({ qr: code.qr, pairingCode: code.pairingCode, expiresInMs: code.expiresAtMs - nowMs })
}

/**
 * Unlinks the device and wipes the pairing; idempotent (contract 3). Calls are hung up first. An engine that
 * cannot be reached does not keep the tenant from logging out: what is stored here is wiped all the same.
 */
export function logout(state: ReadyNumber, askId: number): Step<ReadyNumber> {
  if (state.link.at === 'NONE') {
    const replies = [{ askId, outcome: succeed(null) }]
    return state.credentials === null && state.number.state === 'CLOSE' ? step(state, [], replies) : forget(state, replies)
  }
  const waiting = { ...state, logouts: [...state.logouts, askId] }
  if (state.logoutAttempt !== null) return step(waiting)
  const attempt = state.attempts + 1
  return step({ ...waiting, attempts: attempt, logoutAttempt: attempt }, [{ type: 'endCalls', how: 'hangup' }, { type: 'logout', attempt }])
}

/** The provider answered, or gave up answering. */
export function loggedOut(state: ReadyNumber, attempt: number): Step<ReadyNumber> {
  if (state.logoutAttempt !== attempt) return step(state)
  if (state.leaving) return step({ ...state, logoutAttempt: null, leaving: { ...state.leaving, isLinkDone: true } })
  const replies = state.logouts.map((askId) => ({ askId, outcome: succeed(null) }))
  return forget(state, replies)
}

/** Uses new settings from now on and tells the session, when there is one. They are stored already. */
export function applySettings(state: ReadyNumber, { askId, settings, piiMode }: AskedNumberCommand & { type: 'ApplySettings' }): Step<ReadyNumber> {
  const { number } = state
  const next = { ...state, number: { ...number, settings, piiMode: piiMode ?? number.piiMode } }
  if (state.link.at === 'NONE') return step(next, [], [{ askId, outcome: succeed(null) }])
  return step(next, [{ type: 'applySettings', askId, settings }])
}
