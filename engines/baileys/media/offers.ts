import { randomBytes } from 'node:crypto'
import type { MediaReference } from '../translate-in/media-reference.ts'
import { MAX_OFFERS, OFFER_MS } from './limits.ts'
import type { MediaNetwork } from './received.ts'

/** Received media, and the network that holds them. */
export interface OfferedMedia {
  readonly reference: MediaReference
  readonly network: () => Promise<MediaNetwork>
  /** True when whoever fetches them must show the bearer of the bridge. */
  readonly needsBearer: boolean
}

interface Offer {
  readonly media: OfferedMedia
  readonly expiresAt: number
  isTaken: boolean
}

export type Taken =
  | {
      readonly kind: 'open'
      readonly media: OfferedMedia
      /** It was fetched whole: the address is used up. */ readonly finish: () => void
      /** It may be fetched again. */ readonly release: () => void
    }
  | { readonly kind: 'busy' | 'unknown' | 'unauthorized' }

/**
 * Addresses of received media: 256 random bits, valid for 10 minutes and for one complete fetch
 * ([engines.baileys-duties.8]). Our choice: a fetch that broke may be tried again. They exist in memory only, because
 * an event that is sent again names a new one.
 */
export class MediaOffers {
  readonly #now: () => number
  readonly #offers = new Map<string, Offer>()

  /** `now` gives ms since the epoch. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** The number of valid addresses. */
  get size(): number {
    return this.#offers.size
  }

  /** Makes the token of an address. */
  add(media: OfferedMedia): string {
    this.#forget()
    const token = randomBytes(32).toString('base64url')
    this.#offers.set(token, { media, expiresAt: this.#now() + OFFER_MS, isTaken: false })
    return token
  }

  /**
   * Takes the media of a token, for one reader at a time. `isAuthorized` says that the reader shows the bearer of the
   * bridge.
   */
  take(token: string, isAuthorized: boolean): Taken {
    this.#forget()
    const offer = this.#offers.get(token)
    if (!offer) return { kind: 'unknown' }
    if (offer.media.needsBearer && !isAuthorized) return { kind: 'unauthorized' }
    if (offer.isTaken) return { kind: 'busy' }
    offer.isTaken = true
    return {
      kind: 'open',
      media: offer.media,
      finish: () => void this.#offers.delete(token),
      release: () => {
        offer.isTaken = false
      },
    }
  }

  /** Forgets expired addresses, and the oldest when there are too many. */
  #forget(): void {
    for (const [token, { expiresAt }] of this.#offers) {
      if (expiresAt > this.#now() && this.#offers.size < MAX_OFFERS) return
      this.#offers.delete(token)
    }
  }
}
