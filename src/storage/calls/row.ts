import type { Call, Playback } from '../../domain/call.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { ledTo } from '../conversations/aliases.ts'
import { CallEntity } from './entity.ts'

/** The columns of calls that a read of a call shows. */
export const CALLS = rowsOf(CallEntity).without('recordingFileId', 'recordingDueAt')
export type CallRow = RowIn<typeof CALLS>

/** The conversation that the call was in may have joined another one since. */
const CONVERSATION = `${ledTo('calls.conversation_id')} as conversation_id`

/** What a read of calls selects. Reads are raw SQL: the unit of work costs ten times the query (measured). */
export const CALL_COLUMNS = `${CALLS.without('conversationId').list()}, ${CONVERSATION}`

/** A playback list that cannot be read counts as empty, so that the call itself can still be read. */
function toPlayback(text: string): Playback[] {
  try {
    return text === '[]' ? [] : (JSON.parse(text) as Playback[])
  } catch {
    return []
  }
}

export function toCall(row: CallRow): Call {
  return { ...CALLS.read(row), playback: toPlayback(row.playback) }
}
