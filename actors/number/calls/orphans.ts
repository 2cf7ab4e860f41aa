import type { Call } from '../../../src/domain/call.ts'
import { durationSeconds, isLive } from '../../../src/domain/call.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import type { Fault } from '../../../src/domain/set-aside.ts'
import type { Fence } from '../../../src/ports/leases.ts'
import type { MediaPort } from '../../../src/ports/media.ts'
import type { CallStore } from '../../../src/ports/stores/call-store.ts'
import type { SetAsideStore } from '../../../src/ports/stores/set-aside-store.ts'
import type { FailureCode } from '../../call/ending.ts'
import { kindOf } from '../../../src/domain/kinds/kinds.ts'
import { isCarried } from '../../call/leg.ts'
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

/** A call that nobody here holds, by upstream's id, or by ours when upstream's answer never came. */
export type OrphanCall = { readonly externalCallId: string } | { readonly callRef: CallId }

export type Closing =
  | {
      readonly kind: 'closed'
      /** Calls whose rows are closed, and that may go on upstream. */
      readonly orphans: readonly OrphanCall[]
      /** Calls that live on; their rows stay unchanged. */
      readonly resumable: readonly Call[]
    }
  | { readonly kind: 'fenced' | 'failed' }

/** Closes one row that has no actor. A row that changed meanwhile stays as it is. */
async function closeRow({ calls, media, fence }: OrphanPorts, call: Call, errorCode: FailureCode, nowMs: number) {
  if (!isLive(call.status)) return 'applied'
  const endedAt = new Date(nowMs)
  const errorMessage = FAILURES[errorCode]
  const seconds = call.connectedAt === null ? null : durationSeconds(call.connectedAt, endedAt)
  const { externalCallId, media: carrier, connectedAt } = call
  const event = callEvent(
    'call.ended',
    { ...call, startedAt: call.startedAt ?? call.createdAt },
    {
      status: 'FAILED',
      externalCallId,
      media: carrier,
      connectedAt,
      endedAt,
      durationSeconds: seconds,
      errorCode,
      errorMessage,
      isRecorded: call.recording === 'ASKED',
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
  if (result === 'applied' && isCarried(call))
    media.close(call.id, {
      status: 'FAILED',
      reason: errorCode,
      fence: fence.token,
      ...(seconds === null ? {} : { durationSeconds: seconds }),
    })
  return result
}

/**
 * Sets aside a call whose row cannot be closed for a reason of its own. The row stays and is no longer found, so that
 * the number starts without it. False when that could not be stored.
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
  log.error({ numberId, callId, reason: fault.reason }, 'a call could not be closed and is set aside')
  const item = { ...fault, line: 'live-calls', item: callId, tenantId, numberId, accountId: null } as const
  const noted = await persist(ports, 'set call aside', () => setAside.note(item, '{}'))
  if (noted) media.close(callId, { status: 'FAILED', reason: errorCode, fence: token })
  return noted !== null
}

/**
 * Whether a call outlived its actor. It needs an upstream id, because events of a call without one cannot be matched. A
 * call with a leg of ours also needs a host that outlives its node. The host then has the leg, or, while the call rings
 * for us, at most the sockets that wait for it.
 */
function livesOn(call: Call, outlives: boolean): boolean {
  if (call.externalCallId === null) return false
  return (
    !isCarried(call)
    || (outlives
      && (call.mediaHost !== null
        || (call.direction === 'INBOUND' && call.status === 'RINGING' && call.sdpOffer !== null)))
  )
}

/**
 * Closes the rows of calls that nobody holds as FAILED with `errorCode`, and answers the calls to hang up and those
 * that live on. `canGoOn` says that an actor of a call with a leg of ours would have a session.
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
    else if (kindOf(call).can.callAudio) orphans.push({ callRef: call.id })
  }
  return { kind: 'closed', orphans, resumable }
}
