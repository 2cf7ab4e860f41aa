import type { words as english } from '../../../words/dashboard/usage/en.ts'
import type { Like } from '../../../words/language.ts'

export type UsageWords = Like<typeof english>
