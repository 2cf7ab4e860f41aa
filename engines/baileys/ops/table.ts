import { listCalls, refuseAudio, rejectCall, terminateCall } from './calls.ts'
import { GROUP_OPERATIONS } from './groups.ts'
import { editMessage, revokeMessage } from './message-change.ts'
import { readMessages } from './message-read.ts'
import { sendMessage } from './message-send.ts'
import { listNewsletters } from './newsletters.ts'
import { checkNumber } from './number-check.ts'
import type { Operation, Operations } from './operation.ts'
import { showTyping } from './typing.ts'

const ALL: Operations = {
  ...GROUP_OPERATIONS,
  'message.send': sendMessage,
  'message.edit': editMessage,
  'message.revoke': revokeMessage,
  'message.read': readMessages,
  'message.typing': showTyping,
  'number.check': checkNumber,
  'newsletter.list': listNewsletters,
  'call.offer': refuseAudio,
  'call.accept': refuseAudio,
  'call.reject': rejectCall,
  'call.terminate': terminateCall,
  'calls.list': listCalls,
}

/** Operations by `op`; others are answered UNSUPPORTED. `session.start` and `session.logout` are in session/. */
export const OPERATIONS: Readonly<Record<string, Operation>> = ALL
