import type { BridgeContent } from '../../src/domain/device-bridge.ts'
import { ByteStore } from '../media/byte-store.ts'
import { fetchMedia } from '../media/fetch-media.ts'
import { BridgeRefusal } from './refusal.ts'

/** our choice: bytes of larger media are only hashed, not kept. */
const MAX_KEPT_BYTES = 1024 * 1024

/** A file that a gateway number sent, as the engine found it at its address. */
export interface SentMedia {
  /** Hex. */
  readonly sha256: string
  readonly sizeBytes: number
  /** Type as the gateway named it, else as the address did. */
  readonly mimeType: string
  readonly fileName: string | null
  readonly voice: boolean
  readonly waveform: readonly number[] | null
}

interface Address {
  readonly url: string
  readonly mimeType: string | null
  readonly fileName: string | null
  readonly voice: boolean
  readonly waveform: readonly number[] | null
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function toAddress(media: unknown): Address[] {
  const [url, mimeType, fileName] = ['url', 'mimeType', 'fileName'].map((name) => fieldOf(media, name))
  if (media === undefined) return []
  if (typeof url !== 'string') throw new BridgeRefusal('INVALID', 'media: has no url')
  const waveform = fieldOf(media, 'waveform')
  return [
    {
      url,
      mimeType: typeof mimeType === 'string' ? mimeType : null,
      fileName: typeof fileName === 'string' ? fileName : null,
      voice: fieldOf(media, 'voice') === true,
      waveform: Array.isArray(waveform) ? waveform.map(Number) : null,
    },
  ]
}

/** Addresses of the message's own file and of its cards: under `media`, or an `image` with an address. */
function addressesOf({ media, cards }: BridgeContent): Address[] {
  const ofCards: unknown[] = Array.isArray(cards) ? cards : []
  return [
    ...toAddress(media),
    ...ofCards.flatMap((card) => {
      const image = fieldOf(card, 'image')
      return toAddress(fieldOf(card, 'media') ?? (typeof image === 'string' ? { url: image } : image))
    }),
  ]
}

/** Fetches the files of messages before they are sent, as engines do. */
export class MessageFetcher {
  readonly #bytes = new ByteStore()

  /** Fetches all files of a message. Refuses with FAILED, not to be repeated, when one cannot be fetched. */
  async fetchAll(externalMessageId: string, content: BridgeContent): Promise<SentMedia[]> {
    return await Promise.all(
      addressesOf(content).map(async ({ url, mimeType, ...rest }, index) => {
        const fetched = await fetchMedia(url).catch(() => {
          throw new BridgeRefusal('FAILED', 'media')
        })
        if (fetched.sizeBytes <= MAX_KEPT_BYTES) this.#bytes.keep(`${externalMessageId} ${index}`, fetched.bytes)
        return { sha256: fetched.sha256, sizeBytes: fetched.sizeBytes, mimeType: mimeType ?? fetched.mimeType, ...rest }
      }),
    )
  }

  /** Bytes of one file of a message; null when they are no longer kept or never were. */
  bytesOf(externalMessageId: string, index: number): Buffer | null {
    return this.#bytes.get(`${externalMessageId} ${index}`)
  }

  clear(): void {
    this.#bytes.clear()
  }
}
