import type { CallId, NumberId, PlaybackId, TenantId } from './ids.ts'
import type { ProviderKind } from './number.ts'
import type { RecordingState } from './recording.ts'
import { storableSeconds } from './storable.ts'

export const CALL_STATUSES = ['INITIATED', 'RINGING', 'ACCEPTED', 'REJECTED', 'COMPLETED', 'FAILED', 'MISSED'] as const
export type CallStatus = (typeof CALL_STATUSES)[number]

/** Statuses of a call that still has, or is getting, a leg ([calls.states.8]). */
export const LIVE_STATUSES = ['INITIATED', 'RINGING', 'ACCEPTED'] as const satisfies readonly CallStatus[]
export type LiveStatus = (typeof LIVE_STATUSES)[number]
export type FinalStatus = Exclude<CallStatus, LiveStatus>

export const CALL_DIRECTIONS = ['INBOUND', 'OUTBOUND'] as const
export type CallDirection = (typeof CALL_DIRECTIONS)[number]

/**
 * Who carries the audio of a call between a number of the official platform and its peer ([bridged-calls.bridge.7]):
 * our media host (`bridge`) or the tenant's own WebRTC end (`own`).
 */
export const CALL_CARRIERS = ['bridge', 'own'] as const
export type CallCarrier = (typeof CALL_CARRIERS)[number]

export function isLive(status: CallStatus): status is LiveStatus {
  return (LIVE_STATUSES as readonly CallStatus[]).includes(status)
}

export const PLAYBACK_STATUSES = ['QUEUED', 'PLAYING', 'FINISHED', 'FAILED'] as const
export type PlaybackStatus = (typeof PLAYBACK_STATUSES)[number]

/** One file of a call, in order of queueing ([calls.play.4]). */
export interface Playback {
  readonly id: PlaybackId
  readonly mediaUrl: string
  readonly hangupAfterPlay: boolean
  readonly status: PlaybackStatus
  readonly error?: string
}

/** A call as stored; the API shows it as [calls.object.1] says. */
export interface Call {
  readonly id: CallId
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly provider: ProviderKind
  readonly externalCallId: string | null
  readonly direction: CallDirection
  readonly status: CallStatus
  /** Digits. */
  readonly peerNumber: string
  /** Digits. */
  readonly fromNumber: string
  readonly conversationId: string | null
  readonly bizOpaqueCallbackData: string | null
  readonly startedAt: Date | null
  readonly connectedAt: Date | null
  readonly endedAt: Date | null
  /** Whole seconds from connectedAt to endedAt; null unless answered. */
  readonly durationSeconds: number | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  /** Null on UNOFFICIAL numbers, and while nobody has answered an inbound call. */
  readonly media: CallCarrier | null
  readonly sdpOffer: string | null
  readonly sdpAnswer: string | null
  readonly playback: readonly Playback[]
  /**
   * Names the media host that holds the call's leg, for another node to adopt it; null before there is one. Shown to
   * nobody.
   */
  readonly mediaHost: string | null
  /** How its recording stands; null where none was asked for. */
  readonly recording: RecordingState | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The answer of a command to a call. */
export type CallAnswer = Pick<Call, 'id' | 'status'>

/** Counts whole seconds of an answered call, rounded to the nearest, never below 0. */
export function durationSeconds(connectedAt: Date, endedAt: Date): number {
  return storableSeconds((endedAt.getTime() - connectedAt.getTime()) / 1000)
}

/** The call that the data of an event tells of; null when it tells of something else. */
export function callIn(
  data: Readonly<Record<string, unknown>>,
): (Readonly<Record<string, unknown>> & { readonly id: string; readonly status: CallStatus }) | null {
  const { id, status } = data
  const isCall = typeof id === 'string' && id.startsWith('call_') && CALL_STATUSES.some((one) => one === status)
  return isCall ? { ...data, id, status: status as CallStatus } : null
}
