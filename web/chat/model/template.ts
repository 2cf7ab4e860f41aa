import { previewTemplate } from '../../../src/domain/template-render.ts'
import type { TemplateBody, TemplateExamples } from '../../../src/domain/template.ts'
import type { Template as StoredTemplate } from '../../../src/domain/template.ts'

/** A template that can be sent, as the inbox routes return it. */
export interface Template extends Pick<StoredTemplate, 'category' | 'source'> {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly variables: readonly string[]
  readonly body: TemplateBody
  readonly examples: TemplateExamples
}

/** The text that a template will send: given values, and samples for variables without one. */
export function previewOf(
  { body, category, source, examples }: Template,
  variables: Readonly<Record<string, string>>,
): TemplateBody {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  return previewTemplate(body, { category, source }, examples, given)
}

/** Variables without a value; a send needs all of them. */
export function missingOf({ variables }: Template, given: Readonly<Record<string, string>>): readonly string[] {
  return variables.filter((key) => (given[key] ?? '').trim() === '')
}
