import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { invalidBody } from '../../domain/fault.ts'
import type { ProviderKind } from '../../domain/number.ts'
import { readTemplateBody, readTemplateExamples } from '../../domain/template-form.ts'
import { templateLanguageOf } from '../../domain/template-language.ts'
import { templateNameOf } from '../../domain/template-name.ts'
import type { CardHosts } from '../../domain/template-rule.ts'
import { checkTemplate, unsupportedFeature } from '../../domain/template-rules.ts'
import type { TemplateBody, TemplateCategory, TemplateExamples, TemplateSource } from '../../domain/template.ts'

/** A template as a caller writes it. */
export interface GivenTemplate {
  readonly name: string
  readonly category: TemplateCategory
  readonly language: string
  readonly body: unknown
  readonly examples: unknown
}

/** A template that passed every check that fetches nothing. */
export interface TemplateDraft {
  readonly name: string
  readonly category: TemplateCategory
  readonly language: string
  readonly source: TemplateSource
  readonly body: TemplateBody
  readonly examples: TemplateExamples
}

/** What the checks must be told from outside. */
export interface DraftFacts {
  readonly provider: ProviderKind
  readonly hosts: CardHosts
  /** The file at this address is kept already: it is not fetched, and need not look as addresses of callers must. */
  isKept(url: string): boolean
}

const NAME_RULE = 'The name may have letters, digits, white space and - . / _, at most 512 of them'
const LANGUAGE_RULE = 'The language is a code like en, pt_BR or fil'

/** Name and language in upstream's form. Refusals: TEMPLATE_NAME_INVALID, TEMPLATE_LANGUAGE_INVALID. */
export function identityOf({ name: givenName, language: givenLanguage }: Pick<GivenTemplate, 'name' | 'language'>): Outcome<{ readonly name: string, readonly language: string }> {
  const name = templateNameOf(givenName)
  if (name === null) return fail(refuse('TEMPLATE_NAME_INVALID', NAME_RULE, { field: 'name' }))
  const language = templateLanguageOf(givenLanguage)
  if (language === null) return fail(refuse('TEMPLATE_LANGUAGE_INVALID', LANGUAGE_RULE, { field: 'language' }))
  return succeed({ name, language })
}

/** Reads a template and checks it against every rule that fetches nothing (contract 10, Checks). Nothing is stored. */
export function draftOf(given: GivenTemplate, { provider, hosts, isKept }: DraftFacts): Outcome<TemplateDraft> {
  const { body, strays, faults } = readTemplateBody(given.body)
  const unsupported = unsupportedFeature(body, provider)
  if (unsupported) return fail(unsupported)
  const examples = readTemplateExamples(given.examples)
  if (faults.length > 0) return fail(invalidBody(faults))
  if (examples === null) return fail(invalidBody([{ path: 'examples', message: 'must be an object of texts or numbers' }]))
  const identity = identityOf(given)
  if (!identity.ok) return identity
  const source = provider === 'OFFICIAL' ? 'OFFICIAL' : 'LOCAL'
  const { category } = given
  // No Flow can be named yet: every button of the kind is TEMPLATE_FLOW_INVALID.
  const refusal = checkTemplate({ source, category, body, strays, examples, hosts, isKept, flowStatusOf: () => null })
  return refusal ? fail(refusal) : succeed({ ...identity.value, category, source, body, examples })
}
