import { randomUUID } from 'node:crypto'
import { pick, type Fields } from '../http/fields.ts'
import { managed } from '../http/graph-error.ts'
import type { FlowStatus, PlatformFlow } from './flow.ts'

/** Upstream's lifetime of a preview, ms. */
const PREVIEW_MS = 30 * 86_400_000
/** Fields shown when none are named. */
const DEFAULT_FIELDS = ['id', 'name', 'status', 'categories', 'validation_errors']

const CAN_SEND: Readonly<Record<FlowStatus, string>> = {
  DRAFT: 'AVAILABLE',
  PUBLISHED: 'AVAILABLE',
  THROTTLED: 'LIMITED',
  BLOCKED: 'BLOCKED',
  DEPRECATED: 'BLOCKED',
}

function healthOf({ id, accountId, status }: PlatformFlow, appId: string): object {
  const canSend = CAN_SEND[status]
  const errors =
    canSend === 'AVAILABLE'
      ? {}
      : {
          errors: [
            {
              error_code: 131000,
              error_description: `The Flow is in status ${status}.`,
              possible_solution: 'Correct the Flow, or send another one.',
            },
          ],
        }
  return {
    can_send_message: canSend,
    entities: [
      { entity_type: 'FLOW', id, can_send_message: canSend, ...errors },
      { entity_type: 'WABA', id: accountId, can_send_message: 'AVAILABLE' },
      { entity_type: 'APP', id: appId, can_send_message: 'AVAILABLE' },
    ],
  }
}

/** The present preview, or a new one when it has expired or `isInvalidated`. */
function previewOf(flow: PlatformFlow, nowMs: number, isInvalidated: boolean): object {
  const { id, preview: before } = flow
  const preview =
    before && nowMs < before.expiresAtMs && !isInvalidated
      ? before
      : { token: randomUUID(), expiresAtMs: nowMs + PREVIEW_MS }
  flow.preview = preview
  const expiresAt = new Date(preview.expiresAtMs).toISOString().replace(/\.\d+Z$/, '+0000')
  return { preview_url: `https://sandbox.invalid/flows/${id}/preview/?token=${preview.token}`, expires_at: expiresAt }
}

/**
 * A Flow as read: the fields asked for, or those that upstream gives by itself. A preview is made when it is asked for.
 */
export function flowFields(
  flow: PlatformFlow,
  query: string | null,
  { appId, nowMs }: { readonly appId: string; readonly nowMs: number },
): Fields {
  // `preview.invalidate(true)` and `health_status.phone_number(1)` are those fields with an argument.
  const names = query?.replaceAll(/\.\w+\([^()]*\)/g, '') ?? null
  if (/\bmetric\b/.test(names ?? ''))
    throw managed(139006, 'Metrics threshold is not reached', 'There is not enough data to show metrics of this Flow.')
  const { id, name, status, categories, endpointUri, applicationId, document, accountId } = flow
  const fields = {
    id,
    name,
    status,
    categories,
    validation_errors: document?.errors ?? [],
    // Absent when there is none.
    json_version: document?.version ?? undefined,
    data_api_version: document?.hasEndpoint ? '3.0' : undefined,
    endpoint_uri: endpointUri ?? undefined,
    data_channel_uri: endpointUri ?? undefined,
    preview: names?.includes('preview')
      ? previewOf(flow, nowMs, /preview\.invalidate\(true\)/.test(query ?? ''))
      : undefined,
    health_status: healthOf(flow, appId),
    whatsapp_business_account: {
      id: accountId,
      name: `Sandbox account ${accountId.slice(-4)}`,
      currency: 'USD',
      timezone_id: '1',
    },
    application: { id: applicationId ?? appId, name: 'Sandbox app' },
  }
  return pick(fields, names, DEFAULT_FIELDS, 'WhatsAppBusinessFlow')
}
