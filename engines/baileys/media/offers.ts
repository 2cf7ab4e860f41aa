import { randomBytes } from 'node:crypto'
import type { MediaReference } from '../translate-in/media-reference.ts'
import { MAX_OFFERS, OFFER_MS } from './limits.ts'
import type { MediaNetwork } from './received.ts'

/** A media, and the network it lies in. */
export interface OfferedMedia {
  readonly reference: MediaReference
  readonly network: () => Promise<MediaNetwork>
  /** Whoever fetches it shows the bearer of the bridge. */
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
 * Addresses of received media: 256 bits nobody can guess, good for 10 minutes and for one whole fetch
 * ([engines.baileys-duties.8]). Our choice: a fetch that broke may be tried again. They live in memory: an event that
 * is told again names a new one.
 */
export class MediaOffers {
  readonly #now: () => number
  readonly #offers = new Map<string, Offer>()

  /** `now`: ms since the epoch. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Addresses that are good. */
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

  /** Takes the media behind a token, for one reader at a time; `isAuthorized`: he shows the bearer of the bridge. */
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

  /** Oldest first, as they were made: of those that expired, and of too many. */
  #forget(): void {
    for (const [token, { expiresAt }] of this.#offers) {
      if (expiresAt > this.#now() && this.#offers.size < MAX_OFFERS) return
      this.#offers.delete(token)
    }
  }
}
