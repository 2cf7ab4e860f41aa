import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { isUpstreamId } from '../../domain/lead-page.ts'
import type { LeadFormSettings } from '../../domain/lead.ts'
import type { PagePort, UpstreamForm, UpstreamRead } from '../../ports/official/pages.ts'
import type { LeadPageScope } from '../../ports/stores/lead-page-store.ts'
import { findLinked } from './find-page.ts'
import type { LoadedPage } from './page-port.ts'
import { askPage, outcomeOf } from './page-upstream.ts'
import type { LeadPorts } from './ports.ts'

/** A form of a Page with the tenant's settings for it. */
export interface SetForm extends UpstreamForm, LeadFormSettings {
  readonly hasBackfill: boolean
}

/**
 * Our choice: a listing is read for at most so many pages of 100 forms, far more than a Page has, so that one without
 * an end ends.
 */
const MOST_PAGES = 50
const NOTHING_SET: LeadFormSettings = { consentKey: null, autoSend: null }
export const NO_SUCH_FORM: Refusal = refuse('LEAD_FORM_NOT_FOUND', 'The Page has no such form')

async function readForms(port: PagePort): Promise<UpstreamRead<readonly UpstreamForm[]>> {
  const forms: UpstreamForm[] = []
  let after: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const read: Awaited<ReturnType<PagePort['forms']>> = await port.forms(after)
    if (read.kind !== 'read') return read
    forms.push(...read.value.forms)
    after = read.value.next
    if (after === null) break
  }
  return { kind: 'read', value: forms }
}

/**
 * Lists the forms of a Page, read upstream now. Refusals: LEAD_PAGE_NOT_FOUND, LEAD_PAGE_REJECTED, OFFICIAL_ERROR,
 * OFFICIAL_THROTTLED.
 */
export async function listForms(
  ports: LeadPorts,
  scope: LeadPageScope,
  pageId: string,
): Promise<Outcome<readonly SetForm[]>> {
  const linked = await findLinked(ports, scope, pageId)
  if (!linked.ok) return linked
  const forms = outcomeOf(await askPage(ports, linked.value, readForms))
  if (!forms.ok) return forms
  const [settings, backfilled] = await Promise.all([
    ports.leadPages.allFormSettings(pageId),
    ports.leadBackfills.formsWith(scope.tenantId, pageId),
  ])
  return succeed(
    forms.value.map((form) => ({
      ...form,
      ...(settings.get(form.formId) ?? NOTHING_SET),
      hasBackfill: backfilled.has(form.formId),
    })),
  )
}

/** Finds a form of this Page. Refusals: LEAD_FORM_NOT_FOUND, and those of upstream. */
export async function findForm(ports: LeadPorts, linked: LoadedPage, formId: string): Promise<Outcome<UpstreamForm>> {
  if (!isUpstreamId(formId)) return fail(NO_SUCH_FORM)
  const found = outcomeOf(await askPage(ports, linked, (port) => port.form(formId)))
  if (!found.ok) return found
  const form = found.value
  if (form === null) return fail(NO_SUCH_FORM)
  if (form.pageId !== null) return form.pageId === linked.page.pageId ? succeed(form) : fail(NO_SUCH_FORM)
  // Upstream does not say which Page the form belongs to, so the Page's listing decides.
  const listed = outcomeOf(await askPage(ports, linked, readForms))
  if (!listed.ok) return listed
  return listed.value.some((one) => one.formId === formId) ? succeed(form) : fail(NO_SUCH_FORM)
}
