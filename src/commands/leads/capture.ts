import { personOf } from '../../domain/lead-person.ts'
import { readLeadPhone } from '../../domain/phone-reading.ts'
import { ALREADY_SENT_MS, consentOf, decideAnswer, mappedVariables } from '../../domain/lead-settling.ts'
import { leadEvent } from '../../domain/lead-shown.ts'
import type { LeadPage, LeadSource } from '../../domain/lead.ts'
import { isWithheld } from '../../domain/retention.ts'
import type { UpstreamForm, UpstreamLead } from '../../ports/official/pages.ts'
import type {
  AutoSendDecision,
  CapturedLead,
  LeadStore,
  SettledLead,
  StoreLeadResult,
  StoringFacts,
} from '../../ports/stores/lead-store.ts'

/** A lead as upstream showed it, with its time and form known. */
export interface ReadLead extends UpstreamLead {
  readonly createdAt: Date
  readonly formId: string
}

export interface Capture {
  readonly lead: ReadLead
  readonly page: Pick<LeadPage, 'pageId' | 'pageName'>
  /** null when it could not be read, which delays nothing [leads.stored.4]. */
  readonly form: UpstreamForm | null
  readonly source: LeadSource
}

/** Stores a lead that was read upstream, decided by the settings that its number and form have at that moment. */
export function storeLead(leads: Pick<LeadStore, 'store'>, capture: Capture): Promise<StoreLeadResult> {
  const captured = capturedLead(capture)
  return leads.store(captured, (facts) => settle(captured, capture.lead.consents, facts))
}

function capturedLead({ lead, page: { pageId, pageName }, form, source }: Capture): CapturedLead {
  const { leadgenId, formId, adId, adName, adsetName, campaignName, platform, isOrganic, createdAt } = lead
  return {
    leadgenId,
    pageId,
    pageName,
    formId,
    formName: form?.formName ?? null,
    adId,
    adName,
    adsetName,
    campaignName,
    platform,
    isOrganic,
    source,
    createdAt,
    ...personOf(lead.answers, form?.questions ?? null),
  }
}

/** Everything that is decided of a lead, once ([leads.stored.12]): consent, phone, privacy and auto-send. */
async function settle(
  lead: CapturedLead,
  consents: UpstreamLead['consents'],
  facts: StoringFacts,
): Promise<SettledLead> {
  const { settings, retention, now, number } = facts
  const consentGiven = consentOf(settings.consentKey, consents)
  const phoneDigits = lead.phone === null ? null : readLeadPhone(lead.phone, number.number)
  return {
    consentGiven,
    phoneDigits,
    isRedacted: isWithheld(retention, lead.createdAt, now.getTime()),
    autoSend: await decideAutoSend(lead, { consentGiven, phoneDigits }, facts),
    eventOf: lead.source === 'webhook' ? (stored) => leadEvent(stored, lead, retention, now.getTime()) : null,
  }
}

async function decideAutoSend(
  lead: CapturedLead,
  { consentGiven, phoneDigits }: Pick<SettledLead, 'consentGiven' | 'phoneDigits'>,
  facts: StoringFacts,
): Promise<AutoSendDecision> {
  const {
    settings: { autoSend },
    now,
  } = facts
  if (autoSend === null || lead.source === 'backfill') return { status: 'none' }
  const variables = mappedVariables(autoSend, lead.fields)
  const outcome = decideAnswer({
    ...lead,
    now,
    autoSend,
    consentGiven,
    phoneDigits,
    variables,
    lastMessageAt: phoneDigits === null ? null : ((await facts.conversationWith(phoneDigits))?.lastMessageAt ?? null),
    wasAnswered:
      phoneDigits !== null && (await facts.wasAnsweredSince(phoneDigits, new Date(now.getTime() - ALREADY_SENT_MS))),
  })
  if (outcome === 'none') return { status: 'none' }
  if (outcome !== 'send') return { status: 'skipped', reason: outcome }
  return {
    status: 'pending',
    order: { templateId: autoSend.templateId, to: phoneDigits ?? '', variables: variables ?? {} },
  }
}
