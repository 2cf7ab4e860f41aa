import { fail, succeed } from '../../src/domain/errors.ts'
import type { AskedNumberCommand, NumberMessage } from './messages.ts'
import type { NumberState, ReadyNumber, Step } from './state.ts'
import { isStateless, isUnderWay, REFUSALS, step, stopWith } from './state.ts'

/**
 * Ends calls and session for good and unlinks the device; answered when both are done. The caller then deletes the row.
 */
export function remove(state: ReadyNumber, askId: number): Step<ReadyNumber> {
  if (state.leaving) return step({ ...state, leaving: { ...state.leaving, askIds: [...state.leaving.askIds, askId] } })
  const attempt = state.attempts + 1
  const hasLink = state.link.at === 'UP'
  return step(
    {
      ...state,
      attempts: attempt,
      leaving: { why: 'removed', askIds: [askId, ...state.logouts], isLinkDone: !hasLink },
      logouts: [],
      logoutAttempt: hasLink ? attempt : null,
    },
    [{ type: 'endCalls', how: 'hangup' }, ...(hasLink ? [{ type: 'logout', attempt } as const] : [])],
  )
}

/**
 * The node stops. Calls are left to the next owner, or end FAILED NODE_LOST when their media host stops too. The
 * pairing stays.
 */
export function drain(state: ReadyNumber): Step<ReadyNumber> {
  if (state.leaving) return step(state)
  return step({ ...state, leaving: { why: 'drained', askIds: [], isLinkDone: true } }, [
    { type: 'endCalls', how: 'leave' },
  ])
}

/**
 * Leaves a number without calls to another node. Its session closes here, and events that its engine does not know as
 * kept come again there. A number whose session still owes an answer has something under way: it stays, unless the node
 * stops, and then leaves once that is answered.
 */
export function handOver(state: ReadyNumber, askId: number, isStopping: boolean): Step<ReadyNumber> {
  const isFree = state.calls.size === 0 && !state.leaving && state.logoutAttempt === null
  const isIdle = !isUnderWay(state) && state.credentials !== null && !isStateless(state.number)
  if (!isFree || !(isStopping || isIdle)) return step(state, [], [{ askId, outcome: succeed(false) }])
  const left = drain(state)
  return step(left.state, left.effects, [{ askId, outcome: succeed(true) }])
}

/** Commands that may not begin on a number that is about to leave, because the next owner does them. */
const LEFT: Readonly<Record<AskedNumberCommand['type'] | 'AwaitReady', true>> = {
  Pair: true,
  CurrentCode: true,
  Logout: true,
  ApplySettings: true,
  Reopen: true,
  Remove: true,
  PlaceCall: true,
  AskDevice: true,
  ReadMessages: true,
  AwaitReady: true,
}

/**
 * Refuses commands to a number that only waits for work under way to end before it leaves; null when there is nothing
 * to refuse.
 */
export function refuseLeft(state: ReadyNumber, message: NumberMessage): Step<ReadyNumber> | null {
  if (state.leaving?.why !== 'drained' || !('askId' in message) || !Object.hasOwn(LEFT, message.type)) return null
  return step(state, [], [{ askId: message.askId, outcome: fail(REFUSALS.drained) }])
}

/**
 * Stops a leaving number once its last call and link are done. When another node goes on with it, its session must have
 * answered all asks too.
 */
export function leaveWhenDone(state: ReadyNumber): Step<NumberState> {
  const { leaving } = state
  if (!leaving || !leaving.isLinkDone || state.calls.size > 0 || state.write) return step(state)
  if (leaving.why === 'drained' && isUnderWay(state)) return step(state)
  return stopWith(
    state,
    leaving.why,
    [],
    leaving.askIds.map((askId) => ({ askId, outcome: succeed(null) })),
  )
}
