import { createHash, randomBytes } from 'node:crypto'
import { REALTIME_TOKEN_MS } from '../../src/domain/limits.ts'
import type { CallId, NumberId, TenantId } from '../../src/domain/ids.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { SessionMode } from '../../src/domain/realtime-session.ts'

/** The call and mode that a token opens. */
export interface TokenBinding {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly callId: CallId
  readonly mode: SessionMode
  /**
   * Id of the caller that the token was minted for; null when the gateway did not name one. Never logged, because key
   * ids authenticate.
   */
  readonly by: string | null
  /** True when the session takes the call over from the one that talks; false when missing. */
  readonly takesOver?: boolean
}

export interface MintedToken {
  /** 43 base64url characters: 32 random bytes ([realtime.session.4]). It is given out once and never stored. */
  readonly token: string
  /** ms since the epoch, for the caller to read. */
  readonly expiresAtMs: number
}

export type TokenState = 'valid' | 'used' | 'expired'

/** A token as the book stores it. */
export interface KnownToken {
  readonly binding: TokenBinding
  state(): TokenState
  /** Consumes the token. True for exactly one caller, and only while the token is valid. */
  consume(): boolean
}

/** Our choice: most tokens remembered for a call; a further one forgets the first. No honest caller mints that many. */
const TOKENS_PER_CALL = 1_000

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}

/**
 * Stores single-use tokens as SHA-256 until their call is forgotten, so that used and expired ones differ from invented
 * ones. All is synchronous in one process: of any number of parallel upgrades, `consume` is true for one.
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

  /** The token; null when it was never minted for this call, which includes tokens of other calls. */
  find(token: string, callId: string): KnownToken | null {
    const known = this.#tokens.get(hashOf(token))
    return known && known.binding.callId === callId ? known : null
  }

  /**
   * Forgets the unused tokens of this caller, or of this number, as if they had never been minted. Used ones stay known
   * as used, and their sessions go on.
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
