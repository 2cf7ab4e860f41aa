import type {
  CallCarrier,
  CallDirection,
  CallStatus,
  FinalStatus,
  LiveStatus,
  Playback,
} from '../../src/domain/call.ts'
import type { NewEvent } from '../../src/domain/events.ts'
import type { Outcome, Refusal } from '../../src/domain/errors.ts'
import type { CallId, NumberId, PlaybackId, TenantId } from '../../src/domain/ids.ts'
import type { ProviderKind } from '../../src/domain/number.ts'
import type { NumberVoice } from '../../src/domain/number-voice.ts'
import type { Fault } from '../../src/domain/set-aside.ts'
import type { Trace } from '../../src/domain/trace.ts'
import type { SessionToDial } from '../../src/ports/media.ts'
import type { CallTransition, NewCall } from '../../src/ports/stores/call-store.ts'
import type { CallMessage, CallTimer, WantedSession } from './messages.ts'

/** The facts of a call that never change. */
export interface CallFacts {
  readonly id: CallId
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly provider: ProviderKind
  readonly direction: CallDirection
  /** Digits. */
  readonly peerNumber: string
  /** Digits. */
  readonly fromNumber: string
  /** Conversation of the messages with the peer, even when there are none yet. */
  readonly conversationId: string | null
  readonly bizOpaqueCallbackData: string | null
  readonly startedAt: Date
  /** As in the row, or when the row was about to be written. */
  readonly createdAt: Date
}

/** How long a call waits for the far side, in ms; see domain/limits.ts. */
export interface CallTimes {
  readonly unringingMs: number
  readonly ringMs: number
  readonly mediaMs: number
  /** Replaces `ringMs` where upstream times the ringing itself. */
  readonly upstreamMs: number
  /** Counts from the answer, where only upstream can tell of the end. */
  readonly silenceMs: number
}

/** The phase of a call. Each holds only what is true in it. */
export type CallPhase =
  | { readonly at: 'NEW' }
  /** The row is INITIATED, and the media host makes the offer. */
  | { readonly at: 'OPENING'; readonly starter: number; readonly attempt: number }
  /** The row is INITIATED, and the provider was asked to call. */
  | { readonly at: 'OFFERING'; readonly starter: number; readonly attempt: number; readonly sdpOffer: string | null }
  | { readonly at: 'INITIATED'; readonly externalCallId: string }
  /** The peer's phone rings (outbound). */
  | { readonly at: 'RINGING'; readonly externalCallId: string }
  /** Nobody accepted yet (inbound). */
  | { readonly at: 'INCOMING'; readonly externalCallId: string; readonly sdpOffer: string }
  /**
   * The row is RINGING (inbound). The media host makes the answer (`media`), then the provider takes it (`provider`).
   */
  | {
      readonly at: 'ACCEPTING'
      readonly stage: 'media' | 'provider'
      readonly attempt: number
      readonly askers: readonly number[]
      readonly externalCallId: string
      readonly sdpOffer: string
      /** The tenant's answer; null when the media host makes it. */
      readonly sdpAnswer: string | null
      /** What rings on for a bot when upstream refuses the tenant's answer; null when the media host makes it. */
      readonly spared: Spared | null
    }
  | { readonly at: 'ACCEPTED'; readonly externalCallId: string; readonly connectedAt: Date }
  | { readonly at: 'ENDED'; readonly status: FinalStatus }
  /**
   * No call any more: the provider refused it, announced it twice, its end cannot be stored (`isOurs` true), or another
   * node owns it (`isOurs` false).
   */
  | { readonly at: 'GONE'; readonly refusal: Refusal; readonly isOurs: boolean }

/** A command that is answered once a write is stored. */
export interface WaitingAsk {
  readonly askId: number
  readonly command: 'Accept' | 'PreAccept' | 'Reject' | 'Terminate' | 'Play' | 'Start'
}

/** The write in flight, and what follows once it is stored. Nothing is announced before. */
export interface PendingWrite {
  readonly attempt: number
  readonly kind: 'insert' | 'move' | 'externalId' | 'playback' | 'sdp' | 'remove'
  readonly next: CallPhase
  readonly asks: readonly WaitingAsk[]
  readonly effects: readonly CallEffect[]
  /** The answer SDP that this write stores. */
  readonly sdpAnswer?: string
}

export interface CallState {
  readonly facts: CallFacts
  /** The trace of whatever last had the call do something; null when nothing is recorded. */
  readonly trace: Trace | null
  readonly times: CallTimes
  readonly phase: CallPhase
  readonly playback: readonly Playback[]
  /** Who carries the audio of a call of an OFFICIAL number, once that is known; null on others. */
  readonly media: CallCarrier | null
  /** The leg was given the peer's answer by this attempt, which has no outcome yet; null otherwise. */
  readonly connecting: number | null
  /** True once a media host was asked for something, for a call of the platform without a leg of ours yet. */
  readonly isAtHost: boolean
  /** The answer that the media host made before the call is accepted; null when it was not asked. */
  readonly prepared: PreparedAnswer | null
  /** The stored answer SDP; always null on UNOFFICIAL numbers. */
  readonly sdpAnswer: string | null
  /** The bot server of the number, once the call was connected to it by itself; null otherwise. */
  readonly voice: CallVoice | null
  /** True while the peer's audio arrives. */
  readonly isFlowing: boolean
  /** The media host that holds the leg, when it outlives this node. */
  readonly mediaHost: string | null
  /** True when the call is recorded, or will be from its answer on. */
  readonly record: boolean
  /** True when legs at our media hosts outlive this node. */
  readonly outlives: boolean
  /**
   * Set while a resumed call's state is unknown: first at its media host, then (when an accept is in doubt) upstream.
   */
  readonly resuming: Resuming | null
  /** True from the resumption of a call on, until upstream said that it still has it. */
  readonly awaitsUpstream: boolean
  /** Why the leg was lost, while upstream may still say that the call is over; null otherwise. */
  readonly heldLoss: string | null
  /** True for a call resumed from its row: events that upstream repeats may have taken partial effect. */
  readonly isResumed: boolean
  /** True when the call is left to the next owner as soon as it is at rest. */
  readonly isLeaving: boolean
  /** Commands under way at the media host or the provider that have no phase of their own. */
  readonly asked: number
  /** Number of the last attempt started. */
  readonly attempts: number
  readonly write: PendingWrite | null
  /** Messages that came while a write was in flight, in order. */
  readonly stash: readonly CallMessage[]
}

/** How an inbound call is connected to its number's bot ([voice.number-setting.2]). */
export interface CallVoice extends Pick<NumberVoice, 'answer' | 'onUnreachable' | 'onDisconnect'> {
  /** How its session stands; `dialled` until that is told. */
  readonly bot: 'dialled' | 'open' | 'left'
}

export interface PreparedAnswer {
  readonly attempt: number
  /** Null until the media host has made it. */
  readonly sdp: string | null
}

/** The bot's part in a call that is about to be the tenant's own. */
export type Spared = Pick<CallState, 'media' | 'record' | 'prepared'>

export type Resuming =
  | { readonly stage: 'media'; readonly attempt: number; readonly movedAt: Date }
  | { readonly stage: 'upstream' }

/** The only effects of a call on the world; effects.ts does them. */
export type CallEffect =
  | { readonly type: 'insert'; readonly attempt: number; readonly call: NewCall; readonly events: readonly NewEvent[] }
  | { readonly type: 'move'; readonly attempt: number; readonly move: CallTransition }
  | {
      readonly type: 'saveExternalId'
      readonly attempt: number
      readonly externalCallId: string
      readonly mediaHost: string | null
      /** The offer that our media host made for the official platform; null otherwise. */
      readonly sdpOffer: string | null
    }
  | { readonly type: 'savePlayback'; readonly attempt: number; readonly playback: readonly Playback[] }
  | { readonly type: 'remove'; readonly attempt: number }
  | { readonly type: 'mediaOffer'; readonly attempt: number }
  | {
      readonly type: 'mediaAnswer'
      readonly attempt: number
      readonly externalCallId: string
      readonly sdpOffer: string
    }
  | { readonly type: 'mediaConnect'; readonly attempt: number; readonly sdpAnswer: string }
  | { readonly type: 'mediaUpdate'; readonly sdp: string }
  | { readonly type: 'mediaAnnounce'; readonly externalCallId: string }
  | { readonly type: 'mediaStatus'; readonly status: CallStatus; readonly externalCallId?: string }
  | { readonly type: 'mediaDial'; readonly askId: number; readonly session: SessionToDial }
  /** Reads the bot server of the number. */
  | { readonly type: 'readVoice' }
  /** Has the bot server of the number dialled. */
  | { readonly type: 'mediaDialVoice'; readonly session: SessionToDial }
  | ({ readonly type: 'mediaMint'; readonly askId: number } & WantedSession)
  | { readonly type: 'mediaGiveBack'; readonly askId: number }
  | {
      readonly type: 'mediaPlay'
      readonly askId: number
      readonly playbackId: PlaybackId
      readonly mediaUrl: string
      readonly hangupAfterPlay: boolean
    }
  | {
      readonly type: 'mediaClose'
      readonly status: CallStatus
      readonly reason?: string
      readonly durationSeconds?: number
    }
  | {
      readonly type: 'mediaAdopt'
      readonly attempt: number
      readonly externalCallId: string | null
      readonly host: string | null
    }
  | { readonly type: 'mediaLeave' }
  | { readonly type: 'offer'; readonly attempt: number; readonly sdp: string }
  /** `askId` is null when nobody asked for it. */
  | { readonly type: 'preAccept'; readonly askId: number | null; readonly externalCallId: string; readonly sdp: string }
  | { readonly type: 'accept'; readonly attempt: number; readonly externalCallId: string; readonly sdp: string }
  | { readonly type: 'reject'; readonly externalCallId: string }
  | { readonly type: 'terminate'; readonly externalCallId: string }
  | { readonly type: 'sendRejection'; readonly text: string }
  | { readonly type: 'settle'; readonly seq: number }
  /** Sets aside an event whose outcome cannot be stored, for a reason of its own. */
  | { readonly type: 'setAside'; readonly seq: number; readonly fault: Fault }
  | { readonly type: 'startTimer'; readonly timer: CallTimer; readonly delayMs: number }
  | { readonly type: 'cancelTimers' }
  /** `isStored` is false when the row still looks live and the number must close it later. */
  | { readonly type: 'stop'; readonly isStored: boolean }

export interface Reply {
  readonly askId: number
  readonly outcome: Outcome<unknown>
}

/** The result of one message. Replies and effects of a write wait in `state.write` until it is stored. */
export interface Step {
  readonly state: CallState
  readonly effects: readonly CallEffect[]
  readonly replies: readonly Reply[]
}

/** `outlives` is true when legs at our media hosts outlive this node. */
export function initialState(facts: CallFacts, times: CallTimes, outlives: boolean): CallState {
  return {
    facts,
    trace: null,
    times,
    outlives,
    phase: { at: 'NEW' },
    playback: [],
    media: null,
    connecting: null,
    isAtHost: false,
    prepared: null,
    sdpAnswer: null,
    voice: null,
    isFlowing: false,
    mediaHost: null,
    record: false,
    resuming: null,
    awaitsUpstream: false,
    heldLoss: null,
    isResumed: false,
    isLeaving: false,
    asked: 0,
    attempts: 0,
    write: null,
    stash: [],
  }
}

/** A step that leaves everything unchanged but what is given. */
export function step(state: CallState, effects: readonly CallEffect[] = [], replies: readonly Reply[] = []): Step {
  return { state, effects, replies }
}

/** The status that the row holds in a phase; null without a row that is live. */
export function liveStatusOf(phase: CallPhase): LiveStatus | null {
  switch (phase.at) {
    case 'OPENING':
    case 'OFFERING':
    case 'INITIATED':
      return 'INITIATED'
    case 'RINGING':
    case 'INCOMING':
    case 'ACCEPTING':
      return 'RINGING'
    case 'ACCEPTED':
      return 'ACCEPTED'
    case 'NEW':
    case 'ENDED':
    case 'GONE':
      return null
  }
}

export function externalIdOf(phase: CallPhase): string | null {
  return 'externalCallId' in phase ? phase.externalCallId : null
}

/** Asks that wait for the phase itself to end well. */
export function askersOf(phase: CallPhase): WaitingAsk[] {
  if (phase.at === 'OPENING' || phase.at === 'OFFERING') return [{ askId: phase.starter, command: 'Start' }]
  if (phase.at === 'ACCEPTING') return phase.askers.map((askId) => ({ askId, command: 'Accept' }))
  return []
}

/**
 * Whether a call that its bot accepted has lost that bot before it was answered. The media host sees to `onDisconnect`
 * of an answered call alone.
 */
export function isLeftByBot({ voice, media }: Pick<CallState, 'voice' | 'media'>): boolean {
  return voice?.bot === 'left' && voice.answer === 'accept' && voice.onDisconnect !== 'keep' && media !== 'own'
}
