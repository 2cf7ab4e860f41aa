import type { NewEvent } from './events.ts'
import type { Lead, LeadPerson } from './lead.ts'
import { isWithheld } from './retention.ts'
import type { Retention } from './retention.ts'

/** The empty person of a redacted lead ([leads.privacy.3]). */
export const NO_PERSON: LeadPerson = { fullName: null, email: null, phone: null, fields: [] }

/** Why personal data of leads is withheld ([leads.privacy.4]). */
export type LeadNotice = 'PII_RELAY_ONLY' | 'PII_RETENTION_WINDOW'

/**
 * Gives a lead as it may be shown now. `retention` is null when its number's cannot be read; then what is stored is
 * shown ([leads.privacy.6]).
 */
export function redacted(lead: Lead, retention: Retention | null, nowMs: number): Lead {
  const isRedacted = lead.isRedacted || (retention !== null && isWithheld(retention, lead.createdAt, nowMs))
  return isRedacted ? { ...lead, ...NO_PERSON, isRedacted } : lead
}

/** Gives the notice of an answer that shows these leads; null when there is none, as without a retention. */
export function leadNotice(retention: Retention | null, shown: readonly Lead[]): LeadNotice | null {
  if (retention?.piiMode === 'RELAY_ONLY') return 'PII_RELAY_ONLY'
  return retention?.piiMode === 'STORE_X_DAYS' && shown.some(({ isRedacted }) => isRedacted)
    ? 'PII_RETENTION_WINDOW'
    : null
}

/** Where a lead came from, as answers and events have it. */
function originFields(lead: Lead) {
  const { pageId, pageName, formId, formName, adId, adName, adsetName, campaignName, platform, isOrganic } = lead
  return { pageId, pageName, formId, formName, adId, adName, adsetName, campaignName, platform, isOrganic }
}

/** Gives a lead as answers and events have it, as JSON ([leads.object.1]). */
export function leadFields(lead: Lead) {
  return {
    id: lead.id,
    leadgenId: lead.leadgenId,
    channelNumberId: lead.channelNumberId,
    ...originFields(lead),
    createdAt: lead.createdAt.toISOString(),
    fullName: lead.fullName,
    email: lead.email,
    phone: lead.phone,
    fields: lead.fields.map(({ key, label, values }) => ({ key, label, values })),
    consentGiven: lead.consentGiven,
    conversationId: lead.conversationId,
    autoSendStatus: lead.autoSendStatus,
    autoSendReason: lead.autoSendReason,
    autoSendMessageId: lead.autoSendMessageId,
    source: lead.source,
    redacted: lead.isRedacted,
    namesResolvedAt: lead.namesResolvedAt?.toISOString() ?? null,
    receivedAt: lead.receivedAt.toISOString(),
  }
}

/**
 * Makes the `lead.received` of a lead that is being stored: as a read shows it at that moment ([leads.event.3]). A
 * RELAY_ONLY number relays the person, whom no read will show ([leads.event.4]); `redacted` is true even then (our
 * choice).
 */
export function leadEvent(lead: Lead, person: LeadPerson, retention: Retention, nowMs: number): NewEvent {
  const shown = redacted(lead, retention, nowMs)
  const { fullName, email, phone, fields } = person
  return {
    event: 'lead.received',
    data: leadFields(retention.piiMode === 'RELAY_ONLY' ? { ...shown, fullName, email, phone, fields } : shown),
  }
}
