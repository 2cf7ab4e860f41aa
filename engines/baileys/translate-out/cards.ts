import type { BridgeContent } from '../../../src/domain/device-bridge.ts'

type Media = NonNullable<BridgeContent['media']>

/** The pictures of the cards of a carousel, in their order; those without an address are left out. */
export function cardsOf(cards: unknown): Media[] {
  return (Array.isArray(cards) ? (cards as unknown[]) : []).flatMap((card) => {
    const media =
      typeof card === 'object' && card !== null ? (card as { readonly media?: Partial<Media> }).media : undefined
    return typeof media?.url === 'string'
      ? [{ ...media, url: media.url, mimeType: media.mimeType ?? 'image/jpeg' }]
      : []
  })
}
