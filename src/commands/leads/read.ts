import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import { leadNotice, redacted } from '../../domain/lead-shown.ts'
import type { LeadNotice } from '../../domain/lead-shown.ts'
import type { Lead } from '../../domain/lead.ts'
import type { LeadQuery } from '../../ports/stores/lead-store.ts'
import type { LeadNode } from './node.ts'

/** Leads as they may be shown, and why something of them is withheld. */
interface ShownLeads {
  readonly leads: readonly Lead[]
  readonly notice: LeadNotice | null
}

export const NO_SUCH_LEAD: Refusal = refuse('LEAD_NOT_FOUND', 'No such lead of this number')

/** The mode is read beside the leads: it may fail where they do not. */
async function shown(node: LeadNode, numberId: NumberId, stored: Promise<readonly Lead[]>): Promise<ShownLeads> {
  const [leads, retention] = await Promise.all([stored, node.privacyMode(numberId)])
  const nowMs = node.clock.now()
  const seen = leads.map((lead) => redacted(lead, retention, nowMs))
  return { leads: seen, notice: leadNotice(retention, seen) }
}

/** A page of the number's leads (spec: Leads). */
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

/** One lead of the number, by our id. Refusal: LEAD_NOT_FOUND, of another's and of an erased one too. */
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
