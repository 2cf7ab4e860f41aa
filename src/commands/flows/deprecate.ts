import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { refuseFlow } from '../../domain/flow-refusals.ts'
import { flowStatusOf } from '../../domain/flow-upstream.ts'
import type { FlowId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { StoredFlow } from '../../ports/stores/flow-store.ts'
import { onceMarked } from '../official/ask.ts'
import { NO_SUCH_FLOW } from './find.ts'
import type { FlowPorts } from './ports.ts'
import { beginWrite, openFlow } from './ready.ts'
import { successorOf } from './settling.ts'
import { settleWrite } from './written.ts'

function publishedRefusal({ officialStatus }: StoredFlow): Refusal | null {
  return officialStatus === 'DRAFT' ? refuseFlow('FLOW_NOT_PUBLISHED', { officialStatus }) : null
}

/** A Flow whose publication was asked for may be published meanwhile, so its stored status refuses nothing. */
function knownRefusal(row: StoredFlow): Refusal | null {
  return row.ask?.kind === 'PUBLISH' ? null : publishedRefusal(row)
}

/**
 * Deprecates a published Flow, which keeps its answers ([flows.routes.9]); a deprecated one stays so
 * ([flows.states.6]). `successorId`: null names none, and a successor that was named before stays.
 */
export async function deprecateFlow(
  ports: FlowPorts,
  number: NumberRef,
  id: string,
  successorId: string | null,
): Promise<Outcome<StoredFlow>> {
  const successor = await successorNamed(ports, number, id, successorId)
  if (!successor.ok) return successor
  const ask = { kind: 'DEPRECATE' as const, supersededByFlowId: successor.value }
  const opened = await openFlow(ports, number, id, knownRefusal)
  if (!opened.ok) return opened
  const { row } = opened.value
  if (row.officialStatus === 'DEPRECATED' && row.ask === null) return nameSuccessor(ports, row, ask)
  const begun = await beginWrite(ports, opened.value, ask, publishedRefusal)
  if (!begun.ok) return onceMarked(ports, begun)
  const { port, externalId } = begun.value
  return onceMarked(
    ports,
    await settleWrite(ports, begun.value, await port.deprecate(externalId), {
      patchOf: () => ({ officialStatus: 'DEPRECATED', ...successorOf(ask) }),
      isDone: ({ status }) => flowStatusOf(status) === 'DEPRECATED',
      stateCode: 'FLOW_NOT_PUBLISHED',
    }),
  )
}

async function successorNamed(
  { flows }: FlowPorts,
  number: NumberRef,
  id: string,
  successorId: string | null,
): Promise<Outcome<FlowId | null>> {
  if (successorId === null) return succeed(null)
  const successor = successorId === id ? null : await flows.find(number, successorId)
  return successor ? succeed(successor.id) : fail(refuseFlow('FLOW_DEPRECATE_INVALID_SUCCESSOR'))
}

async function nameSuccessor(
  { flows }: FlowPorts,
  row: StoredFlow,
  ask: Parameters<typeof successorOf>[0],
): Promise<Outcome<StoredFlow>> {
  const changed = await flows.change(row.id, () =>
    ask.supersededByFlowId === null ? { kind: 'KEEP' } : { kind: 'CHANGE', patch: successorOf(ask) },
  )
  return changed ? succeed(changed.flow) : fail(NO_SUCH_FLOW)
}
