import { z } from 'zod'
import { fetchMedia } from '../media/fetch-media.ts'
import { MEDIA_TYPES } from '../official/media/media-rules.ts'
import { newMessageId } from '../official/messages/message-id.ts'
import type { OfficialPlatform } from '../official/platform/platform.ts'
import type { OfficialNumber } from '../official/registry/registry.ts'
import { seconds } from '../official/webhooks/changes.ts'
import { contentFields, present, type GivenMedia } from './message-body.ts'
import { readNumber } from './read.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type ControlAnswer } from './router.ts'

/** What a message of a user to an official number may carry besides what all messages may. */
export const officialFields = {
  /** The ad that the user came from. */
  referral: z.unknown().optional(),
  /** The object named after the type, in upstream's form. */
  content: z.unknown().optional(),
  /** Fields of the context, such as `forwarded`. */
  context: z.record(z.string(), z.unknown()).optional(),
  /** Errors of a message that upstream could not take over. */
  errors: z.array(z.unknown()).optional(),
  /** The id of a user who hides the number; the writer is still the peer. */
  hiddenAs: z.string().min(1).optional(),
  /** True when the message itself does not name its writer. */
  isUnsigned: z.boolean().optional(),
}
const officialMessageSchema = z.object({ ...contentFields, ...officialFields })
type OfficialMessage = z.infer<typeof officialMessageSchema>

const echoSchema = z.object({
  ...contentFields,
  to: z.string(),
  content: z.unknown().optional(),
  field: z.enum(['smb_message_echoes', 'message_echoes']).default('smb_message_echoes'),
})

async function bytesOf(media: GivenMedia): Promise<Buffer> {
  if ('base64' in media) return Buffer.from(media.base64, 'base64')
  const fetched = await fetchMedia(media.url).catch(() => {
    throw new ControlRefusal(422, 'MEDIA_UNREADABLE', 'The media could not be read; only loopback addresses are')
  })
  return fetched.bytes
}

/** The object of a media message: an id valid for 7 days, and the address behind it. */
async function mediaContent(
  official: OfficialPlatform,
  number: OfficialNumber,
  { type, text, media }: OfficialMessage,
  origin: string,
): Promise<object | undefined> {
  if (!media) return undefined
  const { mimeType, fileName, voice, animated } = media
  const shelf = official.messaging.media
  const kept = shelf.receive(number, { bytes: await bytesOf(media), mimeType, fileName: fileName ?? null })
  return present({
    caption: text,
    filename: type === 'document' ? fileName : undefined,
    mime_type: mimeType,
    sha256: Buffer.from(kept.sha256, 'hex').toString('base64'),
    id: kept.id,
    url: shelf.urlOf(kept, origin),
    voice: type === 'audio' ? (voice ?? false) : undefined,
    animated: type === 'sticker' ? (animated ?? false) : undefined,
  })
}

async function contentOf(
  official: OfficialPlatform,
  number: OfficialNumber,
  message: OfficialMessage,
  origin: string,
): Promise<unknown> {
  const { type, text, location, contacts, reaction, content, errors } = message
  const isMedia = (MEDIA_TYPES as readonly string[]).includes(type)
  const given: unknown =
    content
    ?? (isMedia
      ? await mediaContent(official, number, message, origin)
      : type === 'text'
        ? { body: text ?? '' }
        : { location, contacts, reaction }[type])
  if (given === undefined && !errors)
    throw new ControlRefusal(400, 'VALIDATION', 'A message of this type to an official number needs its content')
  return given
}

/** A user writes to an official number: the change goes out by webhook. Answers the message's id. */
export async function writeOfficial(
  official: OfficialPlatform,
  number: OfficialNumber,
  from: string,
  message: OfficialMessage,
  origin: string,
): Promise<string> {
  const { type, fromName, quoted, referral, context, errors, hiddenAs, isUnsigned, timestamp } = message
  const content = await contentOf(official, number, message, origin)
  return official.messaging.users.receive(number, from, {
    type,
    content,
    fromName,
    quoted,
    referral,
    context,
    errors,
    hiddenAs,
    isUnsigned,
    timestamp,
  }).externalMessageId
}

/** The business writes to a user with the app on its own phone. */
export async function echo(
  official: OfficialPlatform,
  number: OfficialNumber,
  body: unknown,
  origin: string,
): Promise<ControlAnswer> {
  const message = readBody(echoSchema, body)
  const { to, type, field, timestamp = official.clock.now() } = message
  const content = await contentOf(official, number, message, origin)
  const id = newMessageId(readNumber(to), true)
  official.messaging.messages.noteEcho(number, readNumber(to), { externalMessageId: id, type, content })
  const isSent = official.webhooks.send(
    official.messaging.echo(number, field, readNumber(to), {
      id,
      timestamp: seconds(timestamp),
      type,
      [type]: content,
    }),
  )
  if (!isSent) throw new ControlRefusal(409, 'NOT_SUBSCRIBED', 'Nobody is subscribed to this field of the account')
  return json(201, { externalMessageId: id })
}
