import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { checkFlowDocument } from '../../domain/flow-document.ts'
import type { Fields } from '../../domain/json-fields.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { StoredFlow } from '../../ports/stores/flow-store.ts'
import { onceMarked, upstreamOfNumber } from '../official/ask.ts'
import { SETTLED } from '../official/asking.ts'
import { readUntilCurrent } from '../official/read-until-current.ts'
import { inDoubt, letBe, settleWith } from './asking.ts'
import { findFlow } from './find.ts'
import { fateFrom } from './merge.ts'
import type { FlowPorts } from './ports.ts'
import { beginWrite, draftRefusal, openFlow } from './ready.ts'
import type { Begun } from './ready.ts'
import { settleShown, settleWrite, whenValid } from './written.ts'

/** Answers the document, or the refusal that says what is wrong with it. */
export type CheckDocument = (flowJson: string) => Promise<Outcome<string>> | Outcome<string>

/**
 * Gives a draft its document ([flows.routes.7], [flows.document.4]). Refusal FLOW_JSON_INVALID for what upstream finds
 * wrong, although upstream has taken the document: it is the draft's then, and the Flow shows what is wrong
 * ([flows.document.5]). `check` looks at a large document, once there is a draft to give it to.
 */
export async function uploadDocument(
  ports: FlowPorts,
  number: NumberRef,
  id: string,
  flowJson: string,
  check: CheckDocument = checkFlowDocument,
): Promise<Outcome<StoredFlow>> {
  const opened = await openFlow(ports, number, id, draftRefusal)
  if (!opened.ok) return opened
  const checked = await check(flowJson)
  if (!checked.ok) return checked
  const begun = await beginWrite(ports, opened.value, { kind: 'DOCUMENT' }, draftRefusal)
  return onceMarked(ports, begun.ok ? await upload(ports, begun.value, flowJson) : begun)
}

async function upload(ports: FlowPorts, begun: Begun, flowJson: string): Promise<Outcome<StoredFlow>> {
  const uploaded = await begun.port.upload(begun.externalId, flowJson)
  switch (uploaded.kind) {
    case 'done':
      return taken(ports, begun, uploaded.value.validationErrors)
    case 'unknown':
      return settleLost(ports, begun, flowJson, uploaded.refusal)
    default:
      return settleWrite(ports, begun, uploaded, {
        patchOf: () => ({}),
        isDone: () => false,
        stateCode: 'FLOW_NOT_DRAFT',
      })
  }
}

/** Reads the version of the document back; when that fails, the next read of the Flow brings it. */
async function taken(
  ports: FlowPorts,
  { row, port, externalId }: Begun,
  validationErrors: readonly Fields[],
): Promise<Outcome<StoredFlow>> {
  const patch = { validationErrors, ...SETTLED }
  const read = await readUntilCurrent(
    ports.clock,
    () => port.read(externalId),
    (shown, isNewer) =>
      settleWith(ports, row, (now) => {
        if (!shown) return { kind: 'CHANGE', patch }
        return isNewer(now) ? { kind: 'KEEP' } : fateFrom(now, shown, new Date(ports.clock.now()), patch)
      }),
  )
  const settled = read.ok ? read.value : await settleWith(ports, row, () => ({ kind: 'CHANGE', patch }))
  return settled.ok ? whenValid({ ...settled.value, validationErrors }) : settled
}

/**
 * After a lost answer, the bytes that upstream holds tell whether it took the document; then the Flow tells what is
 * wrong with it.
 */
async function settleLost(
  ports: FlowPorts,
  begun: Begun,
  flowJson: string,
  lost: Refusal,
): Promise<Outcome<StoredFlow>> {
  const { row, port, externalId } = begun
  const held = await port.document(externalId)
  if (!held.ok) return inDoubt(ports, row, lost)
  if (held.value !== flowJson) return letBe(ports, row, lost)
  const settled = await readUntilCurrent(
    ports.clock,
    () => port.read(externalId),
    (shown, isNewer) => (shown ? settleShown(ports, begun, shown, null, isNewer) : inDoubt(ports, row, lost)),
  )
  if (!settled.ok) return inDoubt(ports, row, lost)
  return settled.value.ok ? whenValid(settled.value.value) : settled.value
}

/** The document as upstream holds it; null before the first one. */
export async function readDocument(ports: FlowPorts, number: NumberRef, id: string): Promise<Outcome<string | null>> {
  const found = await findFlow(ports, number, id)
  if (!found.ok) return found
  if (found.value.officialFlowId === null) return succeed(null)
  const upstream = await upstreamOfNumber(ports, number)
  return upstream.ok
    ? onceMarked(ports, await upstream.value.upstream.flows.document(found.value.officialFlowId))
    : fail(upstream.error)
}
