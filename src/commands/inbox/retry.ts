import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { filesIn, keptOrderIn, withFiles } from '../../domain/kept-order.ts'
import type { MediaKind } from '../../domain/message.ts'
import type { SendBody } from '../../domain/send-modes.ts'
import type { MessageFiles } from '../../ports/message-media.ts'
import type { InboxConversation, InboxMessage } from '../../ports/stores/inbox-store.ts'
import type { Sent } from '../messages/send.ts'
import type { InboxPorts } from './ports.ts'
import { sendInConversation } from './send.ts'
import type { InboxSendInput } from './send.ts'

export interface RetryInput extends Omit<InboxSendInput, 'body'> {
  readonly message: InboxMessage
  readonly conversation: InboxConversation
}

type Copy = NonNullable<Awaited<ReturnType<MessageFiles['copy']>>>

const KINDS: Readonly<Partial<Record<InboxMessage['type'], MediaKind>>> = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  document: 'document',
  sticker: 'sticker',
}

/**
 * Sends a failed message again, as a new one ([embeds.inbox-routes.8]): a template, a Flow, a carousel or buttons by
 * the order that the message keeps, media from the files that were kept. Refusals: MESSAGE_INVALID_STATE, MEDIA_GONE,
 * and those of sends.
 */
export async function retryMessage(ports: InboxPorts, { message, ...input }: RetryInput): Promise<Outcome<Sent>> {
  if (message.direction !== 'OUTBOUND' || message.status !== 'FAILED')
    return fail(refuse('MESSAGE_INVALID_STATE', 'Only a message that failed can be sent again'))
  const copies: Copy[] = []
  const copy = async (fileId: string): Promise<Copy | null> => {
    const made = await ports.files.copy(fileId)
    if (made) copies.push(made)
    return made
  }
  try {
    const body = await bodyOf(message, copy)
    if (body === null)
      return fail(refuse('MEDIA_GONE_OF_RETRY', 'What the message was sent with is no longer kept: write it anew'))
    return await sendInConversation(ports, {
      ...input,
      body: { ...body, ...(message.quotedMessageId === null ? {} : { quotedMessageId: message.quotedMessageId }) },
    })
  } finally {
    for (const made of copies) await made.drop()
  }
}

/** The order that makes the message again, with copies of its files; null when not enough of it is kept. */
async function bodyOf(message: InboxMessage, copy: (fileId: string) => Promise<Copy | null>): Promise<SendBody | null> {
  const { type, content, template } = message
  if (content === null) return null
  const kept = keptOrderIn(content)
  if (kept !== null) {
    const standIns = new Map(
      await Promise.all(filesIn(kept).map(async (fileId) => [fileId, (await copy(fileId))?.standIn ?? null] as const)),
    )
    const isWhole = [...standIns.values()].every((standIn) => standIn !== null)
    return isWhole ? withFiles(kept, standIns as ReadonlyMap<string, string>) : null
  }
  // This one was stored before orders were kept. A template without values is sent as it was; one with values is
  // refused, because they are missing.
  if (type === 'template') return template === null ? null : { templateId: template }
  if (type === 'text') return content.text ? { text: content.text } : null
  return mediaBody(message, copy)
}

/** The kept file comes first: the address may lead nowhere by now, or to another file. */
async function mediaBody(
  { type, content }: InboxMessage,
  copy: (fileId: string) => Promise<Copy | null>,
): Promise<SendBody | null> {
  const media = content?.media
  const kind = media?.isVoice ? 'voice' : KINDS[type]
  if (!kind || !media) return null
  const copied = media.fileId ? await copy(media.fileId) : null
  const source = copied?.standIn ?? media.url
  if (source === null) return null
  const name = media.fileName ?? copied?.fileName ?? null
  return {
    media: source,
    mediaType: kind,
    ...(content.text ? { caption: content.text } : {}),
    ...(kind === 'document' && name !== null ? { mediaFilename: name } : {}),
  }
}
