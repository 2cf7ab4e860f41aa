import type { Outcome } from '../domain/errors.ts'

/** Hashes of passwords, which are slow on purpose: few at once, and few waiting. */
export interface Passwords {
  /** A new hash with its parameters and its salt. Refusals: BUSY where too many wait, or too many of `payer`. */
  hash(password: string, payer: string): Promise<Outcome<string>>
  /** Whether a hash is of a password; the same work for no hash, which is of none. Refusals: BUSY. */
  isRight(password: string, hash: string | null, payer: string): Promise<Outcome<boolean>>
}
