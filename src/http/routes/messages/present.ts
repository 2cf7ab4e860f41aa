import type { Message } from '../../../domain/message.ts'
import type { Referral, ResolvedNames } from '../../../domain/referral.ts'
import type { ListedMessage, NewMessage } from '../../../ports/stores/message-store.ts'

/** The answer to a send ([messages.send.6]). */
export function presentAccepted(message: NewMessage, sourceNumber: string) {
  return {
    id: message.id,
    correlationId: message.correlationId,
    status: 'QUEUED',
    createdAt: message.createdAt.toISOString(),
    sourceNumber,
    ...(message.notice === undefined ? {} : { notice: message.notice }),
  }
}

/** The answer to an edit: the text that was asked for, since privacy may withhold the stored one. */
export function presentEdited({ id, externalMessageId, editedAt }: Message, text: string) {
  return { id, externalMessageId, content: text, editedAt: editedAt?.toISOString() ?? null }
}

/** The answer to a revocation. */
export function presentRevoked({ id, externalMessageId, revokedAt }: Message) {
  return { id, externalMessageId, revokedAt: revokedAt?.toISOString() ?? null }
}

/** When a message got to each status; null until it does. */
function presentTimes(message: Message) {
  return {
    sentAt: message.sentAt?.toISOString() ?? null,
    deliveredAt: message.deliveredAt?.toISOString() ?? null,
    readAt: message.readAt?.toISOString() ?? null,
    failedAt: message.failedAt?.toISOString() ?? null,
  }
}

/** A message read by its id ([messages.routes.1]). */
export function presentMessage(message: Message) {
  return {
    id: message.id,
    status: message.status,
    direction: message.direction,
    correlationId: message.correlationId,
    destinationNumber: message.to,
    type: message.type,
    template: message.template,
    createdAt: message.createdAt.toISOString(),
    ...presentTimes(message),
    externalMessageId: message.externalMessageId,
    errorCode: message.errorCode,
    errorMessage: message.errorMessage,
  }
}

/** A message of a list ([messages.item.1]). Withheld parts are null already. */
export function presentItem(message: ListedMessage) {
  const { content } = message
  return {
    id: message.id,
    conversationId: message.conversationId,
    direction: message.direction,
    type: message.type,
    content: content?.text ?? null,
    from: message.from,
    to: message.to,
    fromName: message.fromName,
    externalMessageId: message.externalMessageId,
    status: message.status,
    quotedMessageId: message.quotedMessageId,
    media: content?.media ? presentMedia(message, content.media) : null,
    referral: message.referral && presentReferral(message.referral),
    reaction: content?.reaction ?? null,
    location: content?.location ?? null,
    contacts: content?.contacts ?? null,
    interactive: content?.interactive ?? null,
    upstream: content?.upstream ?? null,
    editedAt: message.editedAt?.toISOString() ?? null,
    revokedAt: message.revokedAt?.toISOString() ?? null,
    redacted: message.isRedacted,
    createdAt: message.createdAt.toISOString(),
    ...presentTimes(message),
    groupId: message.groupId,
    groupName: message.groupName,
    conversationUnreadCount: message.conversationUnreadCount,
  }
}

function presentMedia(
  { provider }: Message,
  { id, url, mimeType, fileName }: NonNullable<NonNullable<Message['content']>['media']>,
) {
  return { provider, id, url, mimeType, fileName }
}

/** The ad or post that a conversation began with ([referrals.objects.2]). */
function presentReferral(referral: Referral) {
  const {
    sourceId,
    sourceType,
    sourceUrl,
    headline,
    body,
    mediaType,
    imageUrl,
    videoUrl,
    thumbnailUrl,
    welcomeMessage,
    ctwaClid,
  } = referral
  return {
    sourceId,
    sourceType,
    sourceUrl,
    headline,
    body,
    mediaType,
    imageUrl,
    videoUrl,
    thumbnailUrl,
    welcomeMessage,
    ctwaClid,
    ...presentNames(referral),
  }
}

/** Names of an ad as its number knows them; `namesResolvedAt` is null when they are not resolved yet. */
export function presentNames({ adName, adsetId, adsetName, campaignId, campaignName, namesResolvedAt }: ResolvedNames) {
  return {
    adName,
    adsetId,
    adsetName,
    campaignId,
    campaignName,
    namesResolvedAt: namesResolvedAt?.toISOString() ?? null,
  }
}
