import type { Flow } from '../../domain/flow.ts'
import type { FlowPatch, NewFlow, StoredFlow } from '../../ports/stores/flow-store.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { FlowEntity, FlowSightingEntity } from './entity.ts'

/** Every column of Flows except those of the endpoint. */
export const FLOWS = rowsOf(FlowEntity).without('endpointUrl', 'sealedEndpointSecret')
/** The columns that clients are shown; lists read nothing else. */
const SHOWN = FLOWS.without(
  'tenantId',
  'accountId',
  'statusAt',
  'ask',
  'askedUntil',
  'askTries',
  'nameHeldUntil',
  'isImported',
)
/** The columns that a change may write. */
export const WRITTEN = FLOWS.without('id', 'tenantId', 'accountId', 'createdAt')

/** Columns of `flows`, plain and with the alias `f`. */
export const { columns: C } = FLOWS
export const F = FLOWS.of('f')
/** Columns of `flow_sightings`. */
export const { columns: S } = rowsOf(FlowSightingEntity)
/** What reads select of Flows `f`. */
export const ALL_COLUMNS = FLOWS.list('f')
export const SHOWN_COLUMNS = SHOWN.list('f')

/** Rows as SQL answers them: with every column, and with those that clients are shown. */
export type FlowRow = RowIn<typeof FLOWS>
export type ShownFlowRow = RowIn<typeof SHOWN>

export function toRecord({ owner, officialFlowId, ...fields }: StoredFlow): ReturnType<typeof FLOWS.read> {
  return { ...fields, ...owner, externalId: officialFlowId }
}

export const toShown: (row: ShownFlowRow) => Flow = SHOWN.reader({ externalId: 'officialFlowId' })

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
