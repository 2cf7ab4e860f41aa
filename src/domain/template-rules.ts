import { refuse } from './errors.ts'
import type { Refusal } from './errors.ts'
import { namesOf } from './kinds/kinds.ts'
import type { ProviderKind } from './number.ts'
import { TEMPLATE_BUTTON_RULES } from './template-button-rules.ts'
import { TEMPLATE_CAROUSEL_RULES } from './template-carousel-rules.ts'
import { missingSamples } from './template-keys.ts'
import { EVERY_SOURCE } from './template-rule.ts'
import type { Finding, RuleSubject, TemplateRule } from './template-rule.ts'
import { TEMPLATE_TEXT_RULES } from './template-text-rules.ts'
import { isReviewed } from './template.ts'
import type { TemplateBody, TemplateSource } from './template.ts'

function samples({ body, examples, ...nature }: RuleSubject): Finding[] {
  const missing = missingSamples(body, nature, examples)
  return missing.length > 0
    ? [
        {
          field: 'examples',
          missing,
          message: `Every variable needs a sample in examples; missing: ${missing.join(', ')}`,
        },
      ]
    : []
}

/**
 * The rules that are checked before anything is fetched or submitted, in the order in which their codes are answered
 * ([templates.checks.1]).
 */
export const TEMPLATE_RULES: readonly TemplateRule[] = [
  ...TEMPLATE_TEXT_RULES,
  ...TEMPLATE_BUTTON_RULES,
  ...TEMPLATE_CAROUSEL_RULES,
  {
    code: 'TEMPLATE_EXAMPLES_REQUIRED',
    upstreamCode: null,
    sources: EVERY_SOURCE,
    find: samples,
    when: 'A variable has no sample in `examples`; `missing` lists the keys',
  },
]

/** A finding with the code of its rule: an item of `details.faults` ([templates.checks.2]). */
export interface TemplateFault extends Omit<Finding, 'upstreamCode'> {
  readonly code: TemplateRule['code']
  readonly upstreamCode: number | null
  readonly upstreamSubcode?: number
}

/** Finds everything wrong with a template, in the order of the table. */
export function templateFaults(subject: RuleSubject): TemplateFault[] {
  return TEMPLATE_RULES.filter(({ sources }) => sources.includes(subject.source)).flatMap((rule) =>
    rule.find(subject).map((finding) => faultOf(rule, finding)),
  )
}

function faultOf({ code, upstreamCode, upstreamSubcode }: TemplateRule, finding: Finding): TemplateFault {
  return { code, upstreamCode, ...(upstreamSubcode === undefined ? {} : { upstreamSubcode }), ...finding }
}

/** Makes the refusal of faults: the code of the first, its facts, and all of them. Null without any fault. */
export function refusalOfFaults(faults: readonly TemplateFault[]): Refusal | null {
  const [first] = faults
  if (first === undefined) return null
  const { code, message, ...facts } = first
  return refuse(code, message, { ...facts, faults })
}

/** Refuses what templates without an upstream cannot have; it comes before all other checks ([templates.checks.4]). */
export function unsupportedFeature({ buttons, carousel }: TemplateBody, source: TemplateSource): Refusal | null {
  if (isReviewed({ source })) return null
  if (buttons.some(({ type }) => type === 'FLOW'))
    return refuse('FEATURE_NOT_SUPPORTED', 'Buttons of type FLOW need an OFFICIAL number')
  return carousel === null ? null : refuse('FEATURE_NOT_SUPPORTED', 'Carousel templates need an OFFICIAL number')
}

/** Makes the first refusal of a template whose form was read; null when it may be stored or submitted. */
export function checkTemplate(subject: RuleSubject): Refusal | null {
  return unsupportedFeature(subject.body, subject.source) ?? refusalOfFaults(templateFaults(subject))
}

/** A row of the documentation of refusals. */
export interface TemplateRuleRow {
  readonly code: TemplateRule['code']
  /** The kinds of numbers whose templates are held to the rule. */
  readonly kinds: readonly ProviderKind[]
  readonly when: string
  readonly upstreamCode: number | null
  readonly upstreamSubcode: number | null
}

/** Lists the rule table as the documentation shows it. */
export function templateRuleRows(): TemplateRuleRow[] {
  return TEMPLATE_RULES.map(({ code, sources, when, upstreamCode, upstreamSubcode }) => ({
    code,
    kinds: namesOf(({ templates }) => sources.includes(templates.source)),
    when,
    upstreamCode,
    upstreamSubcode: upstreamSubcode ?? null,
  }))
}
