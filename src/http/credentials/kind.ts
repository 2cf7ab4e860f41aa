import type { Caller } from '../../domain/caller.ts'
import type { HttpContext } from '../request/context.ts'

/** A credential of a request, and its kind. */
export interface SentCredential {
  readonly kind: CredentialKind
  readonly sent: string
}

/** One kind of credential. */
export interface CredentialKind {
  /** Unique, so that what one kind proved is never recalled for a credential of another kind with the same text. */
  readonly name: string
  /** What to send, for a caller that sent nothing; the words of all kinds are joined by "or". */
  readonly asked: string
  /**
   * True for tokens: beside a credential of another kind they are 400 ([oauth.tokens.2]), and their refusals name where
   * tokens come from ([oauth.tokens.4]).
   */
  readonly isToken?: boolean
  /** The credential of this kind in the request; empty when there is none. */
  readonly find: (ctx: HttpContext) => string
  /** The caller, null when the credential proves nobody. Asks the store when the caller is not remembered. */
  readonly prove: (sent: string) => Promise<Caller | null>
  /**
   * The caller whose credential replaced itself with this Idempotency-Key a short while ago ([rest.idempotency.6]);
   * absent for kinds that cannot.
   */
  readonly proveReplaced?: (sent: string, idempotencyKey: string) => Promise<Caller | null>
}
