import type { words as english } from '../../../words/dashboard/flow/en.ts'
import type { Like } from '../../../words/language.ts'
import type { ListedFlow } from '../flows/flow.ts'

export type FlowWords = Like<typeof english>

/** What the parts of a Flow's page get. */
export interface FlowProps {
  readonly words: FlowWords
  readonly flow: ListedFlow
  /** The id of the number that the Flow is read for. */
  readonly number: string
}

/** The address of a Flow in the API. */
export function flowPath(id: string): string {
  return `/api/v1/flows/${encodeURIComponent(id)}`
}
