import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { refuseFlow } from '../../domain/flow-refusals.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { FlowsPort } from '../../ports/official/flows.ts'
import type { FlowAsk, StoredFlow } from '../../ports/stores/flow-store.ts'
import { upstreamOfNumber } from '../official/ask.ts'
import { ASK_MS } from '../official/asking.ts'
import { beginAsk, inDoubt } from './asking.ts'
import { findFlow, NO_SUCH_FLOW } from './find.ts'
import type { FlowPorts } from './ports.ts'
import { settleAsk } from './settling.ts'

/** A write that has begun; the row holds it as its ask. */
export interface Begun {
  readonly row: StoredFlow
  readonly externalId: string
  readonly port: FlowsPort
}

/** Our choice: most requests upstream take no longer. */
const RETRY_SECONDS = 2
const BUSY: Refusal = refuse(
  'BUSY',
  'An earlier request for this Flow is still under way. Try again.',
  undefined,
  RETRY_SECONDS,
)

/** FLOW_NOT_DRAFT when the Flow has left DRAFT. */
export function draftRefusal({ officialStatus }: Pick<StoredFlow, 'officialStatus'>): Refusal | null {
  return officialStatus === 'DRAFT' ? null : refuseFlow('FLOW_NOT_DRAFT', { officialStatus })
}

/**
 * Finds the Flow and its upstream, when the Flow's state allows what is wanted. Refusals: FLOW_NOT_FOUND, that of
 * `refusalOf`, and those of upstreamOfNumber.
 */
export async function openFlow(
  ports: FlowPorts,
  number: NumberRef,
  id: string,
  refusalOf: (row: StoredFlow) => Refusal | null,
): Promise<Outcome<{ readonly row: StoredFlow; readonly port: FlowsPort }>> {
  const found = await findFlow(ports, number, id)
  if (!found.ok) return found
  const refusal = refusalOf(found.value)
  if (refusal) return fail(refusal)
  const upstream = await upstreamOfNumber(ports, number)
  return upstream.ok ? succeed({ row: found.value, port: upstream.value.upstream.flows }) : upstream
}

/**
 * Stores what upstream is about to be asked, once nothing of the Flow is in doubt and upstream has it
 * ([flows.upstream.3]).
 */
export async function beginWrite(
  ports: FlowPorts,
  { row, port }: { readonly row: StoredFlow; readonly port: FlowsPort },
  ask: FlowAsk,
  refusalOf: (row: StoredFlow) => Refusal | null,
): Promise<Outcome<Begun>> {
  const ready = await readied(ports, row, port)
  if (!ready.ok) return ready
  const begun = await beginAsk(ports, ready.value, ask, (now) =>
    now.ask !== null || now.officialFlowId === null ? BUSY : refusalOf(now),
  )
  if (!begun.ok) return begun
  const { officialFlowId } = begun.value
  return officialFlowId === null ? fail(BUSY) : succeed({ row: begun.value, externalId: officialFlowId, port })
}

/**
 * The Flow, once nothing of it is in doubt and upstream has it. Refusals: what upstream says when that fails; BUSY when
 * another request settles it.
 */
export async function readied(ports: FlowPorts, row: StoredFlow, port: FlowsPort): Promise<Outcome<StoredFlow>> {
  if (row.ask === null && row.officialFlowId !== null) return succeed(row)
  const held = await hold(ports, row)
  if (!held.ok) return held
  if (held.value.ask === null) return held
  const settling = await settleAsk(ports, held.value, held.value.ask, port)
  if (settling.kind === 'open') return inDoubt(ports, held.value, settling.refusal)
  if (settling.kind === 'refused') return fail(settling.refusal)
  const after = await ports.flows.change(row.id, () => ({ kind: 'KEEP' }))
  return after ? succeed(after.flow) : fail(NO_SUCH_FLOW)
}

/**
 * Takes over a row that is in doubt. A Flow that upstream refused is asked for again; one that is ready stays as it is.
 */
export async function hold({ flows, clock }: FlowPorts, { id }: StoredFlow): Promise<Outcome<StoredFlow>> {
  let isBusy = false
  const held = await flows.change(id, (now) => {
    const isReady = now.ask === null && now.officialFlowId !== null
    isBusy = now.ask !== null && now.askedUntil !== null && now.askedUntil.getTime() > clock.now()
    return isReady || isBusy
      ? { kind: 'KEEP' }
      : { kind: 'CHANGE', patch: { ask: now.ask ?? { kind: 'CREATE' }, askedUntil: new Date(clock.now() + ASK_MS) } }
  })
  if (!held) return fail(NO_SUCH_FLOW)
  return isBusy ? fail(BUSY) : succeed(held.flow)
}
