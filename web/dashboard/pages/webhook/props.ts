import type { words as english } from '../../../words/dashboard/webhook/en.ts'
import type { Like } from '../../../words/language.ts'
import type { Webhook } from '../hooks/webhook.ts'

export type WebhookWords = Like<typeof english>

/** What the parts of the page get. */
export interface PartProps {
  readonly words: WebhookWords
  readonly webhook: Webhook
}
