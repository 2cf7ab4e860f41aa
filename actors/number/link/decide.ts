import type { SessionCloseReason } from '../../../src/domain/device-bridge.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import { NO_CODE, type PairingCode, type PairingReason } from '../../../src/domain/pairing.ts'
import type { ProviderEvent } from '../../../src/ports/provider.ts'
import { askUpstream } from '../calls/confirm.ts'
import { incomingCall, routeCallEvent } from '../calls/decide.ts'
import type { AskedNumberCommand } from '../messages.ts'
import { changeMessage, receiveMessage, reportStatus } from '../receiving/decide.ts'
import { beginSave } from '../rows/decide.ts'
import type { NumberEffect, ReadyNumber, Reply, Step } from '../state.ts'
import { isStateless, step } from '../state.ts'
import { engineTold } from './engine.ts'
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

/** A new code replaces the one before and answers all who wait, but for those who wait for one to type where it has none. Nothing of it is stored. */
function codeShown(state: ReadyNumber, link: Link & { at: 'UP' }, event: ProviderEvent & { type: 'qr' }, nowMs: number): Step<ReadyNumber> {
  const code = { qr: event.qr, pairingCode: event.pairingCode, expiresAtMs: nowMs + event.expiresInMs }
  const waiters = code.pairingCode === null ? link.waiters.filter((askId) => link.typers.includes(askId)) : []
  const answered = link.waiters.filter((askId) => !waiters.includes(askId))
  const shown: Link = { ...link, code, isAccepted: false, waiters, typers: waiters }
  const effects: NumberEffect[] = [{ type: 'settle', seq: event.seq }, ...endPatience(answered)]
  const replies = answered.map((askId) => ({ askId, outcome: answerCode(code, nowMs) }))
  if (state.number.pairingReason === null) return step({ ...state, link: shown }, effects, replies)
  return beginSave(state, { patch: { pairingReason: null }, seq: event.seq, next: { link: shown }, effects, replies })
}

/** They wait for a code no more. */
function endPatience(waiters: readonly number[]): NumberEffect[] {
  return waiters.map((askId) => ({ type: 'cancelTimer', timer: `pair:${askId}` } as const))
}

function stateChanged(state: ReadyNumber, link: Link & { at: 'UP' }, event: ProviderEvent & { type: 'state' }): Step<ReadyNumber> {
  if (event.state === 'OPEN') return opened(state, link, event.seq)
  if (event.state === 'CONNECTING') return connecting(state, link, event)
  switch (event.reason) {
    case 'banned':
      return isStateless(state.number) ? suspended(state, event.seq) : closed(state, link, event.seq, event.reason)
    case 'logged_out':
    case 'replaced':
    case 'qr_expired':
    case 'wrong_number':
      return closed(state, link, event.seq, event.reason)
    case 'passkey_required':
      return connecting(state, link, event)
    case 'network':
    case null:
      return dropped(state, event.seq)
  }
}

/**
 * The session connects. While a code is shown that means that a phone accepted it: the code is withdrawn at once (contract 16), and whoever
 * waits for one is told that there is none to wait for.
 */
function connecting(state: ReadyNumber, link: Link & { at: 'UP' }, { seq, reason }: ProviderEvent & { type: 'state' }): Step<ReadyNumber> {
  const asksPasskey = reason === 'passkey_required'
  const isAccepted = link.isAccepted || link.code !== null || asksPasskey
  const pairingReason = asksPasskey ? 'PASSKEY_REQUIRED' : null
  if (!isAccepted) return dropped(state, seq, pairingReason)
  const { effects, ...dropping } = dropped({ ...state, link: { ...link, code: null, isAccepted, waiters: [] } }, seq, pairingReason)
  return { ...dropping, effects: [...effects, ...endPatience(link.waiters)], replies: link.waiters.map((askId) => ({ askId, outcome: succeed(NO_CODE) })) }
}

/** Connected: stored with number.connected unless that is what was said last; the pairing links die (contract 3). */
function opened(state: ReadyNumber, link: Link & { at: 'UP' }, seq: number): Step<ReadyNumber> {
  const waiting = [...state.orphans.map((orphan): NumberEffect => ({ type: 'terminateOrphan', orphan })), ...askUpstream(state)]
  if (state.number.state === 'OPEN') return step({ ...state, orphans: [] }, [...waiting, { type: 'settle', seq }])
  const save = beginSave(state, {
    patch: { state: 'OPEN', isFullyConnected: true, pairingReason: null },
    seq,
    announce: state.isAnnounced ? null : 'number.connected',
    next: { isAnnounced: true, orphans: [], link: { ...link, isPairing: false, code: null, isAccepted: false, waiters: [] } },
    effects: [
      { type: 'cancelTimer', timer: 'disconnected' },
      ...(link.isPairing ? [{ type: 'consumePairing' } as const] : []),
      ...waiting,
      { type: 'settle', seq },
    ],
    replies: refuseWaiters(link, 'ALREADY_CONNECTED'),
  })
  return save
}

/** The link is down for now and its driver reconnects; nothing is said for 30 s (contract 3). `seq` null: the socket itself. */
function dropped(state: ReadyNumber, seq: number | null, pairingReason: PairingReason | null = state.number.pairingReason): Step<ReadyNumber> {
  const settle: NumberEffect[] = seq === null ? [] : [{ type: 'settle', seq }]
  const wasOpen = state.number.state === 'OPEN'
  if (!wasOpen && pairingReason === state.number.pairingReason) return step(state, settle)
  return beginSave(
    state,
    { patch: { state: 'CONNECTING', isFullyConnected: false, pairingReason }, seq, effects: settle },
    wasOpen ? [{ type: 'startTimer', timer: 'disconnected', delayMs: state.times.disconnectedMs }] : [],
  )
}

/** 30 s without reconnection. The driver goes on trying. */
export function disconnectedLong(state: ReadyNumber): Step<ReadyNumber> {
  if (!state.isAnnounced || state.number.state === 'OPEN') return step(state)
  return beginSave(state, { patch: { state: state.number.state }, announce: 'number.disconnected', next: { isAnnounced: false } })
}

type FinalReason = Exclude<SessionCloseReason, 'network'>

/** What those who pair the number are told (contract 16). */
const PAIRING_REASON: Readonly<Record<FinalReason, PairingReason | null>> = {
  qr_expired: 'QR_EXPIRED', wrong_number: 'WRONG_NUMBER', banned: 'BANNED', logged_out: null, replaced: null,
}

/**
 * The session is over and is not reopened by itself. `logged_out` wipes the pairing, `wrong_number` what there is of it; `replaced` means
 * somebody else holds it (architecture 6), `banned` may pass, so both keep it for a later connect (our choice); `qr_expired`
 * was no connection at all. number.disconnected is said at once, unless it never was connected.
 */
function closed(state: ReadyNumber, link: Link & { at: 'UP' }, seq: number, reason: FinalReason): Step<ReadyNumber> {
  // A logout under way is done with this, whatever the engine calls it.
  const isAsked = state.logouts.length > 0
  const isWiped = reason === 'logged_out' || reason === 'wrong_number' || isAsked
  return beginSave(state, {
    patch: { state: 'CLOSE', isFullyConnected: false, pairingReason: isAsked ? null : PAIRING_REASON[reason], ...(isWiped ? { credentials: null, sessionHealth: null } : {}) },
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
    patch: { state: 'CLOSE', isFullyConnected: false, pairingReason: null },
    announce: state.isAnnounced ? 'number.disconnected' : null,
    next: { isAnnounced: false },
  })
}

/** Opens a session and says CONNECTING, whatever was in the way of the one before; one that is stateless reports at once, so that is waited for instead. */
export function openLink(state: ReadyNumber, waiters: readonly number[], alongside: readonly NumberEffect[] = []): Step<ReadyNumber> {
  const sessionId = state.attempts + 1
  const { number, credentials } = state
  const link: Link & { at: 'UP' } = { at: 'UP', sessionId, isPairing: credentials === null, code: null, isAccepted: false, waiters, typers: [], isTypedAsked: false, isSilent: isStateless(number), isHeard: false }
  const opening: NumberEffect[] = [{ type: 'openSession', sessionId, number, credentials }, ...alongside]
  const linked = { ...state, attempts: sessionId, link }
  if (link.isSilent || (number.state === 'CONNECTING' && number.pairingReason === null)) return step(linked, opening)
  return beginSave(linked, { patch: { state: 'CONNECTING', isFullyConnected: false, pairingReason: null } }, opening)
}

/** Ends the pairing for good, once the provider was asked to unlink the device. */
function forget(state: ReadyNumber, replies: readonly Reply[]): Step<ReadyNumber> {
  const { link } = state
  return beginSave(state, {
    patch: { state: 'CLOSE', isFullyConnected: false, pairingReason: null, credentials: null, sessionHealth: null },
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

/** Starts pairing or joins the one under way; answers the code shown, none where a phone accepted one already, or waits for the first. */
export function pair(state: ReadyNumber, ask: AskedNumberCommand & { type: 'Pair' }, nowMs: number): Step<ReadyNumber> {
  const { askId, waitMs, isTyped = false } = ask
  const refused = (outcome: Outcome<never>) => step(state, [], [{ askId, outcome }])
  if (state.number.state === 'OPEN') return refused(fail(refuse('ALREADY_CONNECTED', 'The number is connected already')))
  if (state.leaving || state.logouts.length > 0) return refused(fail(refuse('BUSY', 'The number is being logged out; try again', undefined, 1)))
  if (!state.hasDriver) return refused(fail(refuse('DEVICE_NETWORK_ERROR', 'No device network is configured')))
  const { link } = state
  const patience = { type: 'startTimer', timer: `pair:${askId}`, delayMs: waitMs } as const
  const opened = (): Step<ReadyNumber> => wantingTyped(openLink(state, [askId], [patience]), askId, isTyped)
  if (link.at === 'NONE') return opened()
  if (link.code && link.code.expiresAtMs > nowMs && !(isTyped && link.code.pairingCode === null)) return step(state, [], [{ askId, outcome: answerCode(link.code, nowMs) }])
  // contract 16, `passkey`: the way back. Another session takes the place of the one whose phone waits for its passkey.
  if (state.number.pairingReason === 'PASSKEY_REQUIRED') return opened()
  if (link.isAccepted) return step(state, [], [{ askId, outcome: succeed(NO_CODE) }])
  return wantingTyped(step({ ...state, link: { ...link, waiters: [...link.waiters, askId] } }, [patience]), askId, isTyped)
}

/** Somebody who waits wants a code to type: the session is asked for it, once. */
function wantingTyped(before: Step<ReadyNumber>, askId: number, isTyped: boolean): Step<ReadyNumber> {
  const { state: { link }, effects } = before
  if (!isTyped || link.at === 'NONE') return before
  const asking: NumberEffect[] = link.isTypedAsked ? [] : [{ type: 'requestPairingCode', sessionId: link.sessionId }]
  return { ...before, state: { ...before.state, link: { ...link, typers: [...link.typers, askId], isTypedAsked: true } }, effects: [...effects, ...asking] }
}

/** The session will show a code to type, or has none: then the code that is shown is all there is. The next who wants one has it asked for again. */
export function pairingCodeAsked(state: ReadyNumber, sessionId: number, isOk: boolean, nowMs: number): Step<ReadyNumber> {
  const { link } = state
  if (isOk || link.at === 'NONE' || link.sessionId !== sessionId) return step(state)
  const isShown = link.code !== null && link.code.expiresAtMs > nowMs
  const answered = isShown ? link.typers.filter((askId) => link.waiters.includes(askId)) : []
  const waiters = link.waiters.filter((askId) => !answered.includes(askId))
  return step(
    { ...state, link: { ...link, waiters, typers: [], isTypedAsked: false } },
    endPatience(answered),
    answered.map((askId) => ({ askId, outcome: answerCode(link.code, nowMs) })),
  )
}

/** The patience of one ask is over; pairing goes on. One who waits for a code to type gets what there is to scan. */
export function pairingLate(state: ReadyNumber, askId: number, nowMs: number): Step<ReadyNumber> {
  const { link } = state
  if (link.at === 'NONE' || !link.waiters.includes(askId)) return step(state)
  const isShown = link.code !== null && link.code.expiresAtMs > nowMs
  return step(
    { ...state, link: { ...link, waiters: link.waiters.filter((waiter) => waiter !== askId) } },
    [],
    [{ askId, outcome: isShown ? answerCode(link.code, nowMs) : fail(refuse('DEVICE_NETWORK_TIMEOUT', 'The device network gave no code in time; try again')) }],
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
  if (state.leaving?.why === 'removed') return step({ ...state, logoutAttempt: null, leaving: { ...state.leaving, isLinkDone: true } })
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
