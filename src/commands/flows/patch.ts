import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { GivenFlowPatch } from '../../domain/flow-form.ts'
import { flowCategoriesOf, mayBeTaken } from '../../domain/flow-upstream.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { FlowsPort, UpstreamFlow } from '../../ports/official/flows.ts'
import type { UpstreamNo } from '../../ports/official/write.ts'
import type { FlowPatch, StoredFlow } from '../../ports/stores/flow-store.ts'
import { onceMarked } from '../official/ask.ts'
import { NAME_TAKEN } from './creation.ts'
import { NO_SUCH_FLOW } from './find.ts'
import { isNamed, lookUp } from './look-up.ts'
import { heldRefusal } from './name-hold.ts'
import type { FlowPorts } from './ports.ts'
import { beginWrite, draftRefusal, openFlow, readied } from './ready.ts'
import type { Begun } from './ready.ts'
import { settleWrite } from './written.ts'

/**
 * Changes name or categories of a draft ([flows.routes.5]). A Flow that upstream refused is asked for again with the
 * new ones.
 */
export async function patchFlow(
  ports: FlowPorts,
  number: NumberRef,
  id: string,
  given: GivenFlowPatch,
): Promise<Outcome<StoredFlow>> {
  const opened = await openFlow(ports, number, id, draftRefusal)
  if (!opened.ok) return opened
  const { row, port } = opened.value
  if (row.officialFlowId === null && row.ask === null) {
    const anew = await askAnew(ports, row, port, given)
    // An earlier try may have made it with the old name or categories.
    if (!anew.ok || isAsGiven(anew.value, given)) return onceMarked(ports, anew)
  }
  const begun = await beginWrite(
    ports,
    opened.value,
    { kind: 'UPDATE', ...given },
    (now) => draftRefusal(now) ?? renameRefusal(ports, now, given),
  )
  return onceMarked(ports, begun.ok ? await update(ports, begun.value, given) : begun)
}

/** Refuses another name for as long as a late creation may take the present one. */
function renameRefusal({ clock }: FlowPorts, row: StoredFlow, { name }: GivenFlowPatch): Refusal | null {
  return name === null || name === row.name ? null : heldRefusal(row, clock.now())
}

function patchOf({ name, categories }: GivenFlowPatch): Pick<FlowPatch, 'name' | 'categories'> {
  return { ...(name === null ? {} : { name }), ...(categories === null ? {} : { categories }) }
}

async function update(ports: FlowPorts, begun: Begun, given: GivenFlowPatch): Promise<Outcome<StoredFlow>> {
  return settleWrite(ports, begun, await begun.port.update(begun.externalId, patchOf(given)), {
    patchOf: () => patchOf(given),
    isDone: (shown) => isAsGiven(shown, given),
    stateCode: 'FLOW_NOT_DRAFT',
    refusalFor: (no) => nameRefusal(begun, given, no),
  })
}

function isAsGiven(shown: Pick<UpstreamFlow, 'name' | 'categories'>, { name, categories }: GivenFlowPatch): boolean {
  const has = new Set(flowCategoriesOf(shown.categories))
  return (
    (name === null || isNamed(name)(shown))
    && (categories === null || (has.size === categories.length && categories.every((one) => has.has(one))))
  )
}

async function nameRefusal(
  { port, externalId }: Begun,
  { name }: GivenFlowPatch,
  { upstreamCode }: UpstreamNo,
): Promise<Refusal | null> {
  if (name === null || !mayBeTaken(upstreamCode)) return null
  const named = await lookUp(port, isNamed(name))
  return named.ok && named.value.some((one) => one.externalId !== externalId) ? NAME_TAKEN : null
}

async function askAnew(
  ports: FlowPorts,
  row: StoredFlow,
  port: FlowsPort,
  given: GivenFlowPatch,
): Promise<Outcome<StoredFlow>> {
  let refusal: Refusal | null = null
  const changed = await ports.flows.change(row.id, (now) => {
    refusal = renameRefusal(ports, now, given)
    return refusal === null && now.officialFlowId === null && now.ask === null
      ? { kind: 'CHANGE', patch: patchOf(given) }
      : { kind: 'KEEP' }
  })
  if (!changed || refusal) return fail(refusal ?? NO_SUCH_FLOW)
  // Another Flow that waits for upstream has that name.
  if (given.name !== null && changed.flow.name !== given.name) return fail(NAME_TAKEN)
  const up = await readied(ports, changed.flow, port)
  return up.ok ? succeed(up.value) : up
}
