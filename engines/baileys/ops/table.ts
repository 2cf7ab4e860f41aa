import { listCalls, refuseAudio, rejectCall, terminateCall } from './calls.ts'
import { changeParticipants, createGroup, getGroup, listGroups } from './groups.ts'
import { readMessages } from './message-read.ts'
import { sendMessage } from './message-send.ts'
import { listNewsletters } from './newsletters.ts'
import { checkNumber } from './number-check.ts'
import type { Operation } from './operation.ts'

/**
 * Operations by `op`; what is not here is answered UNSUPPORTED. `session.start` and `session.logout` belong to
 * session/.
 */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'message.send': sendMessage,
  'message.read': readMessages,
  'number.check': checkNumber,
  'group.list': listGroups,
  'group.create': createGroup,
  'group.get': getGroup,
  'group.participants': changeParticipants,
  'newsletter.list': listNewsletters,
  'call.offer': refuseAudio,
  'call.accept': refuseAudio,
  'call.reject': rejectCall,
  'call.terminate': terminateCall,
  'calls.list': listCalls,
}
