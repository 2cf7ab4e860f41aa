import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { refuseFlow } from '../../domain/flow-refusals.ts'
import { flowRefusalOf, flowStatusOf, isOfState } from '../../domain/flow-upstream.ts'
import type { UpstreamFlow } from '../../ports/official/flows.ts'
import type { UpstreamNo, UpstreamWrite } from '../../ports/official/write.ts'
import type { FlowPatch, StoredFlow } from '../../ports/stores/flow-store.ts'
import { SETTLED } from '../official/asking.ts'
import { readUntilCurrent } from '../official/read-until-current.ts'
import type { IsNewer } from '../official/read-until-current.ts'
import { inDoubt, letBe, settleWith } from './asking.ts'
import { fateFrom } from './merge.ts'
import type { FlowPorts } from './ports.ts'
import type { Begun } from './ready.ts'

/** What a write means to the row. */
export interface Meaning {
  /** The patch once the write is done. */
  patchOf(row: StoredFlow): FlowPatch
  /** Whether what upstream shows is what the write asked for. */
  isDone(shown: UpstreamFlow): boolean
  /** The refusal's code when the state of the Flow does not allow the write. */
  readonly stateCode: 'FLOW_NOT_DRAFT' | 'FLOW_NOT_PUBLISHED'
  /** A more exact refusal for what upstream says; null when there is none. */
  refusalFor?(no: UpstreamNo): Promise<Refusal | null>
}

/**
 * Stores what came of a write, and answers the Flow as it is then. After a lost answer the Flow is read
 * ([flows.upstream.6]).
 */
export async function settleWrite(
  ports: FlowPorts,
  begun: Begun,
  write: UpstreamWrite<unknown>,
  meaning: Meaning,
): Promise<Outcome<StoredFlow>> {
  const { row } = begun
  switch (write.kind) {
    case 'done':
      return settleWith(ports, row, (now) => ({ kind: 'CHANGE', patch: { ...meaning.patchOf(now), ...SETTLED } }))
    case 'unsent':
      return letBe(ports, row, write.refusal)
    case 'refused':
      return isOfState(write.no.upstreamCode)
        ? stateRefused(ports, begun, write.no, meaning)
        : letBe(ports, row, (await meaning.refusalFor?.(write.no)) ?? flowRefusalOf(write.no))
    case 'unknown':
      return settleLost(ports, begun, write.refusal, meaning)
  }
}

async function settleLost(
  ports: FlowPorts,
  begun: Begun,
  lost: Refusal,
  meaning: Meaning,
): Promise<Outcome<StoredFlow>> {
  const { row, port, externalId } = begun
  const settled = await readUntilCurrent(
    ports.clock,
    () => port.read(externalId),
    async (shown, isNewer) => {
      if (!shown) return letBe(ports, row, lost)
      const isDone = meaning.isDone(shown)
      const taken = await settleShown(ports, begun, shown, isDone ? meaning : null, isNewer)
      return taken.ok && !isDone ? fail(lost) : taken
    },
  )
  return settled.ok ? settled.value : inDoubt(ports, row, lost)
}

/**
 * The row takes over what upstream shows, unless the row is newer. `done`: the meaning of the write, null when upstream
 * does not show it done.
 */
export function settleShown(
  ports: FlowPorts,
  { row }: Pick<Begun, 'row'>,
  shown: UpstreamFlow,
  done: Pick<Meaning, 'patchOf'> | null,
  isNewer: IsNewer,
): Promise<Outcome<StoredFlow>> {
  const stated = ({ supersededByFlowId }: FlowPatch): FlowPatch =>
    supersededByFlowId === undefined ? {} : { supersededByFlowId }
  return settleWith(ports, row, (now) =>
    isNewer(now)
      ? { kind: 'KEEP' }
      : fateFrom(now, shown, new Date(ports.clock.now()), { ...(done ? stated(done.patchOf(now)) : {}), ...SETTLED }),
  )
}

/**
 * Reads the state: another state than ours was the reason, otherwise what is wrong with the document
 * ([flows.document.6]).
 */
async function stateRefused(
  ports: FlowPorts,
  begun: Begun,
  no: UpstreamNo,
  meaning: Meaning,
): Promise<Outcome<StoredFlow>> {
  const { row, port, externalId } = begun
  const settled = await readUntilCurrent(
    ports.clock,
    () => port.read(externalId),
    async (shown, isNewer) => {
      if (!shown) return letBe(ports, row, flowRefusalOf(no))
      const isAsked = meaning.stateCode === 'FLOW_NOT_PUBLISHED' && meaning.isDone(shown)
      const taken = await settleShown(ports, begun, shown, isAsked ? meaning : null, isNewer)
      return taken.ok && !isAsked ? fail(stateRefusal(row, shown, no, meaning)) : taken
    },
  )
  return settled.ok ? settled.value : letBe(ports, row, flowRefusalOf(no))
}

function stateRefusal(
  row: StoredFlow,
  { status, validationErrors }: UpstreamFlow,
  no: UpstreamNo,
  { stateCode }: Meaning,
): Refusal {
  const officialStatus = flowStatusOf(status)
  if (officialStatus !== null && officialStatus !== row.officialStatus) return refuseFlow(stateCode, { officialStatus })
  return validationErrors.length > 0 ? refuseFlow('FLOW_JSON_INVALID', validationErrors) : flowRefusalOf(no)
}

/** An invalid document is answered as a refusal, although upstream calls the upload a success. */
export function whenValid(flow: StoredFlow): Outcome<StoredFlow> {
  return flow.validationErrors.length > 0 ? fail(refuseFlow('FLOW_JSON_INVALID', flow.validationErrors)) : succeed(flow)
}
