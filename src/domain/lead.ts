import type { ConversationId, LeadId, MessageId, NumberId, TemplateId, TenantId } from './ids.ts'

/** spec: Lead autoSendStatus. */
export const AUTO_SEND_STATUSES = ['none', 'pending', 'sent', 'skipped', 'failed'] as const
export type AutoSendStatus = (typeof AUTO_SEND_STATUSES)[number]

/**
 * Why no template is sent (contract 12, Auto-send). A failed one has a code of its message in lower case, or
 * `template_unavailable`.
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

/** `webhook`: live, told of or found by the sweep; `backfill`: imported later. */
export const LEAD_SOURCES = ['webhook', 'backfill'] as const
export type LeadSource = (typeof LEAD_SOURCES)[number]

/** An answer of a lead, as it was typed. */
export interface LeadField {
  readonly key: string
  /** The question's text where the form could be read, else the key. */
  readonly label: string
  readonly values: readonly string[]
}

/** What names the person of a lead. */
export interface LeadPerson {
  readonly fullName: string | null
  readonly email: string | null
  /** As typed. */
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

/** A lead as stored (spec: Lead; contract 12). */
export interface Lead extends LeadPerson, LeadAd {
  readonly id: LeadId
  /** Upstream's, digits. */
  readonly leadgenId: string
  readonly tenantId: TenantId
  readonly channelNumberId: NumberId
  readonly pageId: string
  readonly pageName: string | null
  readonly formId: string
  readonly formName: string | null
  readonly platform: LeadPlatform | null
  readonly isOrganic: boolean | null
  /** Null: nobody knows. Never shown or acted on as a yes or a no. */
  readonly consentGiven: boolean | null
  /** The number's conversation with that phone; null until there is one. */
  readonly conversationId: ConversationId | null
  readonly autoSendStatus: AutoSendStatus
  readonly autoSendReason: string | null
  readonly autoSendMessageId: MessageId | null
  readonly source: LeadSource
  /** Its person was withheld when it was stored, or has been stripped since. */
  readonly isRedacted: boolean
  /** Null: the ad's names may still come. */
  readonly namesResolvedAt: Date | null
  /** When the person submitted the form. */
  readonly createdAt: Date
  readonly receivedAt: Date
}

/** Where a variable of the template comes from: an answer, or a fixed text. */
export type AutoSendVariable = { readonly field: string; readonly fallback?: string } | { readonly value: string }

/** What a form's leads are answered with (contract 12, Auto-send). */
export interface AutoSend {
  readonly templateId: TemplateId
  readonly variables: Readonly<Record<string, AutoSendVariable>>
  readonly onlyWithConsent: boolean
  /** Days, 0 to 90; 0 is off. */
  readonly skipRecentConversationDays: number
}

/** What a tenant set for a form. */
export interface LeadFormSettings {
  /** Key of the checkbox that says yes; null: consent is not asked for. */
  readonly consentKey: string | null
  readonly autoSend: AutoSend | null
}

/** Whether our webhook of the app hears of leads (contract 12, Linking). */
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
  /** Told of, and not fetched yet. */
  readonly pendingLeads: number
  readonly lastLeadAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}
