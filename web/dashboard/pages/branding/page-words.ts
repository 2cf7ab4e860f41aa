import type { words as english } from '../../../words/dashboard/branding/en.ts'
import type { Like } from '../../../words/language.ts'

/** The words of this page, in any language. */
export type Words = Like<typeof english>
