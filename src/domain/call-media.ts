/**
 * One text for either kind of a call's audio leg: the SDP of a WebRTC leg, or JSON of a raw audio leg. What stands
 * between engine and media host passes it on unread, as it always passed SDP.
 */
import { PCM16_RATES_HZ } from './device-bridge.ts'
import type { CallMedia, Pcm16RateHz } from './device-bridge.ts'
import type { CallMediaKind } from './engine.ts'
import { isFields } from './json-fields.ts'

/** Writes a leg's description. */
export function describeMedia(media: CallMedia): string {
  return media.kind === 'webrtc' ? media.sdp : JSON.stringify(media)
}

/** Tells the kind of a description; every SDP begins with `v=` (RFC 8866 section 5.1). */
export function kindOfDescription(description: string): CallMediaKind {
  return description.startsWith('{') ? 'pcm16' : 'webrtc'
}

/** Reads a description back. Null: none that can be read. What an SDP says is left to whoever applies it. */
export function readDescription(description: string): CallMedia | null {
  if (kindOfDescription(description) === 'webrtc') return { kind: 'webrtc', sdp: description }
  try {
    return readPcm16(JSON.parse(description))
  } catch {
    return null
  }
}

function readPcm16(value: unknown): CallMedia | null {
  if (!isFields(value)) return null
  const { kind, url, token, rateHz } = value
  if (kind !== 'pcm16' || !isRate(rateHz)) return null
  if (url === undefined) return { kind, rateHz }
  if (typeof url !== 'string' || typeof token !== 'string' || token === '' || !isSocketUrl(url)) return null
  return { kind, url, token, rateHz }
}

function isRate(value: unknown): value is Pcm16RateHz {
  return PCM16_RATES_HZ.some((rateHz) => rateHz === value)
}

/** True of a ws: or wss: URL that holds no user or password. */
export function isSocketUrl(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null && (url.protocol === 'ws:' || url.protocol === 'wss:') && url.username === '' && url.password === ''
  )
}

/** What of an offer a row may keep: null where it holds a token of the engine, which is a secret. */
export function storableOffer(description: string): string | null {
  const media = readDescription(description)
  return media?.kind === 'pcm16' && media.token !== undefined ? null : description
}
