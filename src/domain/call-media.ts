import { z } from 'zod'

/** Samples a second of raw audio, both ways. */
export const PCM16_RATES_HZ = [8_000, 16_000, 24_000, 48_000] as const
export type Pcm16RateHz = (typeof PCM16_RATES_HZ)[number]

const text = z.string().min(1)

const webrtc = z.object({ kind: z.literal('webrtc'), sdp: text })

/**
 * Samples over a WebSocket ([engines.pcm16.2]): the side that names `url` listens, the other connects with `token` as
 * its bearer, and names neither.
 */
const pcm16 = z
  .object({
    kind: z.literal('pcm16'),
    rateHz: z.literal(PCM16_RATES_HZ),
    url: text.refine(isSocketUrl, 'is no ws: or wss: URL').exactOptional(),
    token: text.exactOptional(),
  })
  .refine(({ url, token }) => (url === undefined) === (token === undefined), 'has one of url and token')

/** How the audio of a call may travel between engine and gateway; a further kind is a further row. */
const KINDS = [webrtc, pcm16] as const

/** Reads the media of a call; fields that its kind does not have do not get in. */
export const callMedia = z.discriminatedUnion('kind', KINDS)
export type CallMedia = Readonly<z.output<typeof callMedia>>
export type Pcm16Media = Extract<CallMedia, { readonly kind: 'pcm16' }>

export type CallMediaKind = CallMedia['kind']
export const CALL_MEDIA_KINDS: readonly CallMediaKind[] = KINDS.map(({ shape }) => shape.kind.value)

/**
 * Writes one text for any kind: the SDP of a WebRTC leg, or JSON. What stands between engine and media host passes it
 * on unread, as it always passed SDP.
 */
export function describeMedia(media: CallMedia): string {
  return media.kind === 'webrtc' ? media.sdp : JSON.stringify(media)
}

/**
 * Tells the kind of a description; every SDP begins with `v=` (RFC 8866 section 5.1). JSON that cannot be read is left
 * to the leg of raw audio, which refuses it.
 */
export function kindOfDescription(description: string): CallMediaKind {
  return readDescription(description)?.kind ?? 'pcm16'
}

/** Reads a description back; null when it is JSON of another form. SDP is not read: whoever applies it judges it. */
export function readDescription(description: string): CallMedia | null {
  if (!description.startsWith('{')) return { kind: 'webrtc', sdp: description }
  try {
    return callMedia.parse(JSON.parse(description))
  } catch {
    return null
  }
}

/** True of a ws: or wss: URL that holds no user or password. */
export function isSocketUrl(url: string): boolean {
  const parsed = URL.parse(url)
  return (
    parsed !== null
    && (parsed.protocol === 'ws:' || parsed.protocol === 'wss:')
    && parsed.username === ''
    && parsed.password === ''
  )
}

/** What a row may keep of an offer: null when it holds the engine's token, which is a secret. */
export function storableOffer(description: string): string | null {
  const media = readDescription(description)
  return media !== null && 'token' in media ? null : description
}
