import { refusalOfSettings } from '../../domain/auto-send-rules.ts'
import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { AutoSend, LeadFormSettings, LeadPage } from '../../domain/lead.ts'
import type { LeadBackfillStore } from '../../ports/stores/lead-backfill-store.ts'
import type { LeadPageScope, LeadPageStore } from '../../ports/stores/lead-page-store.ts'
import type { NumberStore } from '../../ports/stores/number-store.ts'
import type { StoredTemplate, TemplateStore } from '../../ports/stores/template-store.ts'
import { findTemplate, NO_SUCH_TEMPLATE } from '../templates/find.ts'
import { findLinked, NO_SUCH_PAGE } from './find-page.ts'
import { findForm } from './forms.ts'
import type { SetForm } from './forms.ts'
import type { AskPageDeps } from './page-upstream.ts'

export interface SetFormDeps extends AskPageDeps {
  readonly templates: TemplateStore
  readonly leadPages: Pick<LeadPageStore, 'find' | 'load' | 'tokenDied' | 'setForm'>
  readonly leadBackfills: Pick<LeadBackfillStore, 'formsWith'>
  readonly numbers: Pick<NumberStore, 'find'>
}

/** As it was sent: the template by id or name. */
export interface GivenSettings extends Omit<LeadFormSettings, 'autoSend'> {
  readonly autoSend: (Omit<AutoSend, 'templateId'> & { readonly templateId: string }) | null
}

/**
 * Sets what a form's leads consent by and are answered with, both (contract 12). What is refused changes nothing.
 * Refusals, in this order: LEAD_PAGE_NOT_FOUND, LEAD_FORM_NOT_FOUND and those of upstream, TEMPLATE_NOT_FOUND,
 * TEMPLATE_NAME_AMBIGUOUS, and those of `refusalOfSettings`.
 */
export async function setForm(
  deps: SetFormDeps,
  scope: LeadPageScope,
  given: GivenSettings & { readonly pageId: string; readonly formId: string },
): Promise<Outcome<SetForm>> {
  const { pageId, formId, consentKey } = given
  const linked = await findLinked(deps, scope, pageId)
  if (!linked.ok) return linked
  const form = await findForm(deps, linked.value, formId)
  if (!form.ok) return form
  const template = await templateOf(deps, linked.value.page, given)
  if (!template.ok) return template
  const settings: LeadFormSettings = {
    consentKey,
    autoSend: given.autoSend && template.value && { ...given.autoSend, templateId: template.value.id },
  }
  const refusal = refusalOfSettings(settings, form.value, template.value)
  if (refusal) return fail(refusal)
  if (!(await deps.leadPages.setForm(scope, pageId, formId, settings))) return fail(NO_SUCH_PAGE)
  const backfilled = await deps.leadBackfills.formsWith(scope.tenantId, pageId)
  return succeed({ ...form.value, ...settings, hasBackfill: backfilled.has(formId) })
}

/** Of the Page's number; null: none is named. */
async function templateOf(
  deps: SetFormDeps,
  { tenantId, channelNumberId }: LeadPage,
  { autoSend }: GivenSettings,
): Promise<Outcome<StoredTemplate | null>> {
  if (autoSend === null) return succeed(null)
  const number = await deps.numbers.find(tenantId, channelNumberId)
  return number ? findTemplate(deps, number, autoSend.templateId, null) : fail(NO_SUCH_TEMPLATE)
}
