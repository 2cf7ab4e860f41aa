import type { Call } from '../../src/domain/call.ts'
import { fail, succeed } from '../../src/domain/errors.ts'
import { askUpstream, callLeft, callsListed } from './calls/confirm.ts'
import { callOffered, callStopped, NO_CALLS, placeCall } from './calls/decide.ts'
import { changesRead, changeSettled, EMPTY_INBOX, eventSettled, isInboxIdle, readAgain, receive } from './changes/decide.ts'
import { askDevice, deviceAnswered, NO_DEVICE_ASKS } from './devices/decide.ts'
import { applySettings, beginLink, currentCode, disconnectedLong, isSilent, loggedOut, logout, pair, pairingCodeAsked, pairingLate, sessionReported } from './link/decide.ts'
import { credentialsRead, reopen } from './link/reopen.ts'
import type { NumberMessage, NumberTimer } from './messages.ts'
import { drain, handOver, leaveWhenDone, refuseLeft, remove } from './remove.ts'
import { saved } from './rows/decide.ts'
import type { LoadedNumber, LoadOutcome } from './rows/messages.ts'
import { NO_SENDING, send, sendingCrashed, sendingReported, sendingRested, withSending } from './sends/decide.ts'
import type { LoadingNumber, NumberEffect, NumberState, ReadyNumber, Step, StoppedNumber } from './state.ts'
import { isStateless, isUnderWay, step, stopWith } from './state.ts'

/**
 * Decides what a message does to a number. Pure, as in call/decide.ts: while a write is in flight, or the
 * rows are being loaded, everything but its outcome waits in order.
 */
export function decide(state: NumberState, message: NumberMessage, nowMs: number): Step {
  let made: Step = mustWait(state, message)
    ? step({ ...state, stash: [...state.stash, message] })
    : handle(state, message, nowMs)
  for (;;) {
    const [first, ...rest] = made.state.stash
    if (!first || isWaiting(made.state)) return withIdleTimer(state, withSending(made))
    const next = handle({ ...made.state, stash: rest }, first, nowMs)
    made = step(next.state, [...made.effects, ...next.effects], [...made.replies, ...next.replies])
  }
}

function isWaiting(state: NumberState): boolean {
  return state.at === 'LOADING' || (state.at === 'READY' && (state.write !== null || isSilent(state)))
}

const PASSES = new Set<NumberMessage['type']>(['Start', 'Loaded', 'Saved', 'Fenced', 'Crashed'])

function mustWait(state: NumberState, message: NumberMessage): boolean {
  const isReport = message.type === 'Session' && state.at === 'READY' && state.write === null
  return isWaiting(state) && !PASSES.has(message.type) && !isReport
}

function handle(state: NumberState, message: NumberMessage, nowMs: number): Step {
  switch (state.at) {
    case 'LOADING':
      return loading(state, message)
    case 'READY': {
      const made = always(state, message) ?? refuseLeft(state, message) ?? ready(state, message, nowMs)
      if (made.state.at !== 'READY') return made
      const left = leaveWhenDone(made.state)
      return step(left.state, [...made.effects, ...left.effects], [...made.replies, ...left.replies])
    }
    case 'STOPPED':
      return stopped(state, message)
  }
}

/** What ends a number in any state. Its session goes with it; see `stop` in effects.ts. */
function always(state: NumberState, message: NumberMessage): Step | null {
  if (message.type === 'Fenced') return stopWith(state, 'fenced', [{ type: 'endCalls', how: 'fence' }])
  if (message.type === 'Crashed') return stopWith(state, 'crashed', [{ type: 'endCalls', how: 'INTERNAL_ERROR' }])
  return null
}

function loading(state: LoadingNumber, message: NumberMessage): Step {
  if (message.type === 'Start') {
    const attempt = state.attempts + 1
    return step({ ...state, attempts: attempt }, [{ type: 'load', attempt }])
  }
  if (message.type === 'Loaded') return message.attempt === state.attempts ? loaded(state, message.outcome) : step(state)
  return always(state, message) ?? step(state)
}

function loaded(state: LoadingNumber, outcome: LoadOutcome): Step {
  switch (outcome.kind) {
    case 'loaded':
      return begin(state, outcome.loaded)
    case 'missing':
      return stopWith(state, 'missing')
    case 'fenced':
      return stopWith(state, 'fenced')
    case 'failed':
      return stopWith(state, 'crashed')
  }
}

/** Loaded: a paired number opens its session; a row that says more than is true without one is put right. */
function begin({ numberId, times, attempts, stash }: LoadingNumber, loadedNumber: LoadedNumber): Step {
  const { number, credentials, hasDriver, orphans, resumable } = loadedNumber
  const fresh: ReadyNumber = {
    at: 'READY', numberId, times, attempts, stash, number, credentials, hasDriver, orphans, link: { at: 'NONE' },
    // A row that says OPEN was announced; one that an owner left CONNECTING is announced again, at worst twice (our choice).
    isAnnounced: number.state === 'OPEN',
    ...NO_CALLS, ...NO_DEVICE_ASKS, logouts: [], logoutAttempt: null, reopening: null, leaving: null, inbox: EMPTY_INBOX, sending: NO_SENDING, write: null,
  }
  const linked = beginLink(fresh)
  const resumed = takeUp(linked.state, resumable)
  return step(resumed.state, [...linked.effects, ...resumed.effects], linked.replies)
}

/** Calls that live on get an actor again. Then what waits for the number is read; a session tells it by itself, and upstream is asked once that is connected. */
function takeUp(state: ReadyNumber, resumable: readonly Call[]): Step<ReadyNumber> {
  const lost = resumable.filter(({ id }) => !state.calls.has(id))
  const calls = new Map([...state.calls, ...lost.map((call) => [call.id, call.externalCallId] as const)])
  const resuming = lost.map((call) => ({ type: 'resumeCall', call } as const))
  if (!isStateless(state.number)) {
    // One that the owner before was about to decline rings for nobody.
    const declined = state.number.settings.rejectCall === true ? lost.filter(({ direction, status }) => direction === 'INBOUND' && status === 'RINGING') : []
    const declining = declined.map(({ id: callId }) => ({ type: 'tellCall', callId, message: { type: 'Reject', askId: null } } as const))
    return step({ ...state, calls, unconfirmed: lost.map(({ id }) => id) }, [...resuming, ...declining])
  }
  const reading = readAgain({ ...state, calls })
  return step(reading.state, [...resuming, ...reading.effects])
}

/** The table from message to verb. */
function ready(state: ReadyNumber, message: NumberMessage, nowMs: number): Step {
  switch (message.type) {
    case 'Pair': return pair(state, message, nowMs)
    case 'CurrentCode': return currentCode(state, message.askId, nowMs)
    case 'Logout': return logout(state, message.askId)
    case 'ApplySettings': return applySettings(state, message)
    case 'Reopen': return reopen(state, message.askId)
    case 'CredentialsRead': return credentialsRead(state, message)
    case 'Remove': return remove(state, message.askId)
    case 'PlaceCall': return placeCall(state, message)
    case 'AskDevice': case 'ReadMessages': return askDevice(state, message)
    case 'DeviceAnswered': return deviceAnswered(state, message.askId)
    case 'AwaitReady': return step(state, [], [{ askId: message.askId, outcome: succeed(null) }])
    case 'Saved': return saved(state, message.attempt, message.outcome)
    case 'Session': return sessionReported(state, message.sessionId, message.event, message.callId, nowMs)
    case 'SettingsApplied': return step(state, [], [{ askId: message.askId, outcome: message.outcome }])
    case 'PairingCodeAsked': return pairingCodeAsked(state, message.sessionId, message.isOk, nowMs)
    case 'LoggedOut': return loggedOut(state, message.attempt)
    case 'CallOffered': return callOffered(state, message.callId, message.externalCallId)
    case 'CallsListed': return callsListed(state, message)
    case 'CallLeft': return callLeft(state, message.externalCallId)
    case 'CallStopped': return callStopped(state, message.callId, message.isStored)
    case 'TimerFired': return timerFired(state, message.timer, nowMs)
    case 'Swept': return swept(state, message.isDone, message.resumable)
    case 'Receive': return receive(state, nowMs)
    case 'ChangesRead': return changesRead(state, message.attempt, message.changes, nowMs)
    case 'EventSettled': return eventSettled(state, message.seq, message.fault)
    case 'ChangeSettled': return changeSettled(state, message)
    case 'Send': return send(state)
    case 'SendingReported': return sendingReported(state, message.isBusy, message.wakes)
    case 'SendingCrashed': return sendingCrashed(state)
    case 'HandOver': return handOver(state, message.askId, message.isStopping)
    case 'Drain': return drain(state)
    case 'Start':
    case 'Loaded':
    case 'Fenced':
    case 'Crashed':
      return step(state)
  }
}

function swept(state: ReadyNumber, isDone: boolean, resumable: readonly Call[]): Step {
  const resumed = resumable.length > 0 && !state.leaving ? takeUp(state, resumable) : step(state)
  if (isDone) return resumed
  return step(resumed.state, [...resumed.effects, { type: 'startTimer', timer: 'sweep', delayMs: state.times.sweepMs }])
}

function timerFired(state: ReadyNumber, timer: NumberTimer, nowMs: number): Step {
  if (timer === 'disconnected') return disconnectedLong(state)
  if (timer === 'listing') return step(state, state.number.state === 'OPEN' ? askUpstream(state) : [])
  if (timer === 'sweep') return step(state, [{ type: 'sweep', except: [...state.calls.keys()] }])
  if (timer === 'idle') return isIdle(state) ? stopWith(state, 'passivated') : step(state)
  if (timer === 'sending') return sendingRested(state)
  return pairingLate(state, Number(timer.slice('pair:'.length)), nowMs)
}

function stopped(state: StoppedNumber, message: NumberMessage): Step {
  return step(state, [], 'askId' in message ? [{ askId: message.askId, outcome: fail(state.refusal) }] : [])
}

/** Nothing would be lost by leaving memory (architecture 4.6). */
function isIdle(state: NumberState): boolean {
  if (state.at !== 'READY' || state.calls.size > 0 || state.sending.isBusy || state.write || state.leaving || isUnderWay(state)) return false
  return (state.link.at === 'NONE' || isStateless(state.number)) && !isSilent(state) && isInboxIdle(state)
}

/** Passivation counts from the last message. */
function withIdleTimer(before: NumberState, made: Step): Step {
  if (made.state.at !== 'READY') return made
  const timer: NumberEffect[] = []
  if (isIdle(made.state)) timer.push({ type: 'startTimer', timer: 'idle', delayMs: made.state.times.idleMs })
  else if (isIdle(before)) timer.push({ type: 'cancelTimer', timer: 'idle' })
  return timer.length > 0 ? step(made.state, [...made.effects, ...timer], made.replies) : made
}
