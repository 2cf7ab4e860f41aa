import { leadFields } from '../../../domain/lead-shown.ts'
import type { LeadNotice } from '../../../domain/lead-shown.ts'
import type { Lead } from '../../../domain/lead.ts'
import type { PageNumbers } from '../paging.ts'

function noticed(notice: LeadNotice | null) {
  return notice === null ? {} : { notice }
}

/** A page of leads ([leads.routes.1]). Redacted ones come without their personal data already. */
export function presentLeads(
  leads: readonly Lead[],
  total: number,
  { page, pageSize }: PageNumbers,
  notice: LeadNotice | null,
) {
  return {
    leads: leads.map(leadFields),
    total,
    page,
    pageSize,
    totalPages: Math.ceil(total / pageSize),
    ...noticed(notice),
  }
}

/** One lead ([leads.routes.2]). A redacted one comes without its personal data already. */
export function presentLead(lead: Lead, notice: LeadNotice | null) {
  return { lead: leadFields(lead), ...noticed(notice) }
}
