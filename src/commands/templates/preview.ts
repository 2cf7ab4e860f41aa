import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import { variablesOf } from '../../domain/template-keys.ts'
import { previewTemplate } from '../../domain/template-render.ts'
import type { TemplateBody } from '../../domain/template.ts'
import { draftOf } from './draft.ts'
import type { GivenTemplate } from './draft.ts'
import type { TemplatePorts } from './ports.ts'

export interface Preview {
  /** The name in upstream's form. */
  readonly name: string
  readonly variables: readonly string[]
  readonly preview: TemplateBody
}

/**
 * Fills a template after every check that fetches nothing; writes nothing ([templates.routes.2]). `variables` come
 * before the examples.
 */
export async function previewOf(
  ports: TemplatePorts,
  number: NumberRef,
  given: GivenTemplate,
  variables: unknown,
): Promise<Outcome<Preview>> {
  const draft = await draftOf(ports, number, given, null)
  if (!draft.ok) return fail(draft.error)
  const { name, body, examples, source, category } = draft.value
  const nature = { source, category }
  return succeed({
    name,
    variables: variablesOf(body, nature),
    preview: previewTemplate(body, nature, examples, variables),
  })
}
