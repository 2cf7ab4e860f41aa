import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { FlowsPort, UpstreamFlow } from '../../ports/official/flows.ts'
import type { StoredFlow } from '../../ports/stores/flow-store.ts'
import { onceMarked, upstreamOfNumber } from '../official/ask.ts'
import { readUntilCurrent } from '../official/read-until-current.ts'
import type { IsNewer } from '../official/read-until-current.ts'
import { NO_SUCH_FLOW } from './find.ts'
import { lookUp } from './look-up.ts'
import { fateFrom } from './merge.ts'
import type { FlowPorts } from './ports.ts'

/**
 * Reads a Flow upstream now ([flows.routes.4]). A draft that upstream no longer has is removed; a Flow that was
 * published stays, with its answers. A Flow that is being asked about, or waits for upstream, is answered as it is.
 */
export async function refreshFlow(ports: FlowPorts, number: NumberRef, row: StoredFlow): Promise<Outcome<StoredFlow>> {
  const { officialFlowId } = row
  if (officialFlowId === null || row.ask !== null) return succeed(row)
  const upstream = await upstreamOfNumber(ports, number)
  if (!upstream.ok) return upstream
  const { flows } = upstream.value.upstream
  const taken = await readUntilCurrent(
    ports.clock,
    () => readWherever(flows, officialFlowId),
    (shown, isNewer) => takeOver(ports, row, shown, isNewer),
  )
  return taken.ok ? taken.value : onceMarked(ports, taken)
}

/** Reads by id, and when that shows nothing, in the listing: only the listing proves that the Flow is gone. */
async function readWherever(port: FlowsPort, externalId: string): Promise<Outcome<UpstreamFlow | null>> {
  const byId = await port.read(externalId)
  if (!byId.ok || byId.value) return byId
  const found = await lookUp(port, (flow) => flow.externalId === externalId)
  return found.ok ? succeed(found.value[0] ?? null) : found
}

async function takeOver(
  { flows, clock }: FlowPorts,
  { id }: StoredFlow,
  shown: UpstreamFlow | null,
  isNewer: IsNewer,
): Promise<Outcome<StoredFlow>> {
  const changed = await flows.change(id, (now) => {
    if (now.ask !== null || isNewer(now)) return { kind: 'KEEP' }
    if (shown) return fateFrom(now, shown, new Date(clock.now()))
    return now.officialStatus === 'DRAFT' ? { kind: 'REMOVE' } : { kind: 'KEEP' }
  })
  return changed && !changed.isRemoved ? succeed(changed.flow) : fail(NO_SUCH_FLOW)
}
