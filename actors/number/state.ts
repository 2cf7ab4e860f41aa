import type { Call } from '../../src/domain/call.ts'
import type { Outcome, Refusal } from '../../src/domain/errors.ts'
import type { EventName, NewEvent } from '../../src/domain/events.ts'
import type { CallId, NumberId } from '../../src/domain/ids.ts'
import type { ConversationType } from '../../src/domain/message.ts'
import type { ChannelNumber, NumberSettings } from '../../src/domain/number.ts'
import type { OfficialCallEvent } from '../../src/ports/official-platform.ts'
import type { ProviderEvent, ReceivedMessage, ReportedMessage } from '../../src/ports/provider.ts'
import type { ConnectionPatch } from '../../src/ports/stores/number-store.ts'
import type { AbandonReason, CallMessage, Rejection } from '../call/messages.ts'
import type { DeviceCommand, NumberMessage, NumberTimer } from './messages.ts'

export interface NumberTimes {
  /** contract 3: number.disconnected after 30 s without reconnection. */
  readonly disconnectedMs: number
  /** How long a number with nothing to do stays in memory. */
  readonly idleMs: number
  /** Pause before rows that could not be closed are tried again. */
  readonly sweepMs: number
}

export interface ShownCode {
  readonly qr: string
  readonly pairingCode: string | null
  readonly expiresAtMs: number
}

/** The provider session. `UP` means opened and kept by its driver; whether it is connected says `number.state`. */
export type Link =
  | { readonly at: 'NONE' }
  | {
    readonly at: 'UP', readonly sessionId: number
    /** Opened without credentials: somebody has to scan. */
    readonly isPairing: boolean
    readonly code: ShownCode | null
    /** Asks that wait for the first code. */
    readonly waiters: readonly number[]
    /** Opened, and its first report is not here yet: everything waits for it. Only where the session is stateless. */
    readonly isSilent: boolean
    /** It said once that it is connected; before that `number.state` is what an earlier session left. */
    readonly isHeard: boolean
  }

/** The number is on its way out: answered and stopped once its calls are gone and its link is done. */
export interface Leaving {
  readonly why: 'removed' | 'drained'
  readonly askIds: readonly number[]
  readonly isLinkDone: boolean
}

/**
 * Whether the number's session holds nothing upstream: what happens comes by webhook, so the number may leave memory
 * while it is connected. The only place that asks which kind.
 */
export function isStateless({ provider }: Pick<ChannelNumber, 'provider'>): boolean {
  return provider === 'OFFICIAL'
}

/** A change that was handed on and is not settled yet. */
export interface OpenChange {
  readonly position: number
  /** Events whose outcome is not stored yet. */
  readonly waiting: ReadonlySet<number>
  /** Stored when the change is settled. */
  readonly events: readonly NewEvent[]
  readonly sinceMs: number
}

/** Changes of upstream webhooks, worked off side by side and settled in order. */
export interface Inbox {
  /** Position of the last change read. */
  readonly after: number
  readonly open: readonly OpenChange[]
  /** The attempt of the read under way. */
  readonly reading: number | null
  /** There may be more than was read, and no read is under way for it. */
  readonly isToldAgain: boolean
  /** The attempt of the settling under way. */
  readonly settling: number | null
  /** Number of the last event handed out; they fall from zero. */
  readonly lastSeq: number
  /** Ends of inbound calls whose offer did not come yet, by the provider's id. */
  readonly earlyEnds: ReadonlyMap<string, CallEvent>
}

/** The number's messages to be sent, which an actor of its own works off. */
export interface Sending {
  /** The session can send, and the actor knows. */
  readonly isOpen: boolean
  /** There may be work it was not told of. */
  readonly isWanted: boolean
  /** Times it was woken. */
  readonly wakes: number
  /** It may have something in hand. */
  readonly isBusy: boolean
  /** Crashes since it last had nothing left to do. */
  readonly crashes: number
  /** It crashed, and its timer runs. */
  readonly isResting: boolean
}

/** What becomes of a message that came in. */
export interface Keeping {
  readonly conversationType: ConversationType
  /** False: it is only told. */
  readonly isStored: boolean
  readonly isUnread: boolean
  /** Upstream is told that it was read. */
  readonly marksRead: boolean
  /** Null: nobody is told by an event of ours. */
  readonly event: EventName | null
  /** Told beside it when it quotes a message of ours. */
  readonly replyEvent: EventName | null
  /** Its media is fetched from the engine and kept for a while. */
  readonly isRehosted: boolean
}

interface Common {
  readonly numberId: NumberId
  readonly times: NumberTimes
  /** Number of the last attempt started; also names sessions. */
  readonly attempts: number
  /** What came while loading or while a write was in flight, in order. */
  readonly stash: readonly NumberMessage[]
}

export interface LoadingNumber extends Common {
  readonly at: 'LOADING'
}

export interface ReadyNumber extends Common {
  readonly at: 'READY'
  readonly number: ChannelNumber
  readonly credentials: string | null
  readonly hasDriver: boolean
  readonly link: Link
  /** number.connected was the last one said of connected and disconnected. */
  readonly isAnnounced: boolean
  /** Live calls and the id the provider knows them by; null while it was not told yet. */
  readonly calls: ReadonlyMap<CallId, string | null>
  /** Call events of ids nobody knows yet, while an offer is out: its answer may still name them. */
  readonly parked: readonly CallEvent[]
  readonly orphans: readonly string[]
  readonly logouts: readonly number[]
  /** The attempt of the logout now asked of the provider. */
  readonly logoutAttempt: number | null
  readonly leaving: Leaving | null
  readonly inbox: Inbox
  readonly sending: Sending
  readonly write: PendingSave | null
}

export interface StoppedNumber extends Common {
  readonly at: 'STOPPED'
  /** For asks that waited. */
  readonly refusal: Refusal
}

export type NumberState = LoadingNumber | ReadyNumber | StoppedNumber

/** From a session, or (with what upstream tells beside it) from a change. */
export type CallEvent =
  | ProviderEvent & { readonly type: 'callRinging' | 'callAnswered' | 'callEnded' }
  | OfficialCallEvent & { readonly type: 'callRinging' | 'callSdp' | 'callAccepted' | 'callEnded' } & { readonly seq: number }

export interface IncomingCall {
  readonly seq: number
  readonly externalCallId: string
  readonly from: string
  readonly sdp: string
  /** When it began by the provider's clock; missing or null: now. */
  readonly at?: Date | null
}

/** A save in flight and what follows it: nothing is announced before it is stored. */
export interface PendingSave {
  readonly attempt: number
  readonly next: Partial<ReadyNumber>
  readonly effects: readonly NumberEffect[]
  readonly replies: readonly Reply[]
}

export type StopReason = 'passivated' | 'removed' | 'drained' | 'fenced' | 'missing' | 'crashed'

export type NumberEffect =
  | { readonly type: 'load', readonly attempt: number }
  /** `seq` is the event this save settles; the highest settled sequence is stored with it. */
  | {
    readonly type: 'save', readonly attempt: number, readonly patch: ConnectionPatch, readonly seq: number | null
    readonly announce: { readonly event: EventName, readonly number: ChannelNumber } | null
  }
  | { readonly type: 'openSession', readonly sessionId: number, readonly number: ChannelNumber, readonly credentials: string | null }
  | { readonly type: 'closeSession' }
  | { readonly type: 'settle', readonly seq: number }
  | { readonly type: 'applySettings', readonly askId: number, readonly settings: NumberSettings }
  | { readonly type: 'logout', readonly attempt: number }
  | { readonly type: 'consumePairing' }
  | { readonly type: 'terminateOrphan', readonly externalCallId: string }
  | {
    readonly type: 'placeCall', readonly askId: number, readonly callId: CallId, readonly number: ChannelNumber
    readonly to: string, readonly bizOpaqueCallbackData: string | null, readonly sdp: string | null
  }
  | {
    readonly type: 'takeCall', readonly callId: CallId, readonly number: ChannelNumber, readonly externalCallId: string
    readonly from: string, readonly sdp: string, readonly seq: number, readonly at: Date | null, readonly rejection: Rejection | null
  }
  | { readonly type: 'resumeCall', readonly call: Call }
  | { readonly type: 'readChanges', readonly attempt: number, readonly after: number }
  | { readonly type: 'settleChange', readonly attempt: number, readonly position: number, readonly events: readonly NewEvent[] }
  /** Upstream says that calls of the number fail; for the operator. */
  | { readonly type: 'reportFailing', readonly codes: readonly string[] }
  | { readonly type: 'receiveMessage', readonly seq: number, readonly number: ChannelNumber, readonly message: ReceivedMessage, readonly keeping: Keeping }
  /** `mayOvertake`: it names a message of ours by upstream's id alone, which may not be stored yet. */
  | { readonly type: 'reportStatus', readonly seq: number, readonly report: ReportedMessage, readonly mayOvertake: boolean }
  | { readonly type: 'wakeSending', readonly number: ChannelNumber, readonly wakes: number }
  | { readonly type: 'shutSending' }
  | { readonly type: 'askDevice', readonly command: DeviceCommand }
  | { readonly type: 'tellCall', readonly callId: CallId, readonly message: CallMessage }
  | { readonly type: 'endCalls', readonly how: 'hangup' | 'fence' | AbandonReason }
  | { readonly type: 'sweep', readonly except: readonly CallId[] }
  | { readonly type: 'startTimer', readonly timer: NumberTimer, readonly delayMs: number }
  | { readonly type: 'cancelTimer', readonly timer: NumberTimer }
  /** Ends the actor; the session is closed, after its calls unless the number was fenced. */
  | { readonly type: 'stop', readonly why: StopReason }

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

export function step<S extends NumberState>(state: S, effects: readonly NumberEffect[] = [], replies: readonly Reply[] = []): Step<S> {
  return { state, effects, replies }
}

/** The number's session can be asked for something now, as far as is known. */
export function isConnected({ number, link, leaving, logouts }: ReadyNumber): boolean {
  return number.state === 'OPEN' && link.at === 'UP' && !leaving && logouts.length === 0
}

interface Save {
  readonly patch: ConnectionPatch
  readonly announce?: EventName | null
  readonly seq?: number | null
  readonly next?: Partial<ReadyNumber>
  readonly effects?: readonly NumberEffect[]
  readonly replies?: readonly Reply[]
}

/** Starts a save; until its outcome comes, everything else waits in the stash. */
export function beginSave(state: ReadyNumber, save: Save, alongside: readonly NumberEffect[] = []): Step<ReadyNumber> {
  const attempt = state.attempts + 1
  const number = { ...state.number, ...(save.patch.state === undefined ? {} : { state: save.patch.state }) }
  const { patch, announce = null, seq = null, next = {}, effects = [], replies = [] } = save
  return step(
    { ...state, attempts: attempt, write: { attempt, next: { number, ...next }, effects, replies } },
    [{ type: 'save', attempt, patch, seq, announce: announce === null ? null : { event: announce, number } }, ...alongside],
  )
}

/** Leaves memory, or hands the number back. */
export function stopWith(state: NumberState, why: StopReason, refusal: Refusal, effects: readonly NumberEffect[] = [], replies: readonly Reply[] = []): Step {
  const { numberId, times, attempts, stash } = state
  return step({ at: 'STOPPED', numberId, times, attempts, stash, refusal }, [...effects, { type: 'stop', why }], replies)
}
