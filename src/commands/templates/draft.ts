import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { invalidBody } from '../../domain/fault.ts'
import { kindOf } from '../../domain/kinds/kinds.ts'
import type { NumberRef } from '../../domain/number.ts'
import { readTemplateBody, readTemplateExamples } from '../../domain/template-form.ts'
import { templateLanguageOf } from '../../domain/template-language.ts'
import { templateNameOf } from '../../domain/template-name.ts'
import { checkTemplate, unsupportedFeature } from '../../domain/template-rules.ts'
import type { TemplateBody, TemplateCategory, TemplateExamples, TemplateSource } from '../../domain/template.ts'
import type { StoredFlow } from '../../ports/stores/flow-store.ts'
import type { TemplatePorts } from './ports.ts'
import { keptIn } from './samples.ts'
import type { KnownFiles } from './samples.ts'

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
  /** Upstream's ids of the Flows that its buttons open, by our ids. */
  readonly officialFlowIds: ReadonlyMap<string, string>
}

const NAME_RULE = 'The name may have letters, digits, white space and - . / _, at most 512 of them'
const LANGUAGE_RULE = 'The language is a code like en, pt_BR or fil'

/** Name and language in upstream's form. Refusals: TEMPLATE_NAME_INVALID, TEMPLATE_LANGUAGE_INVALID. */
export function identityOf({
  name: givenName,
  language: givenLanguage,
}: Pick<GivenTemplate, 'name' | 'language'>): Outcome<{ readonly name: string; readonly language: string }> {
  const name = templateNameOf(givenName)
  if (name === null) return fail(refuse('TEMPLATE_NAME_INVALID', NAME_RULE, { field: 'name' }))
  const language = templateLanguageOf(givenLanguage)
  if (language === null) return fail(refuse('TEMPLATE_LANGUAGE_INVALID', LANGUAGE_RULE, { field: 'language' }))
  return succeed({ name, language })
}

/**
 * Our choice: Flows of a template that are looked up. A template with more than it may have is refused, whatever they
 * are.
 */
const MOST_FLOWS = 10

async function flowsOf(
  { flows }: TemplatePorts,
  number: NumberRef,
  { buttons }: TemplateBody,
): Promise<ReadonlyMap<string, StoredFlow>> {
  const named = new Set(
    buttons.flatMap(({ type, flowId }) => (type === 'FLOW' && flowId !== undefined ? [flowId] : [])),
  )
  const found = await Promise.all(
    [...named].slice(0, MOST_FLOWS).map(async (flowId) => [flowId, await flows.find(number, flowId)] as const),
  )
  return new Map(found.flatMap(([flowId, flow]) => (flow ? [[flowId, flow]] : [])))
}

/**
 * Reads a template and checks it against every rule that fetches nothing ([templates.checks.1]). Stores nothing.
 * `known`: the row that it replaces, null for a new one; files of that row are not fetched again, and their addresses
 * need not pass the rules for callers.
 */
export async function draftOf(
  ports: TemplatePorts,
  number: NumberRef,
  given: GivenTemplate,
  known: KnownFiles,
): Promise<Outcome<TemplateDraft>> {
  const { body, strays, faults } = readTemplateBody(given.body)
  const { source } = kindOf(number).templates
  const unsupported = unsupportedFeature(body, source)
  if (unsupported) return fail(unsupported)
  const examples = readTemplateExamples(given.examples)
  if (faults.length > 0) return fail(invalidBody(faults))
  if (examples === null)
    return fail(invalidBody([{ path: 'examples', message: 'must be an object of texts or numbers' }]))
  const identity = identityOf(given)
  if (!identity.ok) return identity
  const { category } = given
  const flows = await flowsOf(ports, number, body)
  const refusal = checkTemplate({
    source,
    category,
    body,
    strays,
    examples,
    hosts: ports.cardHosts,
    isKept: keptIn(known, ports.templateFiles),
    flowStatusOf: (flowId) => flows.get(flowId)?.officialStatus ?? null,
  })
  if (refusal) return fail(refusal)
  const officialFlowIds = new Map(
    [...flows].flatMap(([flowId, { officialFlowId }]) => (officialFlowId === null ? [] : [[flowId, officialFlowId]])),
  )
  return succeed({ ...identity.value, category, source, body, examples, officialFlowIds })
}
