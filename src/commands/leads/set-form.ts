import { refusalOfSettings } from '../../domain/auto-send-rules.ts'
import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { AutoSend, LeadFormSettings, LeadPage } from '../../domain/lead.ts'
import type { LeadPageScope } from '../../ports/stores/lead-page-store.ts'
import type { StoredTemplate } from '../../ports/stores/template-store.ts'
import { findTemplate, NO_SUCH_TEMPLATE } from '../templates/find.ts'
import { findLinked, NO_SUCH_PAGE } from './find-page.ts'
import { findForm } from './forms.ts'
import type { SetForm } from './forms.ts'
import type { LeadPorts } from './ports.ts'

/** The settings as they were sent: the template is named by id or name. */
interface GivenSettings extends Omit<LeadFormSettings, 'autoSend'> {
  readonly autoSend: (Omit<AutoSend, 'templateId'> & { readonly templateId: string }) | null
}

export interface SetFormInput extends GivenSettings {
  readonly pageId: string
  readonly formId: string
}

/**
 * Sets both the consent key of a form's leads and what answers them ([leads.routes.9]). A refusal changes nothing.
 * Refusals, in this order: LEAD_PAGE_NOT_FOUND, LEAD_FORM_NOT_FOUND and those of upstream, TEMPLATE_NOT_FOUND,
 * TEMPLATE_NAME_AMBIGUOUS, and those of `refusalOfSettings`.
 */
export async function setForm(ports: LeadPorts, scope: LeadPageScope, given: SetFormInput): Promise<Outcome<SetForm>> {
  const { pageId, formId, consentKey } = given
  const linked = await findLinked(ports, scope, pageId)
  if (!linked.ok) return linked
  const form = await findForm(ports, linked.value, formId)
  if (!form.ok) return form
  const template = await templateOf(ports, linked.value.page, given)
  if (!template.ok) return template
  const settings: LeadFormSettings = {
    consentKey,
    autoSend: given.autoSend && template.value && { ...given.autoSend, templateId: template.value.id },
  }
  const refusal = refusalOfSettings(settings, form.value, template.value)
  if (refusal) return fail(refusal)
  if (!(await ports.leadPages.setForm(scope, pageId, formId, settings))) return fail(NO_SUCH_PAGE)
  const backfilled = await ports.leadBackfills.formsWith(scope.tenantId, pageId)
  return succeed({ ...form.value, ...settings, hasBackfill: backfilled.has(formId) })
}

/** The template, one of the Page's number; null when none is named. */
async function templateOf(
  ports: LeadPorts,
  { tenantId, channelNumberId }: LeadPage,
  { autoSend }: GivenSettings,
): Promise<Outcome<StoredTemplate | null>> {
  if (autoSend === null) return succeed(null)
  const number = await ports.numbers.find(tenantId, channelNumberId)
  return number ? findTemplate(ports, number, autoSend.templateId, null) : fail(NO_SUCH_TEMPLATE)
}
