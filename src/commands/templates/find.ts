import { refuse } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import { inLanguage } from '../../domain/template-choice.ts'
import type { StoredTemplate } from '../../ports/stores/template-store.ts'
import type { TemplatePorts } from './ports.ts'

export const NO_SUCH_TEMPLATE: Refusal = refuse('TEMPLATE_NOT_FOUND', 'No such template of this number')

/**
 * Finds a template by its id or name ([templates.scope.3], [templates.scope.4]). Refusals: TEMPLATE_NOT_FOUND,
 * TEMPLATE_NAME_AMBIGUOUS.
 */
export async function findTemplate(
  { templates }: Pick<TemplatePorts, 'templates'>,
  number: NumberRef,
  idOrName: string,
  language: string | null,
): Promise<Outcome<StoredTemplate>> {
  return inLanguage(await templates.find(number, idOrName), idOrName, language, NO_SUCH_TEMPLATE)
}
