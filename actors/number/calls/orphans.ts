import type { Call } from '../../../src/domain/call.ts'
import { durationSeconds, isLive } from '../../../src/domain/call.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import type { Fault } from '../../../src/domain/set-aside.ts'
import type { Fence } from '../../../src/ports/leases.ts'
import type { MediaPort } from '../../../src/ports/media.ts'
import type { CallStore } from '../../../src/ports/stores/call-store.ts'
import type { SetAsideStore } from '../../../src/ports/stores/set-aside-store.ts'
import type { FailureCode } from '../../call/ending.ts'
import { hasOwnLeg } from '../../call/leg.ts'
import { FAILURES } from '../../call/ending.ts'
import { callEvent } from '../../call/event-data.ts'
import type { Persistence } from '../../engine/persist.ts'
import { persist, tried } from '../../engine/persist.ts'

export interface OrphanPorts extends Persistence {
  readonly fence: Fence
  readonly setAside: Pick<SetAsideStore, 'note'>
  readonly calls: CallStore
  readonly media: MediaPort
}

/** A call nobody holds here, by the id upstream knows it under: its own, or where its answer never came ours. */
export type OrphanCall = { readonly externalCallId: string } | { readonly callRef: CallId }

export type Closing =
  | {
      readonly kind: 'closed'
      /** Calls whose rows are closed and that may go on upstream. */
      readonly orphans: readonly OrphanCall[]
      /** Calls that live on: their rows are left as they are. */
      readonly resumable: readonly Call[]
    }
  | { readonly kind: 'fenced' | 'failed' }

/** Ends one row that has no actor; a row that moved meanwhile is left as it is. */
async function closeRow({ calls, media, fence }: OrphanPorts, call: Call, errorCode: FailureCode, nowMs: number) {
  if (!isLive(call.status)) return 'applied'
  const endedAt = new Date(nowMs)
  const errorMessage = FAILURES[errorCode]
  const seconds = call.connectedAt === null ? null : durationSeconds(call.connectedAt, endedAt)
  const { externalCallId, connectedAt } = call
  const event = callEvent(
    'call.ended',
    { ...call, startedAt: call.startedAt ?? call.createdAt },
    {
      status: 'FAILED',
      externalCallId,
      connectedAt,
      endedAt,
      durationSeconds: seconds,
      errorCode,
      errorMessage,
    },
    nowMs,
  )
  const result = await calls.transition(fence, {
    callId: call.id,
    from: [call.status],
    to: 'FAILED',
    patch: { endedAt, durationSeconds: seconds, errorCode, errorMessage },
    events: [event],
  })
  if (result === 'applied' && hasOwnLeg(call))
    media.close(call.id, {
      status: 'FAILED',
      reason: errorCode,
      fence: fence.token,
      ...(seconds === null ? {} : { durationSeconds: seconds }),
    })
  return result
}

/**
 * A row that cannot be closed, for a reason of its own, stays as it is and is found no more: the number starts without
 * it. False: that could not be stored.
 */
async function setCallAside(
  ports: OrphanPorts,
  { id: callId, tenantId }: Call,
  errorCode: FailureCode,
  fault: Fault,
): Promise<boolean> {
  const {
    setAside,
    log,
    media,
    fence: { numberId, token },
  } = ports
  log.error({ numberId, callId, reason: fault.reason }, 'a call is set aside')
  const item = { ...fault, line: 'live-calls', item: callId, tenantId, numberId, accountId: null } as const
  const noted = await persist(ports, 'set call aside', () => setAside.note(item, '{}'))
  if (noted) media.close(callId, { status: 'FAILED', reason: errorCode, fence: token })
  return noted !== null
}

/**
 * Whether a call outlived the actor that held it. Upstream must have named it: what becomes of one without an id cannot
 * be heard. One with a leg of ours needs a host that outlives its node, which has the leg or, while it rings for us, at
 * most sockets that wait for one.
 */
function livesOn(call: Call, outlives: boolean): boolean {
  if (call.externalCallId === null) return false
  return (
    !hasOwnLeg(call)
    || (outlives
      && (call.mediaHost !== null
        || (call.direction === 'INBOUND' && call.status === 'RINGING' && call.sdpOffer !== null)))
  )
}

/**
 * Closes the rows of calls nobody holds: FAILED with `errorCode`, answers what to hang up. Calls that
 * live on are answered too. `canGoOn`: an actor for a call with a leg of ours would have a session to hear of it.
 */
export async function closeOrphans(
  ports: OrphanPorts,
  errorCode: FailureCode,
  except: readonly CallId[],
  canGoOn: boolean,
): Promise<Closing> {
  const live = await persist(ports, 'list live calls', () => ports.calls.listLive(ports.fence.numberId))
  if (live === null) return { kind: 'failed' }
  const orphans: OrphanCall[] = []
  const resumable: Call[] = []
  for (const call of live.value) {
    if (except.includes(call.id)) continue
    if (livesOn(call, canGoOn && ports.media.outlives)) {
      resumable.push(call)
      continue
    }
    const result = await tried(ports, 'close orphan call', () => closeRow(ports, call, errorCode, ports.clock.now()))
    if (result.ok && result.value === 'fenced') return { kind: 'fenced' }
    if (!result.ok && !(result.fault && (await setCallAside(ports, call, errorCode, result.fault))))
      return { kind: 'failed' }
    if (call.externalCallId !== null) orphans.push({ externalCallId: call.externalCallId })
    else if (hasOwnLeg(call)) orphans.push({ callRef: call.id })
  }
  return { kind: 'closed', orphans, resumable }
}
