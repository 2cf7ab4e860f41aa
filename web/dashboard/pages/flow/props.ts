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

/** Where Flows are in the API. */
export const FLOWS = '/api/v1/flows'
/** What stands in the place of an id in the address of the page that creates a Flow (our choice). */
export const NEW = 'new'

/** The address of a Flow in the API. */
export function flowPath(id: string): string {
  return `${FLOWS}/${encodeURIComponent(id)}`
}
