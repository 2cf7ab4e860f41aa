import type { Caller } from '../../domain/caller.ts'
import type { HttpContext } from '../request/context.ts'

/** What a request carries, and of which kind that is. */
export interface SentCredential {
  readonly kind: CredentialKind
  readonly sent: string
}

/** One kind of proof of who calls. */
export interface CredentialKind {
  /** Unique: what one kind proved is never remembered of another that looks the same. */
  readonly name: string
  /** What to send, for those who sent nothing; the words of all kinds are joined by "or". */
  readonly asked: string
  /**
   * True of tokens: 400 beside a credential of another kind, and what one is refused with names where tokens come from
   * (contract 14).
   */
  readonly isToken?: boolean
  /** What the request carries of this kind; empty when nothing. */
  readonly find: (ctx: HttpContext) => string
  /** Who that is, null when nobody; asked of the store where nobody is remembered. */
  readonly prove: (sent: string) => Promise<Caller | null>
  /** Whose it was until it replaced itself with this Idempotency-Key, not long ago; absent where none does. */
  readonly proveReplaced?: (sent: string, idempotencyKey: string) => Promise<Caller | null>
}
