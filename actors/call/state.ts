import type { CallDirection, CallStatus, FinalStatus, LiveStatus, Playback } from '../../src/domain/call.ts'
import type { CallerId } from '../../src/domain/caller.ts'
import type { NewEvent } from '../../src/domain/events.ts'
import type { Outcome, Refusal } from '../../src/domain/errors.ts'
import type { CallId, NumberId, PlaybackId, TenantId } from '../../src/domain/ids.ts'
import type { ProviderKind } from '../../src/domain/number.ts'
import type { Fault } from '../../src/domain/set-aside.ts'
import type { CallTransition, NewCall } from '../../src/ports/stores/call-store.ts'
import type { CallMessage, CallTimer } from './messages.ts'

/** What never changes in a call. */
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
  /** Of the messages with the peer, whether or not there are any yet. */
  readonly conversationId: string | null
  readonly bizOpaqueCallbackData: string | null
  readonly startedAt: Date
  /** As in the row, or when it was about to be written. */
  readonly createdAt: Date
}

/** How long a call waits for the far side; see domain/limits.ts. */
export interface CallTimes {
  readonly unringingMs: number
  readonly ringMs: number
  readonly mediaMs: number
  /** In place of `ringMs` where upstream watches over the ringing itself. */
  readonly upstreamMs: number
  /** From the answer, where upstream alone can tell of the end. */
  readonly silenceMs: number
}

/** Where a call stands. Each phase holds only what is true in it. */
export type CallPhase =
  | { readonly at: 'NEW' }
  /** Row INITIATED; the media host makes the offer. */
  | { readonly at: 'OPENING'; readonly starter: number; readonly attempt: number }
  /** Row INITIATED; the provider was asked to call. */
  | { readonly at: 'OFFERING'; readonly starter: number; readonly attempt: number }
  | { readonly at: 'INITIATED'; readonly externalCallId: string }
  /** Outbound: the peer's phone rings. */
  | { readonly at: 'RINGING'; readonly externalCallId: string }
  /** Inbound: nobody accepted yet. */
  | { readonly at: 'INCOMING'; readonly externalCallId: string; readonly sdpOffer: string }
  /** Inbound, row RINGING: the media host makes the answer (`media`), then the provider takes it (`provider`). */
  | {
      readonly at: 'ACCEPTING'
      readonly stage: 'media' | 'provider'
      readonly attempt: number
      readonly askers: readonly number[]
      readonly externalCallId: string
      readonly sdpOffer: string
      /** The tenant's answer; null where the media host makes it. */
      readonly sdpAnswer: string | null
    }
  /** `connectAttempt` is null once the leg has the peer's answer. */
  | {
      readonly at: 'ACCEPTED'
      readonly externalCallId: string
      readonly connectedAt: Date
      readonly connectAttempt: number | null
    }
  | { readonly at: 'ENDED'; readonly status: FinalStatus }
  /**
   * No call any more: refused by the provider, announced twice, its end not to be stored (`isOurs`), or owned by
   * another node (not).
   */
  | { readonly at: 'GONE'; readonly refusal: Refusal; readonly isOurs: boolean }

/** A command that waits for a write before it is answered. */
export interface WaitingAsk {
  readonly askId: number
  readonly command: 'Accept' | 'PreAccept' | 'Reject' | 'Terminate' | 'Play' | 'Start'
}

/** The write now in flight, and what happens once it is stored: nothing is announced before. */
export interface PendingWrite {
  readonly attempt: number
  readonly kind: 'insert' | 'move' | 'externalId' | 'playback' | 'sdp' | 'remove'
  readonly next: CallPhase
  readonly asks: readonly WaitingAsk[]
  readonly effects: readonly CallEffect[]
  /** The answer this write stores. */
  readonly sdpAnswer?: string
}

export interface CallState {
  readonly facts: CallFacts
  readonly times: CallTimes
  readonly phase: CallPhase
  readonly playback: readonly Playback[]
  /** The answer as stored; always null where the leg is ours. */
  readonly sdpAnswer: string | null
  /** The peer's audio arrives. */
  readonly isFlowing: boolean
  /** Names the media host that holds the leg, where it outlives this node. */
  readonly mediaHost: string | null
  /** A leg at our media hosts outlives this node. */
  readonly outlives: boolean
  /**
   * Taken up from its row, and not yet known where it stands: at its media host, then (where an accept is in doubt)
   * upstream.
   */
  readonly resuming: Resuming | null
  /** It was taken up from its row: what upstream tells again may be half done. */
  readonly isResumed: boolean
  /** To be left to the next owner as soon as it is at rest. */
  readonly isLeaving: boolean
  /** Commands at the media host or the provider that no phase stands for. */
  readonly asked: number
  /** Number of the last attempt started. */
  readonly attempts: number
  readonly write: PendingWrite | null
  /** What came while a write was in flight, in order. */
  readonly stash: readonly CallMessage[]
}

export type Resuming =
  | { readonly stage: 'media'; readonly attempt: number; readonly movedAt: Date }
  | { readonly stage: 'upstream' }

/** The only things a call does to the world; effects.ts does them. */
export type CallEffect =
  | { readonly type: 'insert'; readonly attempt: number; readonly call: NewCall; readonly events: readonly NewEvent[] }
  | { readonly type: 'move'; readonly attempt: number; readonly move: CallTransition }
  | {
      readonly type: 'saveExternalId'
      readonly attempt: number
      readonly externalCallId: string
      readonly mediaHost: string | null
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
  | { readonly type: 'mediaAnnounce'; readonly externalCallId: string }
  | { readonly type: 'mediaStatus'; readonly status: CallStatus; readonly externalCallId?: string }
  | { readonly type: 'mediaMint'; readonly askId: number; readonly mode: 'talk' | 'listen'; readonly by: CallerId }
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
  | { readonly type: 'preAccept'; readonly askId: number; readonly externalCallId: string; readonly sdp: string }
  | { readonly type: 'accept'; readonly attempt: number; readonly externalCallId: string; readonly sdp: string }
  | { readonly type: 'reject'; readonly externalCallId: string }
  | { readonly type: 'terminate'; readonly externalCallId: string }
  | { readonly type: 'sendRejection'; readonly text: string }
  | { readonly type: 'settle'; readonly seq: number }
  /** What it led to cannot be stored, for a reason of its own. */
  | { readonly type: 'setAside'; readonly seq: number; readonly fault: Fault }
  | { readonly type: 'startTimer'; readonly timer: CallTimer; readonly delayMs: number }
  | { readonly type: 'cancelTimers' }
  /** `isStored` false: the row still looks live and the number must close it later. */
  | { readonly type: 'stop'; readonly isStored: boolean }

export interface Reply {
  readonly askId: number
  readonly outcome: Outcome<unknown>
}

/** What one message leads to. Replies and effects of a write wait in `state.write` until it is stored. */
export interface Step {
  readonly state: CallState
  readonly effects: readonly CallEffect[]
  readonly replies: readonly Reply[]
}

/** `outlives`: a leg at our media hosts outlives this node. */
export function initialState(facts: CallFacts, times: CallTimes, outlives: boolean): CallState {
  return {
    facts,
    times,
    outlives,
    phase: { at: 'NEW' },
    playback: [],
    sdpAnswer: null,
    isFlowing: false,
    mediaHost: null,
    resuming: null,
    isResumed: false,
    isLeaving: false,
    asked: 0,
    attempts: 0,
    write: null,
    stash: [],
  }
}

/** Nothing changes but what is given. */
export function step(state: CallState, effects: readonly CallEffect[] = [], replies: readonly Reply[] = []): Step {
  return { state, effects, replies }
}

/** The status the row holds in a phase; null while or after there is no row. */
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
