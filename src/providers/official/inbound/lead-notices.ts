import type { Fields } from '../../../domain/json-fields.ts'
import type { LeadNotices } from '../../../ports/official/changes.ts'
import type { LeadNotice } from '../../../ports/stores/lead-notice-store.ts'
import { nonZeroIdIn, objectIn, objectsIn } from '../values/loose.ts'
import { parseWhole } from '../values/whole-json.ts'

/** Strict, so that only what upstream signed is read. */
const UTF8 = new TextDecoder('utf-8', { fatal: true })
/** Our choice: upstream puts up to 1,000 changes into a post. */
const MOST_NOTICES = 2_000

/**
 * Reads the leads that a webhook of object `page` tells of: changes of field `leadgen`, whose ids come as numbers or
 * texts and are kept digit by digit ([leads.webhook.5]). A lead told twice of a Page counts once; other objects and
 * fields give nothing ([leads.webhook.4]). Never throws.
 */
export function readLeadNotices(rawBody: Uint8Array): LeadNotices {
  const body = parsed(rawBody)
  if (body === null || !Array.isArray(body['entry'])) return { ok: false, reason: 'unreadable' }
  const notices = new Map<string, LeadNotice>()
  if (body['object'] !== 'page') return { ok: true, notices: [] }
  for (const entry of objectsIn(body, 'entry')) {
    for (const change of objectsIn(entry, 'changes')) {
      const notice = noticeOf(entry, change)
      if (notice === null) continue
      const key = `${notice.pageId}/${notice.leadgenId}`
      if (!notices.has(key)) notices.set(key, notice)
    }
    if (notices.size > MOST_NOTICES) return { ok: false, reason: 'too-many' }
  }
  return { ok: true, notices: [...notices.values()] }
}

function parsed(rawBody: Uint8Array): Fields | null {
  try {
    return parseWhole(UTF8.decode(rawBody))
  } catch {
    return null
  }
}

/** The notice in a change; null when it is none, or does not name lead and Page. */
function noticeOf(entry: Fields, change: Fields): LeadNotice | null {
  if (change['field'] !== 'leadgen') return null
  const value = objectIn(change, 'value')
  const leadgenId = nonZeroIdIn(value, 'leadgen_id')
  // The id of the entry is the Page's too.
  const pageId = nonZeroIdIn(value, 'page_id') ?? nonZeroIdIn(entry, 'id')
  if (leadgenId === null || pageId === null) return null
  return { leadgenId, pageId, formId: nonZeroIdIn(value, 'form_id'), adId: nonZeroIdIn(value, 'ad_id') }
}
