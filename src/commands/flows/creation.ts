import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { nameFault } from '../../domain/flow-form.ts'
import { refuseFlow } from '../../domain/flow-refusals.ts'
import { flowRefusalOf, mayBeTaken } from '../../domain/flow-upstream.ts'
import type { FlowsPort, UpstreamFlow } from '../../ports/official/flows.ts'
import type { UpstreamNo } from '../../ports/official/write.ts'
import type { FlowPatch, StoredFlow } from '../../ports/stores/flow-store.ts'
import { ASK_MS, SETTLED } from '../official/asking.ts'
import { settleWith } from './asking.ts'
import { isNamed, lookUp } from './look-up.ts'
import { patchFrom } from './merge.ts'
import { heldFrom, isNameHeld } from './name-hold.ts'
import type { FlowPorts } from './ports.ts'

/** What came of creating a Flow upstream. */
export type BroughtUp =
  | { readonly kind: 'up'; readonly flow: StoredFlow }
  /** Upstream decided against it, so it does not exist there. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** It does not exist there, and a later try may work. */
  | { readonly kind: 'absent'; readonly refusal: Refusal }
  /** Nobody can tell now whether it exists there. */
  | { readonly kind: 'open'; readonly refusal: Refusal }

/** Our choice: when a look-up after a lost answer does not find the Flow, it is asked for once more. */
const TRIES = 2

/** Another Flow of the account has the name ([flows.errors.8]). */
export const NAME_TAKEN: Refusal = nameFault('NOT_UNIQUE', 'another Flow of the account has it')

/**
 * Has upstream make the Flow of a row that waits for it, or adopts the Flow that an earlier request of this row made:
 * upstream's create is not idempotent. `isFirst`: no earlier request of this row may have made it. The row keeps its
 * name for as long as a request whose answer was lost may still take effect.
 */
export async function bringUp(
  ports: FlowPorts,
  row: StoredFlow,
  port: FlowsPort,
  isFirst: boolean,
): Promise<BroughtUp> {
  const before = isFirst ? null : await adoptedFor(ports, row, port)
  if (before) return before
  const source = await sourceOf(ports, row)
  // The Flow to clone is gone; an earlier request may have made the clone before that.
  if (!source.ok) return { kind: isNameHeld(row, ports.clock.now()) ? 'open' : 'refused', refusal: source.error }
  let [isLost, nameHeldUntil, last] = [!isFirst, row.nameHeldUntil, NAME_TAKEN]
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const untilLate = await aboutToSend(ports, row)
    const made = await port.create({ name: row.name, categories: row.categories, cloneOf: source.value })
    if (made.kind === 'done') return upWith(ports, row, made.value.externalId, { nameHeldUntil })
    if (made.kind !== 'unknown') await holdName(ports, row, nameHeldUntil)
    if (made.kind === 'refused') return refusedBy(ports, row, port, made.no, isLost)
    last = made.refusal
    if (made.kind === 'unsent' && last.code !== 'OFFICIAL_ERROR')
      return { kind: isLost ? 'open' : 'absent', refusal: last }
    // When no earlier answer was lost, a Flow that is found is the only one there can be, so its name need not be held.
    const came = await adoptedFor(ports, row, port, isLost ? {} : { nameHeldUntil: null })
    if (came) return came.kind === 'open' ? { kind: 'open', refusal: last } : came
    if (made.kind === 'unknown') [isLost, nameHeldUntil] = [true, untilLate]
  }
  return { kind: 'absent', refusal: last }
}

/**
 * Says in the row that this caller goes on asking, and that the refusal before is in doubt again. Answers until when
 * the request may take effect.
 */
async function aboutToSend({ flows, clock }: FlowPorts, { id }: StoredFlow): Promise<Date> {
  const [askedUntil, nameHeldUntil] = [new Date(clock.now() + ASK_MS), heldFrom(clock.now())]
  await flows.change(id, () => ({ kind: 'CHANGE', patch: { askedUntil, nameHeldUntil, syncError: null } }))
  return nameHeldUntil
}

/**
 * The last request was refused, so it creates nothing. An earlier one may still take effect, so the name stays
 * reserved.
 */
async function holdName({ flows }: FlowPorts, { id }: StoredFlow, nameHeldUntil: Date | null): Promise<void> {
  await flows.change(id, () => ({ kind: 'CHANGE', patch: { nameHeldUntil } }))
}

/** Upstream's id of the Flow whose document the row clones; null when it clones none. */
async function sourceOf({ flows }: FlowPorts, { clonedFromFlowId }: StoredFlow): Promise<Outcome<string | null>> {
  if (clonedFromFlowId === null) return succeed(null)
  const source = await flows.change(clonedFromFlowId, () => ({ kind: 'KEEP' }))
  const externalId = source?.flow.officialFlowId ?? null
  return externalId === null ? fail(refuseFlow('FLOW_CLONE_SOURCE_INVALID')) : succeed(externalId)
}

/** Adopts the Flow that a request of this row has made; answers null when there is none. `more` is written with it. */
export async function adoptedFor(
  ports: FlowPorts,
  row: StoredFlow,
  port: FlowsPort,
  more: FlowPatch = {},
): Promise<BroughtUp | null> {
  const named = await lookUp(port, isNamed(row.name))
  if (!named.ok) return { kind: 'open', refusal: named.error }
  const ours = await unknownOf(ports, row, named.value)
  return ours
    ? upWith(ports, row, ours.externalId, { ...patchFrom(row, ours, new Date(ports.clock.now())), ...more })
    : null
}

/** The one of these Flows that was unknown before the row was made, and that no client has created since. */
async function unknownOf(
  { flows }: FlowPorts,
  { owner, createdAt }: StoredFlow,
  named: readonly UpstreamFlow[],
): Promise<UpstreamFlow | null> {
  if (named.length === 0) return null
  const known = await flows.known(
    owner.accountId,
    named.map(({ externalId }) => externalId),
    createdAt,
  )
  return named.find(({ externalId }) => !known.has(externalId)) ?? null
}

/** Upstream says that the name is taken: a lost request of this row may have taken it. */
async function refusedBy(
  ports: FlowPorts,
  row: StoredFlow,
  port: FlowsPort,
  no: UpstreamNo,
  isLost: boolean,
): Promise<BroughtUp> {
  const refused = { kind: 'refused', refusal: flowRefusalOf(no) } as const
  if (!mayBeTaken(no.upstreamCode)) return refused
  const named = await lookUp(port, isNamed(row.name))
  if (!named.ok) return isLost ? { kind: 'open', refusal: named.error } : refused
  if (named.value.length === 0) return refused
  const ours = isLost ? await unknownOf(ports, row, named.value) : null
  return ours
    ? upWith(ports, row, ours.externalId, patchFrom(row, ours, new Date(ports.clock.now())))
    : { kind: 'refused', refusal: NAME_TAKEN }
}

/**
 * Writes upstream's id into the row. When a listing has imported the same Flow meanwhile, the imported row is removed,
 * unless something was asked about it since.
 */
async function upWith(ports: FlowPorts, row: StoredFlow, externalId: string, shown: FlowPatch): Promise<BroughtUp> {
  const settle = () =>
    settleWith(ports, row, () => ({
      kind: 'CHANGE',
      patch: { ...shown, ...SETTLED, officialFlowId: externalId, syncError: null },
    }))
  let settled = await settle()
  if (settled.ok && settled.value.officialFlowId !== externalId) {
    await giveWay(ports, row, externalId)
    settled = await settle()
  }
  if (!settled.ok) return { kind: 'refused', refusal: settled.error }
  return settled.value.officialFlowId === externalId
    ? { kind: 'up', flow: settled.value }
    : { kind: 'refused', refusal: NAME_TAKEN }
}

async function giveWay({ flows }: FlowPorts, { id, owner, createdAt }: StoredFlow, externalId: string): Promise<void> {
  const others = (await flows.ofAccount(owner.accountId, externalId)).filter(
    (one) => one.tenantId === owner.tenantId && one.id !== id,
  )
  for (const other of others)
    await flows.change(other.id, (now) =>
      now.isImported && now.ask === null && now.createdAt >= createdAt ? { kind: 'REMOVE' } : { kind: 'KEEP' },
    )
}
