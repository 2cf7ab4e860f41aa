import { createHash, randomBytes } from 'node:crypto'
import type { Seal } from '../store/seal.ts'
import { MAX_REMEMBERED, MAX_TOKEN, OFFER_MS } from './limits.ts'
import { openToken, sealToken } from './sealed-token.ts'
import type { OfferedMedia } from './sealed-token.ts'

export type Taken =
  | {
      readonly kind: 'open'
      readonly media: OfferedMedia
      /** It was fetched whole: the address is used up. */ readonly finish: () => void
      /** It may be fetched again. */ readonly release: () => void
    }
  | { readonly kind: 'busy' | 'unknown' | 'unauthorized' }

/**
 * Addresses of received media, valid for 10 minutes and for one complete fetch ([engines.baileys-duties.8]). A token
 * holds its media, sealed, so that any engine with the same key serves an address whose engine has died
 * ([engine-fleet.register.11]). Our choice: a fetch that broke may be tried again; what was fetched whole is remembered
 * by the engine that served it, so each engine of a fleet serves it once.
 */
export class MediaOffers {
  readonly #seal: Seal
  readonly #now: () => number
  /** Media whose token would be too long for an address; this engine alone serves them. */
  readonly #kept = new Map<string, { readonly media: OfferedMedia; readonly expiresAt: number }>()
  /** Hashes of the tokens that are used up, with the ends of their offers. */
  readonly #used = new Map<string, number>()
  readonly #reading = new Set<string>()

  /** `now` gives ms since the epoch. */
  constructor(seal: Seal, now: () => number) {
    this.#seal = seal
    this.#now = now
  }

  /** How many addresses are remembered. */
  get size(): number {
    return this.#kept.size + this.#used.size
  }

  /** Makes the token of an address. */
  add(media: OfferedMedia): string {
    this.#forget()
    const expiresAt = this.#now() + OFFER_MS
    const sealed = sealToken(this.#seal, media, expiresAt)
    if (sealed.length <= MAX_TOKEN) return sealed
    const token = randomBytes(32).toString('base64url')
    this.#kept.set(token, { media, expiresAt })
    return token
  }

  /**
   * Takes the media of a token, for one reader at a time. `isAuthorized` says that the reader shows the bearer of the
   * bridge.
   */
  take(token: string, isAuthorized: boolean): Taken {
    this.#forget()
    const offer = this.#kept.get(token) ?? openToken(this.#seal, token)
    const name = createHash('sha256').update(token).digest('base64url')
    if (!offer || offer.expiresAt <= this.#now() || this.#used.has(name)) return { kind: 'unknown' }
    if (offer.media.needsBearer && !isAuthorized) return { kind: 'unauthorized' }
    if (this.#reading.has(name)) return { kind: 'busy' }
    this.#reading.add(name)
    return {
      kind: 'open',
      media: offer.media,
      finish: () => {
        this.#reading.delete(name)
        this.#kept.delete(token)
        this.#used.set(name, offer.expiresAt)
      },
      release: () => void this.#reading.delete(name),
    }
  }

  /** Forgets what has expired, and the oldest when there is too much. */
  #forget(): void {
    for (const [token, { expiresAt }] of this.#kept) {
      if (expiresAt > this.#now() && this.#kept.size < MAX_REMEMBERED) break
      this.#kept.delete(token)
    }
    for (const [name, expiresAt] of this.#used) {
      if (expiresAt > this.#now() && this.#used.size < MAX_REMEMBERED) break
      this.#used.delete(name)
    }
  }
}
