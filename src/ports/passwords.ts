import type { Outcome } from '../domain/errors.ts'

/** The client for whom a password is hashed. */
export interface Payer {
  /** Its address; for IPv6 its network. */
  readonly address: string
  /**
   * True when it proved something already: a session, an invitation, or a browser that signed in to the account before.
   */
  readonly isKnown: boolean
}

/** Hashes of passwords, which are slow on purpose: few run at once, known clients go first, and few may wait. */
export interface Passwords {
  /**
   * Makes a new hash with its parameters and its salt. Refusals: BUSY when too many wait, or too many of the payer's
   * address.
   */
  hash(password: string, payer: Payer): Promise<Outcome<string>>
  /** True when a hash is that of a password. Without a hash it does the same work and is false. Refusals: BUSY. */
  isRight(password: string, hash: string | null, payer: Payer): Promise<Outcome<boolean>>
}
