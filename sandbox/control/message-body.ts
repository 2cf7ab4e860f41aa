import { z } from 'zod'
import type { BridgeContent } from '../../src/domain/device-bridge.ts'
import { isFields } from '../../src/domain/json-fields.ts'
import type { PeerMessage } from '../devices/message-record.ts'
import type { ServedMedia } from '../media/served-media.ts'
import { headerValue } from '../header-text.ts'
import { readBody } from './router.ts'

const mediaFacts = {
  mimeType: headerValue.min(1),
  fileName: z.string().optional(),
  voice: z.boolean().optional(),
  waveform: z.array(z.number()).optional(),
  /** For stickers to official numbers. */
  animated: z.boolean().optional(),
}
/** The address of a file, or its bytes, which the sandbox then serves itself. */
const mediaSchema = z.union([
  z.object({ url: z.string().min(1), size: z.number().optional(), ...mediaFacts }),
  z.object({ base64: z.base64(), ...mediaFacts }),
])
export type GivenMedia = z.infer<typeof mediaSchema>

const roomSchema = z.union([
  z.string().min(1),
  z.object({ id: z.string().min(1), name: z.string().nullable().optional() }),
])

/** The content of a message, on either network. */
export const contentFields = {
  type: z.string().min(1).default('text'),
  text: z.string().optional(),
  media: mediaSchema.optional(),
  location: z.unknown().optional(),
  contacts: z.unknown().optional(),
  reaction: z.unknown().optional(),
  buttons: z.unknown().optional(),
  cards: z.unknown().optional(),
  quoted: z.string().optional(),
  fromName: z.string().nullable().optional(),
  /** Ms since the epoch. */
  timestamp: z.int().min(0).optional(),
}

/** What a message to a device may carry besides its content. */
export const deviceFields = {
  ...contentFields,
  group: roomSchema.optional(),
  newsletter: roomSchema.optional(),
  story: z.unknown().optional(),
  historical: z.boolean().optional(),
  /** Fields of the content beside these: what engines tell of orders, invitations and the like. */
  content: z.unknown().optional(),
  /** What the engine knows the peer by, besides what the message says. */
  peer: z.object({ phone: z.string().optional(), lid: z.string().optional() }).optional(),
}
const deviceMessageSchema = z.object(deviceFields)
export type DeviceMessage = z.infer<typeof deviceMessageSchema>

/** Leaves out what was not given, because the gateway tells absent from undefined. */
export function present<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

function toDeviceMedia(media: GivenMedia, served: ServedMedia, origin: string): NonNullable<BridgeContent['media']> {
  const { mimeType, fileName, voice, waveform } = media
  const facts = { mimeType, fileName, voice, waveform }
  if ('url' in media)
    return present({ url: media.url, size: media.size, ...facts }) as NonNullable<BridgeContent['media']>
  const bytes = Buffer.from(media.base64, 'base64')
  return present({ url: origin + served.add(bytes, mimeType), size: bytes.length, ...facts }) as NonNullable<
    BridgeContent['media']
  >
}

/** The message in the form of the device network; a file given as bytes gets an address below `origin`. */
export function toPeerMessage(from: string, message: DeviceMessage, served: ServedMedia, origin: string): PeerMessage {
  const { type, text, media, location, contacts, reaction, buttons, cards } = message
  const { quoted, group, newsletter, story, fromName, historical, timestamp, peer } = message
  const content = present({
    ...(isFields(message.content) ? message.content : {}),
    type,
    text,
    location,
    contacts,
    reaction,
    buttons,
    cards,
    media: media && toDeviceMedia(media, served, origin),
  }) as BridgeContent
  return {
    from,
    content,
    ...present({
      quoted,
      story,
      fromName,
      historical,
      timestamp,
      peer: peer && present(peer),
      group: toRoom(group),
      newsletter: toRoom(newsletter),
    }),
  } as PeerMessage
}

function toRoom(room: DeviceMessage['group']): DeviceMessage['group'] {
  return typeof room === 'object' ? present(room) : room
}

/** Body of `POST /control/devices/{number}/history`. */
export function readHistory(body: unknown): readonly (DeviceMessage & { readonly from: string })[] {
  return readBody(
    z.object({
      messages: z
        .array(z.object({ ...deviceFields, from: z.string() }))
        .min(1)
        .max(10_000),
    }),
    body,
  ).messages
}
