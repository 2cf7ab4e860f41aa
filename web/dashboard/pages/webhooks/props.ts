import type { words as english } from '../../../words/dashboard/webhooks/en.ts'
import type { Like } from '../../../words/language.ts'

export type WebhooksWords = Like<typeof english>
