import type { Call } from '../../../src/domain/call.ts'
import { durationSeconds, isLive } from '../../../src/domain/call.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import type { Fence } from '../../../src/ports/leases.ts'
import type { MediaPort } from '../../../src/ports/media.ts'
import type { CallStore } from '../../../src/ports/stores/call-store.ts'
import type { FailureCode } from '../../call/ending.ts'
import { hasOwnLeg } from '../../call/leg.ts'
import { FAILURES } from '../../call/ending.ts'
import { callEvent } from '../../call/event-data.ts'
import type { Persistence } from '../../engine/persist.ts'
import { persist } from '../../engine/persist.ts'

export interface OrphanPorts extends Persistence {
  readonly calls: CallStore
  readonly media: MediaPort
  readonly fence: Fence
}

export type Closing = {
  readonly kind: 'closed'
  readonly externalCallIds: readonly string[]
  /** Calls that live on without a leg of ours: their rows are left as they are. */
  readonly resumable: readonly Call[]
} | { readonly kind: 'fenced' | 'failed' }

/** Ends one row that has no actor; a row that moved meanwhile is left as it is. */
async function closeRow({ calls, media, fence }: OrphanPorts, call: Call, errorCode: FailureCode, nowMs: number) {
  if (!isLive(call.status)) return 'applied'
  const endedAt = new Date(nowMs)
  const errorMessage = FAILURES[errorCode]
  const seconds = call.connectedAt === null ? null : durationSeconds(call.connectedAt, endedAt)
  const { externalCallId, connectedAt } = call
  const event = callEvent('call.ended', { ...call, startedAt: call.startedAt ?? call.createdAt }, {
    status: 'FAILED', externalCallId, connectedAt, endedAt, durationSeconds: seconds, errorCode, errorMessage,
  }, nowMs)
  const result = await calls.transition(fence, {
    callId: call.id, from: [call.status], to: 'FAILED', patch: { endedAt, durationSeconds: seconds, errorCode, errorMessage }, events: [event],
  })
  if (result === 'applied' && hasOwnLeg(call)) media.close(call.id, { status: 'FAILED', reason: errorCode, ...(seconds === null ? {} : { durationSeconds: seconds }) })
  return result
}

/** Closes the rows of calls nobody holds (architecture 5): FAILED with `errorCode`, answers the provider ids to hang up. Calls that need no actor of ours to live are answered too. */
export async function closeOrphans(ports: OrphanPorts, errorCode: FailureCode, except: readonly CallId[]): Promise<Closing> {
  const live = await persist(ports, 'list live calls', () => ports.calls.listLive(ports.fence.numberId))
  if (live === null) return { kind: 'failed' }
  const externalCallIds: string[] = []
  const resumable: Call[] = []
  for (const call of live.value) {
    if (except.includes(call.id)) continue
    // Upstream never told us the id of one without: what becomes of it cannot be heard.
    if (!hasOwnLeg(call) && call.externalCallId !== null) {
      resumable.push(call)
      continue
    }
    const result = await persist(ports, 'close orphan call', () => closeRow(ports, call, errorCode, ports.clock.now()))
    if (result === null) return { kind: 'failed' }
    if (result.value === 'fenced') return { kind: 'fenced' }
    if (call.externalCallId !== null) externalCallIds.push(call.externalCallId)
  }
  return { kind: 'closed', externalCallIds, resumable }
}
