import { succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { FlowId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
import { flowRefusalOf, isOfState } from '../../domain/flow-upstream.ts'
import type { FlowsPort } from '../../ports/official/flows.ts'
import type { StoredFlow } from '../../ports/stores/flow-store.ts'
import { onceMarked } from '../official/ask.ts'
import { inDoubt, letBe } from './asking.ts'
import { adoptedFor } from './creation.ts'
import { isThere } from './look-up.ts'
import { heldRefusal } from './name-hold.ts'
import type { FlowPorts } from './ports.ts'
import { beginWrite, draftRefusal, hold, openFlow } from './ready.ts'
import type { Begun } from './ready.ts'
import { settleWrite } from './written.ts'

/**
 * Removes a draft here and upstream, with its answers; answers its id only when it is gone in both ([flows.routes.10]).
 */
export async function removeFlow(ports: FlowPorts, number: NumberRef, id: string): Promise<Outcome<FlowId>> {
  const opened = await openFlow(ports, number, id, (now) => removalRefusal(ports, now))
  if (!opened.ok) return opened
  let { row, port } = opened.value
  if (row.officialFlowId === null) {
    const unborn = await findUnborn(ports, row, port)
    if (!unborn.ok) return onceMarked(ports, unborn)
    if (unborn.value === null) return gone(ports, row.id)
    row = unborn.value
  }
  const begun = await beginWrite(ports, { row, port }, { kind: 'DELETE' }, (now) => removalRefusal(ports, now))
  return onceMarked(ports, begun.ok ? await remove(ports, begun.value) : begun)
}

/** A name that a late creation may still take is not given up. */
function removalRefusal({ clock }: FlowPorts, row: StoredFlow): Refusal | null {
  return draftRefusal(row) ?? heldRefusal(row, clock.now())
}

/**
 * A Flow that waits for upstream is not created only to be removed; what a lost request has made of it is found.
 * Answers null when there is nothing.
 */
async function findUnborn(ports: FlowPorts, row: StoredFlow, port: FlowsPort): Promise<Outcome<StoredFlow | null>> {
  if (row.ask === null) return succeed(null)
  const held = await hold(ports, row)
  if (!held.ok || held.value.officialFlowId !== null) return held
  const came = await adoptedFor(ports, held.value, port)
  if (came?.kind === 'open') return inDoubt(ports, held.value, came.refusal)
  return succeed(came?.kind === 'up' ? came.flow : null)
}

async function remove(ports: FlowPorts, begun: Begun): Promise<Outcome<FlowId>> {
  const { row, port, externalId } = begun
  const removed = await port.remove(externalId)
  switch (removed.kind) {
    case 'done':
      return gone(ports, row.id)
    case 'unsent':
      return letBe(ports, row, removed.refusal)
    case 'refused': {
      if (isOfState(removed.no.upstreamCode)) {
        const settled = await settleWrite(ports, begun, removed, {
          patchOf: () => ({}),
          isDone: () => false,
          stateCode: 'FLOW_NOT_DRAFT',
        })
        return settled.ok ? succeed(settled.value.id) : settled
      }
      const there = await isThere(port, externalId)
      return there.ok && !there.value ? gone(ports, row.id) : letBe(ports, row, flowRefusalOf(removed.no))
    }
    case 'unknown': {
      const there = await isThere(port, externalId)
      if (!there.ok) return inDoubt(ports, row, removed.refusal)
      return there.value ? letBe(ports, row, removed.refusal) : gone(ports, row.id)
    }
  }
}

async function gone({ flows }: FlowPorts, id: FlowId): Promise<Outcome<FlowId>> {
  await flows.change(id, () => ({ kind: 'REMOVE' }))
  return succeed(id)
}
