import type { words as english } from '../../../words/dashboard/template-form/en.ts'
import type { Like } from '../../../words/language.ts'

export type TemplateFormWords = Like<typeof english>
