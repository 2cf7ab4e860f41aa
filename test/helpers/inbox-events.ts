import { isDeepStrictEqual } from 'node:util'
import { INBOX_EVENTS } from '../../src/http/routes/inbox/stream-schema.ts'
import type { EventCheck } from './event-reader.ts'

/** Holds an event of an inbox against the schema that the document shows of it: it has these fields and no others. */
export const asDescribed: EventCheck = ({ event, data }) => {
  if (!Object.hasOwn(INBOX_EVENTS, event)) return `${event} is not described`
  const { success, data: parsed, error } = INBOX_EVENTS[event as keyof typeof INBOX_EVENTS].safeParse(data)
  if (!success) return `${event}: ${error.message}`
  return isDeepStrictEqual(parsed, data) ? null : `${event} has more fields: ${JSON.stringify(data)}`
}
