import type { ConversationId, LeadId, MessageId, NumberId, TemplateId, TenantId } from './ids.ts'

/** Whether a lead is answered, and how far the answer came ([leads.auto-send.5] to [leads.auto-send.14]). */
export const AUTO_SEND_STATUSES = ['none', 'pending', 'sent', 'skipped', 'failed'] as const
export type AutoSendStatus = (typeof AUTO_SEND_STATUSES)[number]

/**
 * Why no template is sent ([leads.auto-send.6] to [leads.auto-send.11]). The reason of a failed one is a code of its
 * message in lower case, or `template_unavailable`.
 */
export const SKIP_REASONS = [
  'too_old',
  'no_consent',
  'consent_unknown',
  'no_phone',
  'invalid_phone',
  'missing_variable',
  'recent_conversation',
  'already_sent',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export const LEAD_PLATFORMS = ['fb', 'ig'] as const
export type LeadPlatform = (typeof LEAD_PLATFORMS)[number]

/** `webhook` is a live lead, told of or found by the sweep; `backfill` is one imported later ([leads.object.10]). */
export const LEAD_SOURCES = ['webhook', 'backfill'] as const
export type LeadSource = (typeof LEAD_SOURCES)[number]

/** An answer of a lead, as it was typed. */
export interface LeadField {
  readonly key: string
  /** The question's text where the form could be read, else the key. */
  readonly label: string
  readonly values: readonly string[]
}

/** The fields that name the person of a lead. */
export interface LeadPerson {
  readonly fullName: string | null
  readonly email: string | null
  /** The phone as typed. */
  readonly phone: string | null
  readonly fields: readonly LeadField[]
}

/** What upstream tells of the ad of a lead. */
export interface LeadAd {
  /** Digits, beyond 2^53; null when organic. */
  readonly adId: string | null
  readonly adName: string | null
  readonly adsetName: string | null
  readonly campaignName: string | null
}

/** A lead as stored; answers show it as [leads.object.1] says. */
export interface Lead extends LeadPerson, LeadAd {
  readonly id: LeadId
  /** Upstream's id, digits. */
  readonly leadgenId: string
  readonly tenantId: TenantId
  readonly channelNumberId: NumberId
  readonly pageId: string
  readonly pageName: string | null
  readonly formId: string
  readonly formName: string | null
  readonly platform: LeadPlatform | null
  readonly isOrganic: boolean | null
  /** Null when unknown: never shown or acted on as a yes or a no ([leads.object.9]). */
  readonly consentGiven: boolean | null
  /** The number's conversation with that phone; null until there is one. */
  readonly conversationId: ConversationId | null
  readonly autoSendStatus: AutoSendStatus
  readonly autoSendReason: string | null
  readonly autoSendMessageId: MessageId | null
  readonly source: LeadSource
  /** The person was withheld when the lead was stored, or has been stripped since. */
  readonly isRedacted: boolean
  /** Null when the ad's names may still come. */
  readonly namesResolvedAt: Date | null
  /** When the person submitted the form. */
  readonly createdAt: Date
  readonly receivedAt: Date
}

/** The source of a template's variable: an answer, or a fixed text. */
export type AutoSendVariable = { readonly field: string; readonly fallback?: string } | { readonly value: string }

/** The template that answers a form's leads ([leads.auto-send.1]). */
export interface AutoSend {
  readonly templateId: TemplateId
  readonly variables: Readonly<Record<string, AutoSendVariable>>
  readonly onlyWithConsent: boolean
  /** Days, 0 to 90; 0 is off. */
  readonly skipRecentConversationDays: number
}

/** The settings that a tenant gave a form. */
export interface LeadFormSettings {
  /** The key of the checkbox for consent; null when the form does not ask for it. */
  readonly consentKey: string | null
  readonly autoSend: AutoSend | null
}

/** Whether the service's webhook of the app hears of leads ([leads.linking.1] to [leads.linking.5]). */
export const PAGE_WEBHOOK_STATUSES = ['SUBSCRIBED', 'OTHER_CALLBACK', 'NOT_SUBSCRIBED'] as const
export type PageWebhookStatus = (typeof PAGE_WEBHOOK_STATUSES)[number]

/** A Page linked to a number. */
export interface LeadPage {
  readonly pageId: string
  readonly pageName: string | null
  readonly tenantId: TenantId
  readonly channelNumberId: NumberId
  readonly appId: string
  readonly webhookStatus: PageWebhookStatus
  readonly isTokenValid: boolean
  /** Leads that upstream told of, and that were not fetched yet. */
  readonly pendingLeads: number
  readonly lastLeadAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}
