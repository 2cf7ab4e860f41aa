import type { Fields } from '../../../domain/json-fields.ts'
import type { LeadNotices } from '../../../ports/official/changes.ts'
import type { LeadNotice } from '../../../ports/stores/lead-notice-store.ts'
import { nonZeroIdIn, objectIn, objectsIn } from '../values/loose.ts'
import { parseWhole } from '../values/whole-json.ts'

/** Strict, so that nothing is read that is not what upstream signed. */
const UTF8 = new TextDecoder('utf-8', { fatal: true })
/** Our choice: upstream puts up to 1,000 changes into a post. */
const MOST_NOTICES = 2_000

/**
 * Reads which leads a webhook of object `page` tells of (contract 12, Webhook): changes of field `leadgen`, whose ids
 * come as numbers or texts and are kept digit by digit. A lead that is told of twice of a Page is one; other objects
 * and fields say nothing. Never throws.
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

/** Null where it is no notice, or does not say of which lead and Page. */
function noticeOf(entry: Fields, change: Fields): LeadNotice | null {
  if (change['field'] !== 'leadgen') return null
  const value = objectIn(change, 'value')
  const leadgenId = nonZeroIdIn(value, 'leadgen_id')
  // The entry is of the Page, too.
  const pageId = nonZeroIdIn(value, 'page_id') ?? nonZeroIdIn(entry, 'id')
  if (leadgenId === null || pageId === null) return null
  return { leadgenId, pageId, formId: nonZeroIdIn(value, 'form_id'), adId: nonZeroIdIn(value, 'ad_id') }
}
