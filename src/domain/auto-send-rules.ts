import { refuse } from './errors.ts'
import type { Refusal } from './errors.ts'
import type { Fault } from './fault.ts'
import { invalidBody } from './fault.ts'
import type { AutoSend, LeadFormSettings } from './lead.ts'
import { checkValues } from './template-values.ts'
import type { TemplateNature } from './template-keys.ts'
import type { TemplateBody } from './template.ts'

/** The parts of a form that its settings name by key. */
export interface FormKeys {
  readonly questions: readonly { readonly key: string }[]
  readonly checkboxes: readonly { readonly key: string }[]
}

/** The parts of the answering template that its settings are checked against. */
export interface AnsweringTemplate extends TemplateNature {
  readonly body: TemplateBody
}

/** Stands in for a person's answer, which nobody knows yet; it is valid wherever any answer can be. */
const ANY_ANSWER = '1'

/** Refuses variables that the template has and the settings do not map, else fixed values that no send would take. */
function refusalOfVariables({ variables }: AutoSend, template: AnsweringTemplate): Refusal | null {
  const given = Object.fromEntries(
    Object.entries(variables).map(([key, from]) => [key, 'value' in from ? from.value : ANY_ANSWER]),
  )
  const { missing, invalid } = checkValues(template.body, template, { variables: given })
  if (missing.length > 0)
    return refuse('MISSING_TEMPLATE_VARIABLES', `Say where these variables come from: ${missing.join(', ')}`, {
      missing,
    })
  if (invalid.length === 0) return null
  return refuse(
    'INVALID_TEMPLATE_VARIABLE_VALUE',
    `These values cannot be sent: ${invalid.map(({ key, reason }) => `${key} (${reason})`).join(', ')}`,
    { missing, invalid },
  )
}

function faultsOf({ consentKey, autoSend }: LeadFormSettings, { questions, checkboxes }: FormKeys): Fault[] {
  const faults: Fault[] = []
  if (consentKey !== null && !checkboxes.some(({ key }) => key === consentKey))
    faults.push({ path: 'consentKey', message: 'is no checkbox of the form' })
  for (const [variable, from] of Object.entries(autoSend?.variables ?? {})) {
    if ('field' in from && !questions.some(({ key }) => key === from.field))
      faults.push({ path: `autoSend.variables.${variable}.field`, message: 'is no question of the form' })
  }
  if (autoSend?.onlyWithConsent && consentKey === null)
    faults.push({ path: 'autoSend.onlyWithConsent', message: 'needs consentKey, the checkbox that says yes' })
  return faults
}

/**
 * Refuses settings that the form or the template lacks the parts for ([leads.auto-send.2], [leads.auto-send.3],
 * [leads.stored.11]): MISSING_TEMPLATE_VARIABLES with `{missing}`, INVALID_TEMPLATE_VARIABLE_VALUE for a fixed value
 * (our choice), then VALIDATION. `template` is null when the settings name none.
 */
export function refusalOfSettings(
  settings: LeadFormSettings,
  form: FormKeys,
  template: AnsweringTemplate | null,
): Refusal | null {
  const ofVariables = settings.autoSend && template ? refusalOfVariables(settings.autoSend, template) : null
  const faults = ofVariables ? [] : faultsOf(settings, form)
  return ofVariables ?? (faults.length > 0 ? invalidBody(faults) : null)
}
