import type { Call } from '../../src/domain/call.ts'
import { succeed } from '../../src/domain/errors.ts'
import type { VerbTable } from '../engine/verb-table.ts'
import { callLeft, callsListed } from './calls/confirm.ts'
import { callOffered, callStopped, placeCall, sweptAll } from './calls/decide.ts'
import { changesRead, changesSettled, eventSettled, receive } from './changes/decide.ts'
import { askDevice, deviceAnswered } from './devices/decide.ts'
import { applySettings, sessionReported } from './link/decide.ts'
import { loggedOut, logout } from './link/logout.ts'
import { currentCode, pair, pairingCodeAsked } from './link/pairing.ts'
import { credentialsRead, reopen } from './link/reopen.ts'
import { takeUp } from './loading.ts'
import type { NumberMessage } from './messages.ts'
import { drain, handOver, remove } from './remove.ts'
import { saved } from './rows/decide.ts'
import { send, sendingCrashed, sendingReported } from './sends/decide.ts'
import type { ReadyNumber, Step } from './state.ts'
import { step } from './state.ts'
import { timerFired } from './timers.ts'

/** The table from message to verb, for a loaded number. */
export const VERBS: VerbTable<NumberMessage, ReadyNumber, Step> = {
  Pair: pair,
  CurrentCode: (state, { askId }, nowMs) => currentCode(state, askId, nowMs),
  Logout: (state, { askId }) => logout(state, askId),
  ApplySettings: applySettings,
  Reopen: (state, { askId }) => reopen(state, askId),
  CredentialsRead: credentialsRead,
  Remove: (state, { askId }) => remove(state, askId),
  PlaceCall: placeCall,
  AskDevice: askDevice,
  ReadMessages: askDevice,
  DeviceAnswered: (state, { askId }) => deviceAnswered(state, askId),
  AwaitReady: (state, { askId }) => step(state, [], [{ askId, outcome: succeed(null) }]),
  Saved: (state, { attempt, outcome }) => saved(state, attempt, outcome),
  Session: sessionReported,
  SettingsApplied: (state, { askId, outcome }) => step(state, [], [{ askId, outcome }]),
  PairingCodeAsked: pairingCodeAsked,
  LoggedOut: (state, { attempt }) => loggedOut(state, attempt),
  CallOffered: (state, { callId, externalCallId }) => callOffered(state, callId, externalCallId),
  CallsListed: callsListed,
  CallLeft: (state, { externalCallId }) => callLeft(state, externalCallId),
  CallStopped: (state, { callId, isStored }) => callStopped(state, callId, isStored),
  TimerFired: (state, { timer }, nowMs) => timerFired(state, timer, nowMs),
  Swept: (state, { isDone, resumable }) => swept(state, isDone, resumable),
  Receive: (state, _message, nowMs) => receive(state, nowMs),
  ChangesRead: (state, { attempt, changes }, nowMs) => changesRead(state, attempt, changes, nowMs),
  EventSettled: (state, { seq, fault }) => eventSettled(state, seq, fault),
  ChangesSettled: changesSettled,
  Send: send,
  SendingReported: (state, { isBusy, wakes }) => sendingReported(state, isBusy, wakes),
  SendingCrashed: sendingCrashed,
  HandOver: (state, { askId, isStopping }) => handOver(state, askId, isStopping),
  Drain: drain,
  Start: (state) => step(state),
  Loaded: (state) => step(state),
  Fenced: (state) => step(state),
  Crashed: (state) => step(state),
}

function swept(state: ReadyNumber, isDone: boolean, resumable: readonly Call[]): Step {
  const resumed = resumable.length > 0 && !state.leaving ? takeUp(state, resumable) : step(state)
  if (isDone) {
    const told = sweptAll(resumed.state)
    return step(told.state, [...resumed.effects, ...told.effects])
  }
  return step(resumed.state, [...resumed.effects, { type: 'startTimer', timer: 'sweep', delayMs: state.times.sweepMs }])
}
