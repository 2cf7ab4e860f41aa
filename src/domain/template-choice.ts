import { fail, refuse, succeed } from './errors.ts'
import type { Outcome, Refusal } from './errors.ts'
import { isSameLanguage } from './template-language.ts'
import { isReviewed } from './template.ts'
import type { Template } from './template.ts'

/** The fields of a template that decide whether it is the one meant, and whether it can be sent. */
interface Choosable extends Pick<Template, 'id' | 'name' | 'language' | 'source' | 'officialStatus' | 'unsupported'> {
  /** The write that upstream is being asked for. */
  readonly ask?: { readonly kind: string } | null
}

const UNKNOWN = refuse('NOT_FOUND', 'No such template')

function ambiguous(name: string, found: readonly Pick<Template, 'language'>[]): Refusal {
  const languages = found.map(({ language }) => language)
  return refuse(
    'TEMPLATE_NAME_AMBIGUOUS',
    `The template ${name} exists in several languages: name one of ${languages.join(', ')} in language`,
    { languages },
  )
}

/** Says why messages cannot be made of a template; null when they can. */
function refusalOf({ name, source, officialStatus, unsupported, ask }: Choosable): Refusal | null {
  if (ask?.kind === 'DELETE') return refuse('NOT_FOUND', `The template ${name} is being deleted`)
  if (isReviewed({ source }) && officialStatus !== 'APPROVED')
    return refuse('NOT_FOUND', `The template ${name} has no approved version: it is ${officialStatus ?? 'PENDING'}`)
  const [component] = unsupported
  if (component === undefined) return null
  return refuse(
    'TEMPLATE_COMPONENT_NOT_SUPPORTED',
    `The template ${name} has ${component}, which cannot be sent from here`,
    { component, components: unsupported },
  )
}

/**
 * Chooses the template that a send names, of those found by its id or name. Refusals, in this order
 * ([templates.send.2]): NOT_FOUND, TEMPLATE_NAME_AMBIGUOUS, NOT_FOUND for one that is not approved,
 * TEMPLATE_COMPONENT_NOT_SUPPORTED.
 *
 * @param language in any form; null when the send names none
 */
export function chooseTemplate<T extends Choosable>(
  found: readonly T[],
  idOrName: string,
  language: string | null,
): Outcome<T> {
  const chosen = inLanguage(found, idOrName, language, UNKNOWN)
  if (!chosen.ok) return chosen
  const refusal = refusalOf(chosen.value)
  return refusal ? fail(refusal) : chosen
}

/**
 * Chooses the template in a language, of those found by its id or name. Refusals: `unknown`, TEMPLATE_NAME_AMBIGUOUS.
 * `language` may have any form; it is null when none is named.
 */
export function inLanguage<T extends Pick<Template, 'language'>>(
  found: readonly T[],
  idOrName: string,
  language: string | null,
  unknown: Refusal,
): Outcome<T> {
  const fitting = language === null ? found : found.filter((one) => isSameLanguage(one.language, language))
  const [first] = fitting
  if (first === undefined) return fail(unknown)
  return fitting.length > 1 ? fail(ambiguous(idOrName, fitting)) : succeed(first)
}
