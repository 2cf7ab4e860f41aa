import type { SetForm } from '../../../commands/leads/forms.ts'
import { pageWebhookUrlOf } from '../../../domain/lead-page.ts'
import type { LeadPage } from '../../../domain/lead.ts'
import type { LeadBackfill } from '../../../ports/stores/lead-backfill-store.ts'

/** A linked Page as answered ([leads.pages.1]). */
export function presentPage(page: LeadPage, baseUrl: string) {
  const { pageId, pageName, channelNumberId, appId, webhookStatus, isTokenValid, pendingLeads } = page
  return {
    pageId,
    pageName,
    channelNumberId,
    appId,
    webhook: { url: pageWebhookUrlOf(baseUrl, appId), status: webhookStatus },
    isTokenValid,
    pendingLeads,
    lastLeadAt: page.lastLeadAt?.toISOString() ?? null,
    createdAt: page.createdAt.toISOString(),
    updatedAt: page.updatedAt.toISOString(),
  }
}

/** A form of a Page with its settings ([leads.pages.2]); `pageId` is that of the Page it was found on. */
export function presentForm(
  { formId, formName, status, questions, checkboxes, consentKey, autoSend, hasBackfill }: SetForm,
  pageId: string,
) {
  return { formId, formName, pageId, status, questions, checkboxes, consentKey, autoSend, hasBackfill }
}

/** A backfill of a form's leads ([leads.pages.3]). */
export function presentBackfill(backfill: LeadBackfill) {
  const { id, pageId, formId, status, read, imported, duplicates, errorCode, errorMessage } = backfill
  return {
    id,
    pageId,
    formId,
    status,
    since: backfill.since.toISOString(),
    until: backfill.until.toISOString(),
    read,
    imported,
    duplicates,
    waitingUntil: backfill.waitingUntil?.toISOString() ?? null,
    errorCode,
    errorMessage,
    startedAt: backfill.startedAt.toISOString(),
    finishedAt: backfill.finishedAt?.toISOString() ?? null,
  }
}
