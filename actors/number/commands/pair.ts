import type { Outcome } from '../../../src/domain/errors.ts'
import { fail, refuse } from '../../../src/domain/errors.ts'
import { openLink } from '../connection.ts'
import { answerCode } from '../pairing-code.ts'
import type { ReadyNumber, Step } from '../state.ts'
import { step } from '../state.ts'

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
