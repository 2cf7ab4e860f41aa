import type { Outcome } from '../../../src/domain/errors.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import { NO_CODE, type PairingCode } from '../../../src/domain/pairing.ts'
import type { ProviderEvent } from '../../../src/ports/provider.ts'
import type { AskedNumberCommand } from '../messages.ts'
import { beginSave } from '../rows/decide.ts'
import type { NumberEffect, ReadyNumber, Reply, Step } from '../state.ts'
import { step } from '../state.ts'
import type { LinkMessage } from './messages.ts'
import { openLink } from './opening.ts'
import type { Link, ShownCode } from './state.ts'

export function currentCode(state: ReadyNumber, askId: number, nowMs: number): Step<ReadyNumber> {
  return step(state, [], [{ askId, outcome: answerCode(state.link.at === 'UP' ? state.link.code : null, nowMs) }])
}

/**
 * Starts pairing, or joins the one under way. Answers the code that is shown, or no code when a phone already accepted
 * one; otherwise the ask waits for the first.
 */
export function pair(state: ReadyNumber, ask: AskedNumberCommand & { type: 'Pair' }, nowMs: number): Step<ReadyNumber> {
  const { askId, waitMs, isTyped = false } = ask
  const refused = (outcome: Outcome<never>) => step(state, [], [{ askId, outcome }])
  if (state.number.state === 'OPEN')
    return refused(fail(refuse('ALREADY_CONNECTED', 'The number is connected already')))
  if (state.leaving || state.logouts.length > 0)
    return refused(fail(refuse('BUSY', 'The number is being logged out; try again', undefined, 1)))
  if (!state.hasDriver) return refused(fail(refuse('DEVICE_NETWORK_ERROR', 'No device network is configured')))
  const { link } = state
  const patience = { type: 'startTimer', timer: `pair:${askId}`, delayMs: waitMs } as const
  const opened = (): Step<ReadyNumber> => wantingTyped(openLink(state, [askId], [patience]), askId, isTyped)
  if (link.at === 'NONE') return opened()
  if (link.code && link.code.expiresAtMs > nowMs && !(isTyped && link.code.pairingCode === null))
    return step(state, [], [{ askId, outcome: answerCode(link.code, nowMs) }])
  // [pages.states.5], `passkey`: a new session replaces the one whose phone waits for its passkey, which is the way
  // back.
  if (state.number.pairingReason === 'PASSKEY_REQUIRED') return opened()
  if (link.isAccepted) return step(state, [], [{ askId, outcome: succeed(NO_CODE) }])
  return wantingTyped(
    step({ ...state, link: { ...link, waiters: [...link.waiters, askId] } }, [patience]),
    askId,
    isTyped,
  )
}

/** Asks the session, once, for the code to type that an asker wants. */
function wantingTyped(before: Step<ReadyNumber>, askId: number, isTyped: boolean): Step<ReadyNumber> {
  const {
    state: { link },
    effects,
  } = before
  if (!isTyped || link.at === 'NONE') return before
  const asking: NumberEffect[] = link.isTypedAsked ? [] : [{ type: 'requestPairingCode', sessionId: link.sessionId }]
  return {
    ...before,
    state: { ...before.state, link: { ...link, typers: [...link.typers, askId], isTypedAsked: true } },
    effects: [...effects, ...asking],
  }
}

/**
 * A new code replaces the previous one and answers the asks that wait. Asks for a code to type go on waiting when it
 * has none. Codes are never stored.
 */
export function codeShown(
  state: ReadyNumber,
  link: Link & { at: 'UP' },
  event: ProviderEvent & { type: 'qr' },
  nowMs: number,
): Step<ReadyNumber> {
  const code = { qr: event.qr, pairingCode: event.pairingCode, expiresAtMs: nowMs + event.expiresInMs }
  const waiters = code.pairingCode === null ? link.waiters.filter((askId) => link.typers.includes(askId)) : []
  const answered = link.waiters.filter((askId) => !waiters.includes(askId))
  const shown: Link = { ...link, code, isAccepted: false, waiters, typers: waiters }
  const effects: NumberEffect[] = [{ type: 'settle', seq: event.seq }, ...endPatience(answered)]
  const replies = answered.map((askId) => ({ askId, outcome: answerCode(code, nowMs) }))
  if (state.number.pairingReason === null) return step({ ...state, link: shown }, effects, replies)
  return beginSave(state, { patch: { pairingReason: null }, seq: event.seq, next: { link: shown }, effects, replies })
}

/**
 * The session will show a code to type, or has none. Without one, asks for it get the code that is shown, and a later
 * ask asks the session again.
 */
export function pairingCodeAsked(
  state: ReadyNumber,
  { sessionId, isOk }: LinkMessage & { type: 'PairingCodeAsked' },
  nowMs: number,
): Step<ReadyNumber> {
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

/** The time of one ask is over; pairing goes on. An ask for a code to type gets the code to scan, if one is shown. */
export function pairingLate(state: ReadyNumber, askId: number, nowMs: number): Step<ReadyNumber> {
  const { link } = state
  if (link.at === 'NONE' || !link.waiters.includes(askId)) return step(state)
  const isShown = link.code !== null && link.code.expiresAtMs > nowMs
  return step(
    { ...state, link: { ...link, waiters: link.waiters.filter((waiter) => waiter !== askId) } },
    [],
    [
      {
        askId,
        outcome: isShown
          ? answerCode(link.code, nowMs)
          : fail(refuse('DEVICE_NETWORK_TIMEOUT', 'The device network gave no code in time; try again')),
      },
    ],
  )
}

/** Refuses the asks that wait for a code which will not come. */
export function refuseWaiters(link: Link, code: 'ALREADY_CONNECTED' | 'DEVICE_NETWORK_TIMEOUT'): Reply[] {
  if (link.at === 'NONE') return []
  const refusal =
    code === 'ALREADY_CONNECTED'
      ? refuse(code, 'The number is connected already')
      : refuse(code, 'The device network gave no code in time; try again')
  return link.waiters.map((askId) => ({ askId, outcome: fail(refusal) }))
}

/** Cancels the timers of asks that no longer wait for a code. */
export function endPatience(waiters: readonly number[]): NumberEffect[] {
  return waiters.map((askId) => ({ type: 'cancelTimer', timer: `pair:${askId}` }) as const)
}

/** The answer with the code that is shown; without a code when it expired. */
function answerCode(code: ShownCode | null, nowMs: number): Outcome<PairingCode> {
  if (!code || code.expiresAtMs <= nowMs) return succeed(NO_CODE)
  return succeed({ qr: code.qr, pairingCode: code.pairingCode, expiresInMs: code.expiresAtMs - nowMs })
}
