import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import { leadNotice, redacted } from '../../domain/lead-shown.ts'
import type { LeadNotice } from '../../domain/lead-shown.ts'
import type { Lead } from '../../domain/lead.ts'
import type { LeadQuery } from '../../ports/stores/lead-store.ts'
import type { LeadNode } from './node.ts'

/** Leads as they may be shown; the notice says why something in them is withheld, null when nothing is. */
interface ShownLeads {
  readonly leads: readonly Lead[]
  readonly notice: LeadNotice | null
}

export const NO_SUCH_LEAD: Refusal = refuse('LEAD_NOT_FOUND', 'No such lead of this number')

/** Reads the mode beside the leads, because it may fail when they do not. */
async function shown(node: LeadNode, numberId: NumberId, stored: Promise<readonly Lead[]>): Promise<ShownLeads> {
  const [leads, retention] = await Promise.all([stored, node.privacyMode(numberId)])
  const nowMs = node.clock.now()
  const seen = leads.map((lead) => redacted(lead, retention, nowMs))
  return { leads: seen, notice: leadNotice(retention, seen) }
}

/** Lists a page of the number's leads ([leads.routes.1]). */
export async function listLeads(
  node: LeadNode,
  numberId: NumberId,
  query: LeadQuery,
): Promise<ShownLeads & { readonly total: number }> {
  const paged = node.leads.list(numberId, query)
  const [seen, { total }] = await Promise.all([
    shown(
      node,
      numberId,
      paged.then(({ items }) => items),
    ),
    paged,
  ])
  return { ...seen, total }
}

/**
 * Reads one lead of the number, by our id. Refusal: LEAD_NOT_FOUND, also for a lead of another number and for an erased
 * one.
 */
export async function readLead(
  node: LeadNode,
  numberId: NumberId,
  id: string,
): Promise<Outcome<{ readonly lead: Lead; readonly notice: LeadNotice | null }>> {
  const {
    leads: [lead],
    notice,
  } = await shown(
    node,
    numberId,
    node.leads.find(numberId, id).then((found) => (found ? [found] : [])),
  )
  return lead ? succeed({ lead, notice }) : fail(NO_SUCH_LEAD)
}
