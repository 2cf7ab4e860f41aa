import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { GivenFlow } from '../../domain/flow-form.ts'
import { refuseFlow } from '../../domain/flow-refusals.ts'
import { newId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { FlowOwner, NewFlow, StoredFlow } from '../../ports/stores/flow-store.ts'
import { onceMarked, upstreamOfNumber } from '../official/ask.ts'
import { ASK_MS, NO_ANSWER } from '../official/asking.ts'
import type { FlowsPort } from '../../ports/official/flows.ts'
import { bringUp, NAME_TAKEN } from './creation.ts'
import type { FlowPorts } from './ports.ts'
import { isNameHeld } from './name-hold.ts'
import { readBack } from './read-back.ts'

/**
 * Creates a Flow ([flows.routes.2]). When upstream cannot be reached, the Flow is answered without upstream's id and is
 * created there later ([flows.upstream.1], [flows.upstream.3]).
 */
export async function createFlow(ports: FlowPorts, number: NumberRef, given: GivenFlow): Promise<Outcome<StoredFlow>> {
  const source = await sourceOf(ports, number, given.cloneFromFlowId)
  if (!source.ok) return source
  const [owner, upstream] = [await ports.flows.ownerOf(number), await upstreamOfNumber(ports, number)]
  if (!upstream.ok) return upstream
  if (!owner) return fail(refuseFlow('FLOW_REQUIRES_OFFICIAL_NUMBER'))
  // The row comes before the request: if the process ends here, the row says what may exist upstream.
  const made = await ports.flows.create(newRow(given, owner, source.value, ports.clock.now()))
  if (made.kind === 'gone') return fail(refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile'))
  if (made.kind === 'taken') return fail(NAME_TAKEN)
  return onceMarked(ports, await createUpstream(ports, made.flow, upstream.value.upstream.flows))
}

async function createUpstream(ports: FlowPorts, row: StoredFlow, port: FlowsPort): Promise<Outcome<StoredFlow>> {
  const came = await bringUp(ports, row, port, true)
  switch (came.kind) {
    case 'up':
      return succeed(await readBack(ports, came.flow, port))
    case 'open': {
      const waiting = await ports.flows.change(row.id, () => ({
        kind: 'CHANGE',
        patch: { askedUntil: new Date(ports.clock.now()) },
      }))
      return waiting ? succeed(waiting.flow) : fail(came.refusal)
    }
    default: {
      const removed = await ports.flows.change(row.id, () => ({ kind: 'REMOVE' }))
      // An earlier request may still create it, unless another Flow has the name: no other refusal is a certain answer.
      const isHeld = came.refusal !== NAME_TAKEN && removed !== null && isNameHeld(removed.flow, ports.clock.now())
      return fail(isHeld ? NO_ANSWER : came.refusal)
    }
  }
}

/**
 * The Flow to clone; null when none is named. Refusal: FLOW_CLONE_SOURCE_INVALID when the account has no such Flow, or
 * it has not reached upstream.
 */
async function sourceOf(
  { flows }: FlowPorts,
  number: NumberRef,
  id: string | null,
): Promise<Outcome<StoredFlow | null>> {
  if (id === null) return succeed(null)
  const source = await flows.find(number, id)
  if (!source) return fail(refuseFlow('FLOW_CLONE_SOURCE_INVALID', { reason: 'NOT_FOUND' }))
  return source.officialFlowId === null
    ? fail(
        refuseFlow('FLOW_CLONE_SOURCE_INVALID', { reason: 'NOT_UPSTREAM' }, 'it has not reached the official platform'),
      )
    : succeed(source)
}

function newRow({ name, categories }: GivenFlow, owner: FlowOwner, source: StoredFlow | null, nowMs: number): NewFlow {
  return {
    id: newId('flow'),
    owner,
    officialFlowId: null,
    name,
    officialStatus: 'DRAFT',
    categories: categories ?? source?.categories ?? ['OTHER'],
    jsonVersion: '',
    healthStatus: 'UNKNOWN',
    validationErrors: [],
    previewUrl: null,
    clonedFromFlowId: source?.id ?? null,
    supersededByFlowId: null,
    syncError: null,
    publishedAt: null,
    createdAt: new Date(nowMs),
    statusAt: null,
    ask: { kind: 'CREATE' },
    askedUntil: new Date(nowMs + ASK_MS),
    askTries: 0,
    nameHeldUntil: null,
    isImported: false,
  }
}
