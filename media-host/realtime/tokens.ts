import { createHash, randomBytes } from 'node:crypto'
import { REALTIME_TOKEN_MS } from '../../src/domain/limits.ts'
import type { CallId, NumberId, TenantId } from '../../src/domain/ids.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { SessionMode } from './protocol.ts'

/** What a token opens. */
export interface TokenBinding {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly callId: CallId
  readonly mode: SessionMode
  /** Id of the caller it was minted for; null when the gateway did not tell. Never logged: key ids authenticate. */
  readonly by: string | null
}

export interface MintedToken {
  /** 43 base64url characters: 32 random bytes ([realtime.session.4]). Given out once, never kept. */
  readonly token: string
  /** ms since the epoch, for the caller to see. */
  readonly expiresAtMs: number
}

export type TokenState = 'valid' | 'used' | 'expired'

/** A token as the book keeps it. */
export interface KnownToken {
  readonly binding: TokenBinding
  state(): TokenState
  /** Uses the token up; true for exactly one caller, and only while it is valid. */
  consume(): boolean
}

/** Our choice: tokens remembered per call; one more forgets the first. Nobody mints that many in good faith. */
const TOKENS_PER_CALL = 1_000

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}

/**
 * Keeps single-use tokens by their SHA-256 until their call is forgotten, so that used and
 * expired ones can be told from invented ones. Everything here is synchronous in one process:
 * of any number of parallel upgrades one sees `consume` answer true.
 */
export class TokenBook {
  readonly #clock: Clock
  readonly #tokens = new Map<string, KnownToken>()
  readonly #byCall = new Map<CallId, string[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  mint(binding: TokenBinding): MintedToken {
    const token = randomBytes(32).toString('base64url')
    const hash = hashOf(token)
    this.#tokens.set(hash, this.#known(binding))
    const hashes = this.#byCall.get(binding.callId) ?? []
    hashes.push(hash)
    this.#byCall.set(binding.callId, hashes)
    const surplus = hashes.length > TOKENS_PER_CALL ? hashes.shift() : undefined
    if (surplus !== undefined) this.#tokens.delete(surplus)
    return { token, expiresAtMs: this.#clock.now() + REALTIME_TOKEN_MS }
  }

  /** Answers null for a token that was never minted for this call, a token of another call included. */
  find(token: string, callId: string): KnownToken | null {
    const known = this.#tokens.get(hashOf(token))
    return known && known.binding.callId === callId ? known : null
  }

  /**
   * Makes the unused tokens of this caller, or of this number, unknown, as if they had never been minted. Used ones are
   * still told to be used: their sessions go on.
   */
  revoke(by: string): void {
    for (const [hash, { binding, state }] of this.#tokens) {
      if ((binding.by === by || binding.numberId === by) && state() !== 'used') this.#tokens.delete(hash)
    }
  }

  forgetCall(callId: CallId): void {
    for (const hash of this.#byCall.get(callId) ?? []) this.#tokens.delete(hash)
    this.#byCall.delete(callId)
  }

  #known(binding: TokenBinding): KnownToken {
    const clock = this.#clock
    const deadlineMs = clock.monotonicMs() + REALTIME_TOKEN_MS
    let isUsed = false
    const state = (): TokenState => {
      if (isUsed) return 'used'
      return clock.monotonicMs() < deadlineMs ? 'valid' : 'expired'
    }
    return {
      binding,
      state,
      consume() {
        if (state() !== 'valid') return false
        isUsed = true
        return true
      },
    }
  }
}
