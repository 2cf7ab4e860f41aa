import type { words as english } from '../../../words/dashboard/number/en.ts'
import type { Like } from '../../../words/language.ts'

export type NumberWords = Like<typeof english>
