import type { ProviderKind } from '../../../../src/domain/number.ts'
import { kindOf } from '../../../../src/domain/kinds/kinds.ts'
import { readTemplateBody } from '../../../../src/domain/template-form.ts'
import { isSample, missingSamples, variablesOf } from '../../../../src/domain/template-keys.ts'
import { previewTemplate } from '../../../../src/domain/template-render.ts'
import { templateFaults, unsupportedFeature } from '../../../../src/domain/template-rules.ts'
import type { TemplateFault } from '../../../../src/domain/template-rules.ts'
import type { TemplateBody, TemplateCategory, TemplateExamples } from '../../../../src/domain/template.ts'
import type { FieldFault } from '../../../ui/session/answers.ts'

/** A template as it stands in the editor: what is sent to the service, in the service's form. */
export interface Draft {
  readonly name: string
  readonly category: TemplateCategory
  readonly language: string
  readonly body: TemplateBody
  readonly examples: TemplateExamples
}

export const EMPTY_DRAFT: Draft = {
  name: '',
  category: 'UTILITY',
  language: 'en_US',
  body: { header: { type: 'NONE' }, body: { text: '' }, footer: null, buttons: [], carousel: null },
  examples: {},
}

/** What the service's rules say of a draft before it is sent. */
export interface Reading {
  /** By the path that the field has in the request. */
  readonly faults: readonly FieldFault[]
  /** The variables that need values, in the order of the template. */
  readonly variables: readonly string[]
  /** The template filled with its examples; a variable without one stays as it is written. */
  readonly shown: TemplateBody
}

/**
 * Reads a draft as the service would, by the same rules. What only the service knows counts as good here: whether a
 * Flow is published, and which hosts it reaches. `kept` has the addresses of files that the service has already.
 */
export function readDraft(draft: Draft, provider: ProviderKind, kept: ReadonlySet<string>): Reading {
  const { category, examples } = draft
  const { body, strays, faults: malformed } = readTemplateBody(draft.body)
  const { source } = kindOf({ provider }).templates
  const nature = { source, category }
  const unsupported = unsupportedFeature(body, source)
  const found = templateFaults({
    ...nature,
    body,
    strays,
    examples,
    hosts: { isAllowed: () => true, isForbidden: () => false },
    isKept: (url) => kept.has(url),
    flowStatusOf: () => 'PUBLISHED',
  })
  return {
    faults: [
      ...malformed,
      ...(unsupported === null ? [] : [{ path: 'body', message: unsupported.message }]),
      ...found.flatMap(fieldFaultsOf),
    ],
    variables: [...new Set([...variablesOf(body, nature), ...missingSamples(body, nature, {})])],
    shown: previewTemplate(body, nature, examples, {}),
  }
}

/** A fault where the editor shows it: a missing sample at the field of its variable. */
export function fieldFaultsOf({
  field,
  message,
  missing,
}: Pick<TemplateFault, 'field' | 'message' | 'missing'>): FieldFault[] {
  if (missing !== undefined) return missing.map((key) => ({ path: `examples.${key}`, message }))
  return [{ path: `body.${field}`, message }]
}

/** The request of a draft: without samples that were left empty. */
export function requestOf(draft: Draft): Draft {
  const given = Object.entries(draft.examples).filter(([, value]) => isSample(value))
  return { ...draft, name: draft.name.trim(), examples: Object.fromEntries(given) }
}

/** The addresses of the files of a template as the service reads it, which pass its rules unasked. */
export function filesOf({ header, carousel }: TemplateBody): ReadonlySet<string> {
  const cards = (carousel?.cards ?? []).map(({ media }) => media.url)
  return new Set(header.url === undefined ? cards : [header.url, ...cards])
}
