import type { Flow, FlowCategory, FlowHealth, FlowStatus, FlowSyncError } from '../../domain/flow.ts'
import type { FlowId, TenantId } from '../../domain/ids.ts'
import type { Fields } from '../../domain/json-fields.ts'
import type { FlowAsk, FlowPatch, NewFlow, StoredFlow } from '../../ports/stores/flow-store.ts'
import { fromJson, toDate, toDateOrNull, toJson } from '../engine/rows.ts'

/** What clients are shown of a row; lists read nothing else. */
export interface ShownFlowRow {
  readonly id: FlowId
  readonly name: string
  readonly categories: string
  readonly official_status: FlowStatus
  readonly external_id: string | null
  readonly json_version: string
  readonly health_status: FlowHealth
  readonly validation_errors: string
  readonly preview_url: string | null
  readonly cloned_from_flow_id: FlowId | null
  readonly superseded_by_flow_id: FlowId | null
  readonly sync_error: string | null
  readonly published_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** A row of `flows`, but for the endpoint of its phones. */
export interface FlowRow extends ShownFlowRow {
  readonly tenant_id: TenantId
  readonly account_id: string
  readonly status_at: string | null
  readonly ask: string | null
  readonly asked_until: string | null
  readonly ask_tries: number
  readonly name_held_until: string | null
}

/** Columns that stay as they were made. */
const FIXED = { id: 'text', tenant_id: 'text', account_id: 'text', created_at: 'timestamptz' } as const
/** Columns that clients are shown and that a change may write. */
const SHOWN = {
  name: 'text', categories: 'text', official_status: 'text', external_id: 'text', json_version: 'text', health_status: 'text', validation_errors: 'text', preview_url: 'text',
  cloned_from_flow_id: 'text', superseded_by_flow_id: 'text', sync_error: 'text', published_at: 'timestamptz', updated_at: 'timestamptz',
} as const
/** Further columns that a change may write. */
const HIDDEN = { status_at: 'timestamptz', ask: 'text', asked_until: 'timestamptz', ask_tries: 'integer', name_held_until: 'timestamptz' } as const

/** What a change may write. */
export const WRITTEN = { ...SHOWN, ...HIDDEN }
export const ALL = { ...FIXED, ...WRITTEN }

/** What a read of lists selects of Flows `f`. */
export const SHOWN_COLUMNS = ['id', 'created_at', ...Object.keys(SHOWN)].map((name) => `f.${name}`).join(', ')
/** What any other read selects of Flows `f`. */
export const ALL_COLUMNS = Object.keys(ALL).map((name) => `f.${name}`).join(', ')

/** A Flow as its columns; `null` also where a text is JSON. */
export type FlowRecord = Readonly<Record<keyof typeof ALL, string | number | null>>

export function toRecord(flow: StoredFlow): FlowRecord {
  const iso = (date: Date | null) => date?.toISOString() ?? null
  return {
    id: flow.id, tenant_id: flow.owner.tenantId, account_id: flow.owner.accountId, name: flow.name, categories: JSON.stringify(flow.categories),
    official_status: flow.officialStatus, external_id: flow.officialFlowId, json_version: flow.jsonVersion, health_status: flow.healthStatus,
    validation_errors: JSON.stringify(flow.validationErrors), preview_url: flow.previewUrl, cloned_from_flow_id: flow.clonedFromFlowId,
    superseded_by_flow_id: flow.supersededByFlowId, sync_error: toJson(flow.syncError), status_at: iso(flow.statusAt), ask: toJson(flow.ask),
    asked_until: iso(flow.askedUntil), ask_tries: flow.askTries, name_held_until: iso(flow.nameHeldUntil), published_at: iso(flow.publishedAt), created_at: flow.createdAt.toISOString(), updated_at: flow.updatedAt.toISOString(),
  }
}

export function toShown(row: ShownFlowRow): Flow {
  return {
    id: row.id, officialFlowId: row.external_id, name: row.name, officialStatus: row.official_status, categories: JSON.parse(row.categories) as FlowCategory[],
    jsonVersion: row.json_version, healthStatus: row.health_status, validationErrors: JSON.parse(row.validation_errors) as Fields[], previewUrl: row.preview_url,
    clonedFromFlowId: row.cloned_from_flow_id, supersededByFlowId: row.superseded_by_flow_id, syncError: fromJson<FlowSyncError>(row.sync_error),
    publishedAt: toDateOrNull(row.published_at), createdAt: toDate(row.created_at), updatedAt: toDate(row.updated_at),
  }
}

export function toStored(row: FlowRow): StoredFlow {
  return {
    ...toShown(row), owner: { tenantId: row.tenant_id, accountId: row.account_id }, statusAt: toDateOrNull(row.status_at), ask: fromJson<FlowAsk>(row.ask),
    askedUntil: toDateOrNull(row.asked_until), askTries: row.ask_tries, nameHeldUntil: toDateOrNull(row.name_held_until),
  }
}

export function newRow(flow: NewFlow, nowMs: number): StoredFlow {
  return { ...flow, askedUntil: flow.ask === null ? null : flow.askedUntil, updatedAt: new Date(nowMs) }
}

export function patched(row: StoredFlow, patch: FlowPatch, nowMs: number): StoredFlow {
  return newRow({ ...row, ...patch }, nowMs)
}
