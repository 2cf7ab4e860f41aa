import type { Outcome, Refusal } from '../../src/domain/errors.ts'
import { refuse } from '../../src/domain/errors.ts'
import type { NumberId } from '../../src/domain/ids.ts'
import { kindOf } from '../../src/domain/kinds/kinds.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import type { CallsEffect, CallsState } from './calls/state.ts'
import type { ChangesEffect, ChangesState } from './changes/state.ts'
import type { DevicesEffect, DevicesState } from './devices/state.ts'
import type { LinkEffect, LinkState } from './link/state.ts'
import type { NumberMessage, NumberTimer } from './messages.ts'
import type { ReceivingEffect } from './receiving/state.ts'
import type { RowsEffect } from './rows/state.ts'
import type { SendsEffect, SendsState } from './sends/state.ts'

export interface NumberTimes {
  /** [numbers.events.2]: number.disconnected after 30 s without reconnection. */
  readonly disconnectedMs: number
  /** How long an idle number stays in memory, in ms. */
  readonly idleMs: number
  /** Pause in ms before rows that could not be closed are tried again. */
  readonly sweepMs: number
}

/**
 * The number leaves. It is answered and stopped once its calls are gone, its link is done, and its session has answered
 * every ask.
 */
export interface Leaving {
  readonly why: 'removed' | 'drained'
  readonly askIds: readonly number[]
  readonly isLinkDone: boolean
}

/** Whether the number's session holds nothing upstream (`KindOfNumber.isStateless`). */
export function isStateless(number: Pick<ChannelNumber, 'provider'>): boolean {
  return kindOf(number).isStateless
}

interface Common {
  readonly numberId: NumberId
  readonly times: NumberTimes
  /** Number of the last attempt started; also names sessions. */
  readonly attempts: number
  /** Messages that came while loading or while a write was in flight, in order. */
  readonly stash: readonly NumberMessage[]
}

export interface LoadingNumber extends Common {
  readonly at: 'LOADING'
}

export interface ReadyNumber extends Common, LinkState, CallsState, ChangesState, SendsState, DevicesState {
  readonly at: 'READY'
  readonly number: ChannelNumber
  readonly leaving: Leaving | null
  readonly write: PendingSave | null
}

export interface StoppedNumber extends Common {
  readonly at: 'STOPPED'
  /** The refusal for asks that waited. */
  readonly refusal: Refusal
}

export type NumberState = LoadingNumber | ReadyNumber | StoppedNumber

/** A save in flight and what follows it; nothing is announced before it is stored. */
export interface PendingSave {
  readonly attempt: number
  readonly next: Partial<ReadyNumber>
  readonly effects: readonly NumberEffect[]
  readonly replies: readonly Reply[]
}

export type StopReason = 'passivated' | 'removed' | 'drained' | 'fenced' | 'missing' | 'crashed'

export type NumberEffect =
  | RowsEffect
  | LinkEffect
  | CallsEffect
  | ChangesEffect
  | ReceivingEffect
  | SendsEffect
  | DevicesEffect
  /** Settles the event `seq`, whose outcome is stored. */
  | { readonly type: 'settle'; readonly seq: number }
  | { readonly type: 'startTimer'; readonly timer: NumberTimer; readonly delayMs: number }
  | { readonly type: 'cancelTimer'; readonly timer: NumberTimer }
  /** Ends the actor and closes the session, after its calls unless the number was fenced. */
  | { readonly type: 'stop'; readonly why: StopReason }

export interface Reply {
  readonly askId: number
  readonly outcome: Outcome<unknown>
}

export interface Step<S extends NumberState = NumberState> {
  readonly state: S
  readonly effects: readonly NumberEffect[]
  readonly replies: readonly Reply[]
}

export function initialState(numberId: NumberId, times: NumberTimes): LoadingNumber {
  return { at: 'LOADING', numberId, times, attempts: 0, stash: [] }
}

export function step<S extends NumberState>(
  state: S,
  effects: readonly NumberEffect[] = [],
  replies: readonly Reply[] = [],
): Step<S> {
  return { state, effects, replies }
}

/** Whether the number's session can be asked for something now, as far as is known. */
export function isConnected({ number, link, leaving, logouts }: ReadyNumber): boolean {
  return number.state === 'OPEN' && link.at === 'UP' && !leaving && logouts.length === 0
}

/**
 * Whether upstream was asked for something that an asker waits for and that may have been done. It ends before the
 * number goes to another node.
 */
export function isUnderWay({ deviceAsks, logoutAttempt }: ReadyNumber): boolean {
  return deviceAsks.size > 0 || logoutAttempt !== null
}

/** The refusals of asks that a stopped actor left unanswered. */
export const REFUSALS: Readonly<Record<StopReason, Refusal>> = {
  passivated: refuse('BUSY', 'The number is restarting; try again', undefined, 1),
  crashed: refuse('BUSY', 'The number is restarting; try again', undefined, 1),
  removed: refuse('NUMBER_NOT_FOUND', 'No such number'),
  missing: refuse('NUMBER_NOT_FOUND', 'No such number'),
  fenced: refuse('NOT_OWNER', 'The number moved to another node; try again', undefined, 1),
  drained: refuse('NOT_OWNER', 'The node is stopping; try again', undefined, 1),
}

/**
 * True for the refusal of an ask whose number left this node: the ask was not done, and may be asked of the next owner.
 */
export function leftUndone(refusal: Refusal): boolean {
  return refusal === REFUSALS.fenced || refusal === REFUSALS.drained
}

/** Stops the number: it leaves memory, or is handed back. */
export function stopWith(
  state: NumberState,
  why: StopReason,
  effects: readonly NumberEffect[] = [],
  replies: readonly Reply[] = [],
): Step {
  const { numberId, times, attempts, stash } = state
  return step(
    { at: 'STOPPED', numberId, times, attempts, stash, refusal: REFUSALS[why] },
    [...effects, { type: 'stop', why }],
    replies,
  )
}
