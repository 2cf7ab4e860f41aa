import { newId } from '../../domain/ids.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { Fence } from '../../ports/leases.ts'
import type { IncomingMessage, StatusReport } from '../../ports/stores/message-inbox.ts'
import { fenceFields } from '../engine/fence.ts'
import { answerFields } from '../flow-responses/row.ts'
import { referralFields } from '../referrals/row.ts'
import { conversationIdOf } from './conversation-id.ts'
import { failureFields } from './failure-fields.ts'

export interface Receive {
  readonly fence: Fence
  readonly message: IncomingMessage
}

export interface Report {
  readonly fence: Fence
  readonly report: StatusReport
}

/** A message as `receiveSql` takes it. */
export function incomingRow(cipher: Cipher, { fence, message }: Receive, place: number) {
  const { id, externalMessageId, peer, conversationType, peerName, isFromMe, from, fromName, to, type, content, quotedMessageId, happenedAt, isUnread, flowReply, referral } = message
  return {
    place, ...fenceFields(fence), id, external_id: externalMessageId, named_id: conversationIdOf(cipher, fence.numberId, peer),
    kind: conversationType, peer, peer_name: peerName, is_from_me: isFromMe, from_address: from, from_name: fromName, to_address: to, type,
    content: JSON.stringify(content), quoted_id: quotedMessageId, at: happenedAt, is_unread: isUnread, events: toldBy(message),
    ...answerFields(flowReply && { id: newId('fres'), ...flowReply }), ...referralFields(referral),
  }
}

/** Its events as the statement reads them, `data` already as the text that will be delivered. */
function toldBy({ events, replyEvent }: IncomingMessage) {
  const listed = [...events.map((event) => ({ event, isReply: false })), ...(replyEvent === null ? [] : [{ event: replyEvent, isReply: true }])]
  return listed.map(({ event: { event, data }, isReply }) => ({ id: newId('evt'), event, data: JSON.stringify(data), isReply }))
}

/** A report as `reportSql` takes it. */
export function reportRow({ fence, report }: Report, place: number) {
  const { messageId, externalMessageId, status, at, failure } = report
  return {
    place, ...fenceFields(fence), message_id: messageId, external_id: externalMessageId, status,
    at, happened: at.toISOString(), skipped_event_id: status === 'READ' ? newId('evt') : null, event_id: newId('evt'), ...(failure === null ? {} : failureFields(failure)),
  }
}
