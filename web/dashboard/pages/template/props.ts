import type { words as english } from '../../../words/dashboard/template/en.ts'
import type { Like } from '../../../words/language.ts'
import type { ListedTemplate } from '../templates/template.ts'

export type TemplateWords = Like<typeof english>

/** What the parts of a template's page get. */
export interface TemplateProps {
  readonly words: TemplateWords
  readonly template: ListedTemplate
  /** The id of the number that the template is read for. */
  readonly number: string
}
