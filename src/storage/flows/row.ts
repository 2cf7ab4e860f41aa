import type { Flow } from '../../domain/flow.ts'
import type { FlowPatch, NewFlow, StoredFlow } from '../../ports/stores/flow-store.ts'
import { rowsOf, type RecordOf, type RowOf } from '../engine/rows-of.ts'
import { FlowEntity, FlowSightingEntity } from './entity.ts'

/** Every column of Flows, but for the endpoint of their phones. */
export const FLOWS = rowsOf(FlowEntity).without('endpointUrl', 'sealedEndpointSecret')
/** What clients are shown; lists read nothing else. */
const SHOWN = FLOWS.without('tenantId', 'accountId', 'statusAt', 'ask', 'askedUntil', 'askTries', 'nameHeldUntil')
/** What a change may write. */
export const WRITTEN = FLOWS.without('id', 'tenantId', 'accountId', 'createdAt')

/** Columns of `flows`, and the same of Flows `f`. */
export const { columns: C } = FLOWS
export const F = FLOWS.of('f')
/** Columns of `flow_sightings`. */
export const { columns: S } = rowsOf(FlowSightingEntity)
/** What reads select of Flows `f`. */
export const ALL_COLUMNS = FLOWS.list('f')
export const SHOWN_COLUMNS = SHOWN.list('f')

type FlowRecord = Omit<RecordOf<typeof FlowEntity>, 'endpointUrl' | 'sealedEndpointSecret'>
/** Rows as they come: of everything, and of what clients are shown. */
export type FlowRow = RowOf<FlowRecord>
export type ShownFlowRow = RowOf<Omit<Flow, 'officialFlowId'> & Pick<FlowRecord, 'externalId'>>

export function toRecord({ owner, officialFlowId, ...fields }: StoredFlow): FlowRecord {
  return { ...fields, ...owner, externalId: officialFlowId }
}

export function toShown(row: ShownFlowRow): Flow {
  const { externalId, ...fields } = SHOWN.read(row)
  return { ...fields, officialFlowId: externalId }
}

export function toStored(row: FlowRow): StoredFlow {
  const { tenantId, accountId, externalId, ...fields } = FLOWS.read(row)
  return { ...fields, owner: { tenantId, accountId }, officialFlowId: externalId }
}

export function newRow(flow: NewFlow, nowMs: number): StoredFlow {
  return { ...flow, askedUntil: flow.ask === null ? null : flow.askedUntil, updatedAt: new Date(nowMs) }
}

export function patched(row: StoredFlow, patch: FlowPatch, nowMs: number): StoredFlow {
  return newRow({ ...row, ...patch }, nowMs)
}
