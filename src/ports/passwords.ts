import type { Outcome } from '../domain/errors.ts'

/** Who has a password hashed. */
export interface Payer {
  /** Its address, or network of IPv6. */
  readonly address: string
  /** Proved something already: a session, an invitation, or a browser that signed in to the account before. */
  readonly isKnown: boolean
}

/** Hashes of passwords, which are slow on purpose: few at once, the known before all others, and few waiting. */
export interface Passwords {
  /**
   * A new hash with its parameters and its salt. Refusals: BUSY where too many wait, or too many of the payer's
   * address.
   */
  hash(password: string, payer: Payer): Promise<Outcome<string>>
  /** Whether a hash is of a password; the same work for no hash, which is of none. Refusals: BUSY. */
  isRight(password: string, hash: string | null, payer: Payer): Promise<Outcome<boolean>>
}
