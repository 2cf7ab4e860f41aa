import { listIn } from '../../../domain/json-fields.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import type { UpstreamFlow } from '../../../ports/official/flows.ts'
import { idIn, objectIn, shownNameIn, textIn, wordIn } from '../values/loose.ts'

/**
 * Fields read of a Flow. They are named, because upstream shows few by itself. The preview is shown as it is:
 * `invalidate(true)` would end one that somebody may be looking at.
 */
export const FLOW_FIELDS =
  'id,name,categories,preview.invalidate(false),status,validation_errors,json_version,health_status'

/** A Flow as upstream shows it; null without id or name. */
export function shownFlow(fields: Fields): UpstreamFlow | null {
  const externalId = idIn(fields)
  const name = shownNameIn(fields, 'name')
  if (externalId === null || name === null) return null
  return {
    externalId,
    name,
    status: wordIn(fields, 'status') ?? 'UNKNOWN',
    categories: categoriesIn(fields),
    jsonVersion: textIn(fields, 'json_version'),
    validationErrors: listIn(fields, 'validation_errors'),
    health: wordIn(objectIn(fields, 'health_status'), 'can_send_message'),
    previewUrl: textIn(objectIn(fields, 'preview'), 'preview_url'),
  }
}

function categoriesIn(fields: Fields): string[] {
  const { categories } = fields
  return Array.isArray(categories)
    ? categories.filter((one) => typeof one === 'string').map((one) => one.trim().toUpperCase())
    : []
}
