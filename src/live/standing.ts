import type { Call, CallStatus } from '../domain/call.ts'
import type { CallMove, StandingNumber } from '../ports/tenant-feed.ts'

/** Statuses in the order in which a call has them; all that end it are last. */
const RANK: Readonly<Record<CallStatus, number>> = {
  INITIATED: 1,
  RINGING: 2,
  ACCEPTED: 3,
  REJECTED: 4,
  COMPLETED: 4,
  FAILED: 4,
  MISSED: 4,
}

export function rankOf(status: CallStatus): number {
  return RANK[status]
}

/** The call as it was when it got the status of a move, though it has another one by now. */
export function asOf(call: Call, { status, atMs }: CallMove): Call {
  if (call.status === status) return call
  return {
    ...call,
    status,
    connectedAt: null,
    endedAt: null,
    durationSeconds: null,
    errorCode: null,
    errorMessage: null,
    updatedAt: new Date(atMs),
  }
}

/** Whether a call that was found has a status that no event tells of, once its provider took it. */
export function isUntold({ status, direction, externalCallId }: Call): boolean {
  return direction === 'OUTBOUND' && externalCallId !== null && (status === 'INITIATED' || status === 'RINGING')
}

export function isSame(a: StandingNumber | undefined, b: StandingNumber): boolean {
  return a?.state === b.state && a.isFullyConnected === b.isFullyConnected && a.calling === b.calling
}
