import type { words as english } from '../../../words/dashboard/lead/en.ts'
import type { Like } from '../../../words/language.ts'
import type { ListedLead } from '../leads/lead.ts'

export type LeadWords = Like<typeof english>

/** What the parts of a lead's page get. */
export interface LeadProps {
  readonly words: LeadWords
  readonly lead: ListedLead
  /** The id of its number. */
  readonly number: string
}
