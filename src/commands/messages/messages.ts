import type { NumberId } from '../../domain/ids.ts'
import type { GroupQuery, HistoryQuery, Page } from '../../ports/stores/message-store.ts'
import { changeMessage } from './change.ts'
import type { ChangeInput } from './change.ts'
import { expireMessages } from './expire.ts'
import { markRead } from './mark-read.ts'
import type { MarkReadInput } from './mark-read.ts'
import type { MessagePorts } from './ports.ts'
import { send } from './send.ts'
import type { SendInput } from './send.ts'
import { showTyping } from './typing.ts'
import type { TypingInput } from './typing.ts'
import { sendBatch } from './send-batch.ts'
import type { SendBatchInput } from './send-batch.ts'

/** The commands of messages. */
export type MessageCommands = ReturnType<typeof createMessages>

/** Makes the commands of messages. */
export function createMessages(ports: MessagePorts) {
  const { messages, messageBatches } = ports
  return {
    send: (input: SendInput) => send(ports, input),
    sendBatch: (input: SendBatchInput) => sendBatch(ports, input),
    findBatch: (numberId: NumberId, id: string) => messageBatches.find(numberId, id),
    cancelBatch: (numberId: NumberId, id: string) => messageBatches.cancel(numberId, id),
    find: (numberId: NumberId, anyId: string) => messages.find(numberId, anyId),
    history: (numberId: NumberId, query: HistoryQuery) => messages.history(numberId, query),
    unread: (numberId: NumberId, page: Page) => messages.unread(numberId, page),
    ofGroups: (numberId: NumberId, query: GroupQuery) => messages.ofGroups(numberId, query),
    markRead: (input: MarkReadInput) => markRead(ports, input),
    change: (input: ChangeInput) => changeMessage(ports, input),
    showTyping: (input: TypingInput) => showTyping(ports, input),
    cancel: (numberId: NumberId, ids: readonly string[]) => messages.cancel(numberId, ids),
    /** A chore that answers whether there may be more. */
    expire: () => expireMessages(ports),
  }
}
