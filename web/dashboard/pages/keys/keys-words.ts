import type { words as english } from '../../../words/dashboard/keys/en.ts'
import type { Like } from '../../../words/language.ts'

export type KeysWords = Like<typeof english>
