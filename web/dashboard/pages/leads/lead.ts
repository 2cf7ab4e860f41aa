import { SKIP_REASONS } from '../../../../src/domain/lead.ts'
import type { AutoSendStatus, LeadField, LeadPlatform, LeadSource } from '../../../../src/domain/lead.ts'
import type { words as english } from '../../../words/dashboard/leads/en.ts'
import type { Like } from '../../../words/language.ts'
import type { Tone } from '../../ground/shown.tsx'

export type LeadsWords = Like<typeof english>

/** A lead as the service answers it ([leads.object.1]); what the pages use of it. */
export interface ListedLead {
  readonly id: string
  /** Upstream's id. */
  readonly leadgenId: string
  readonly pageId: string
  readonly pageName: string | null
  readonly formId: string
  readonly formName: string | null
  readonly adId: string | null
  readonly adName: string | null
  readonly adsetName: string | null
  readonly campaignName: string | null
  readonly platform: LeadPlatform | null
  /** Null: not known. */
  readonly isOrganic: boolean | null
  /** Null when it is redacted, or was not asked for; so are `email` and `phone`. */
  readonly fullName: string | null
  readonly email: string | null
  readonly phone: string | null
  /** Empty when it is redacted. */
  readonly fields: readonly LeadField[]
  /** Null: not known. */
  readonly consentGiven: boolean | null
  readonly conversationId: string | null
  readonly autoSendStatus: AutoSendStatus
  readonly autoSendReason: string | null
  readonly source: LeadSource
  readonly redacted: boolean
  /** When the person submitted the form; the list is sorted and narrowed by it. */
  readonly createdAt: string
  readonly receivedAt: string
}

/** Where the leads of a number are listed. */
export function leadsPath(number: string): string {
  return `/dashboard/leads?number=${encodeURIComponent(number)}`
}

/** The address of the page of a lead. A lead is read for its number, so the address names the number. */
export function leadPath({ id }: { readonly id: string }, number: string): string {
  return `/dashboard/leads/${encodeURIComponent(id)}?number=${encodeURIComponent(number)}`
}

export const SEND_TONES: Readonly<Record<AutoSendStatus, Tone>> = {
  none: 'calm',
  pending: 'calm',
  sent: 'good',
  skipped: 'warn',
  failed: 'bad',
}

/** What a lead says of consent, in words. */
export function consentOf({ consentGiven }: Pick<ListedLead, 'consentGiven'>, { consents }: LeadsWords): string {
  if (consentGiven === null) return consents.unknown
  return consentGiven ? consents.yes : consents.no
}

/** Why a lead was not answered, in words; null when there is no reason. A code of a message stays in the words. */
export function reasonOf({ autoSendReason }: Pick<ListedLead, 'autoSendReason'>, words: LeadsWords): string | null {
  if (autoSendReason === null) return null
  const known = [...SKIP_REASONS, 'template_unavailable' as const].find((reason) => reason === autoSendReason)
  return known === undefined ? words.messageFailed(autoSendReason.toUpperCase()) : words.reasons[known]
}

/** What the ad of a lead is called; words for a lead without one. */
export function adOf({ adName, adId, isOrganic }: ListedLead, words: LeadsWords): string {
  return adName ?? adId ?? (isOrganic === true ? words.organic : words.noAd)
}

/** The names of the columns of a file, in the order of `cellsOf`. */
export function columnsOf(words: LeadsWords): readonly string[] {
  const { id, person, email, phone, page, form, ad, submitted, consent, sent, why } = words
  return [id, person, email, phone, page, form, ad, submitted, consent, sent, why]
}

/** The cells of a lead in a file, except for its answers. */
export function cellsOf(lead: ListedLead, words: LeadsWords): readonly string[] {
  return [
    lead.id,
    lead.fullName ?? '',
    lead.email ?? '',
    lead.phone ?? '',
    lead.pageName ?? lead.pageId,
    lead.formName ?? lead.formId,
    lead.adName ?? lead.adId ?? '',
    lead.createdAt,
    consentOf(lead, words),
    words.sends[lead.autoSendStatus],
    reasonOf(lead, words) ?? '',
  ]
}

/** A column for each question, as the newest lead has it; several values stand in one cell. */
export function answerColumnsOf(leads: readonly ListedLead[]) {
  const labels = new Map<string, string>()
  for (const { fields } of leads) for (const { key, label } of fields) if (!labels.has(key)) labels.set(key, label)
  return [...labels].map(([key, name]) => ({
    name,
    cellOf: ({ fields }: ListedLead) => fields.find((field) => field.key === key)?.values.join('; ') ?? '',
  }))
}
