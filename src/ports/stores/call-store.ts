import type { Call, CallDirection, CallStatus, LiveStatus, Playback } from '../../domain/call.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { CallId, NumberId, TenantId } from '../../domain/ids.ts'
import type { Fence } from '../leases.ts'

export type NewCall = Omit<
  Call,
  | 'createdAt'
  | 'updatedAt'
  | 'playback'
  | 'mediaHost'
  | 'durationSeconds'
  | 'errorCode'
  | 'errorMessage'
  | 'connectedAt'
  | 'endedAt'
>

export type CallPatch = Partial<
  Pick<
    Call,
    | 'externalCallId'
    | 'startedAt'
    | 'connectedAt'
    | 'endedAt'
    | 'durationSeconds'
    | 'errorCode'
    | 'errorMessage'
    | 'media'
    | 'sdpOffer'
    | 'sdpAnswer'
    | 'playback'
    | 'mediaHost'
    | 'recording'
  >
>

export interface CallTransition {
  readonly callId: CallId
  /** The move happens only if the stored status is one of these. */
  readonly from: readonly LiveStatus[]
  readonly to: CallStatus
  readonly patch: CallPatch
  /** Stored in the same transaction. */
  readonly events: readonly NewEvent[]
}

/** `applied`; `conflict`: the stored status was not in `from`; `fenced`: another node owns the number. */
export type WriteResult = 'applied' | 'conflict' | 'fenced'

/** One page of the calls of a tenant; a filter that is null lets all of them through. */
export interface TenantCallPage {
  readonly limit: number
  /** Only calls that the list has after this one. */
  readonly before: CallId | null
  readonly numberId: NumberId | null
  readonly status: CallStatus | null
  readonly direction: CallDirection | null
  /** Digits, or the id of a user who hides the number. */
  readonly peerNumber: string | null
}

export interface CallStore {
  /** Inserts with its events. `conflict` when this number already has the external id (an event that came twice). */
  insert(fence: Fence, call: NewCall, events: readonly NewEvent[]): Promise<WriteResult>
  transition(fence: Fence, move: CallTransition): Promise<WriteResult>
  /** `sdpOffer` is the offer that our media host made for the official platform; null or missing leaves it as it is. */
  setExternalId(
    fence: Fence,
    callId: CallId,
    externalCallId: string,
    mediaHost: string | null,
    sdpOffer?: string | null,
  ): Promise<WriteResult>
  savePlayback(fence: Fence, callId: CallId, playback: readonly Playback[]): Promise<WriteResult>
  /** Removes a call that the provider refused to start ([calls.states.9]). */
  remove(fence: Fence, callId: CallId): Promise<WriteResult>
  /** Finds a call by service id or provider id, only within the number ([calls.routes.14], [calls.routes.15]). */
  find(numberId: NumberId, callIdOrExternalId: string): Promise<Call | null>
  /** Lists calls, newest first; `before` compares createdAt ([calls.routes.17]). */
  list(numberId: NumberId, page: { readonly limit: number; readonly before: Date | null }): Promise<Call[]>
  /** Lists calls of all numbers, newest first. Null when the tenant has no call `before` ([dashboard.routes.2]). */
  listOfTenant(tenantId: TenantId, page: TenantCallPage): Promise<Call[] | null>
  /** Finds a call of any number of the tenant by its service id ([dashboard.routes.9]). */
  findOfTenant(tenantId: TenantId, callId: CallId): Promise<Call | null>
  /** Lists calls without a final status, for an owner that starts; none that is set aside. */
  listLive(numberId: NumberId): Promise<Call[]>
}
