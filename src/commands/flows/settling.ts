import { REFUSALS } from '../../domain/errors.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { FlowSyncError } from '../../domain/flow.ts'
import { flowStatusOf } from '../../domain/flow-upstream.ts'
import type { FlowsPort, UpstreamFlow } from '../../ports/official/flows.ts'
import type { FlowAsk, FlowFate, FlowPatch, StoredFlow } from '../../ports/stores/flow-store.ts'
import { SETTLED } from '../official/asking.ts'
import { readUntilCurrent } from '../official/read-until-current.ts'
import { bringUp } from './creation.ts'
import { isThere } from './look-up.ts'
import { fateFrom } from './merge.ts'
import { isNameHeld } from './name-hold.ts'
import type { FlowPorts } from './ports.ts'
import { readBack } from './read-back.ts'

/** What became of an ask that was in doubt. */
export type Settling =
  | { readonly kind: 'settled' }
  /** Upstream refused a Flow that waited for it, and its row says so. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** Nobody can tell now what became of it. */
  | { readonly kind: 'open'; readonly refusal: Refusal }

const DONE: Settling = { kind: 'settled' }

/**
 * Finds out what became of an ask that no request works on: a Flow that waits is created, and for all others upstream
 * shows what was done ([flows.upstream.6]).
 */
export function settleAsk(ports: FlowPorts, row: StoredFlow, ask: FlowAsk, port: FlowsPort): Promise<Settling> {
  if (row.officialFlowId === null) return settleCreation(ports, row, port)
  return ask.kind === 'DELETE'
    ? settleRemoval(ports, row, row.officialFlowId, port)
    : settleByReading(ports, row, row.officialFlowId, ask, port)
}

async function settleCreation(ports: FlowPorts, row: StoredFlow, port: FlowsPort): Promise<Settling> {
  // A Flow that upstream has refused exists nowhere, unless an earlier try of it still takes effect.
  const came = await bringUp(ports, row, port, row.syncError !== null && !isNameHeld(row, ports.clock.now()))
  switch (came.kind) {
    // A clone has a document already, so it is read back.
    case 'up':
      await readBack(ports, came.flow, port)
      return DONE
    case 'refused':
      await ports.flows.change(row.id, () => ({
        kind: 'CHANGE',
        patch: { ...SETTLED, syncError: syncErrorOf(came.refusal) },
      }))
      return came
    default:
      return { kind: 'open', refusal: came.refusal }
  }
}

/** The error under the code that clients see. */
function syncErrorOf({ code, message }: Refusal): FlowSyncError {
  const row: { readonly status: number; readonly shownAs?: string } = REFUSALS[code]
  return { code: row.shownAs ?? code, message }
}

async function settleRemoval(
  { flows }: FlowPorts,
  { id }: StoredFlow,
  externalId: string,
  port: FlowsPort,
): Promise<Settling> {
  const there = await isThere(port, externalId)
  if (!there.ok) return { kind: 'open', refusal: there.error }
  await flows.change(id, () => (there.value ? { kind: 'CHANGE', patch: SETTLED } : { kind: 'REMOVE' }))
  return DONE
}

async function settleByReading(
  ports: FlowPorts,
  row: StoredFlow,
  externalId: string,
  ask: FlowAsk,
  port: FlowsPort,
): Promise<Settling> {
  const read = await readUntilCurrent(
    ports.clock,
    () => port.read(externalId),
    (shown, isNewer) =>
      ports.flows.change(row.id, (now) => {
        if (!shown) return { kind: 'CHANGE', patch: SETTLED }
        return isNewer(now) ? { kind: 'KEEP' } : readFate(ports, now, ask, shown)
      }),
  )
  return read.ok ? DONE : { kind: 'open', refusal: read.error }
}

function readFate({ clock }: FlowPorts, now: StoredFlow, ask: FlowAsk, shown: UpstreamFlow): FlowFate {
  const isDeprecated = ask.kind === 'DEPRECATE' && flowStatusOf(shown.status) === 'DEPRECATED'
  const more: FlowPatch = isDeprecated ? successorOf(ask) : {}
  return fateFrom(now, shown, new Date(clock.now()), { ...SETTLED, ...more })
}

/** What a deprecation writes beside the status; a successor that it does not name stays. */
export function successorOf({ supersededByFlowId }: FlowAsk & { readonly kind: 'DEPRECATE' }): FlowPatch {
  return supersededByFlowId === null ? {} : { supersededByFlowId }
}
