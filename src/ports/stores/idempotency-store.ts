import type { AnswersOwner } from '../../domain/caller.ts'

export interface IdempotentRequest {
  /** The scope of the key: two owners may use the same text. */
  readonly ownerId: AnswersOwner
  readonly key: string
  /** Hash of method, path and body. */
  readonly fingerprint: string
}

export interface IdempotentAnswer {
  readonly status: number
  readonly body: string
}

export type IdempotencyStart =
  | { readonly kind: 'started' }
  | { readonly kind: 'replay'; readonly answer: IdempotentAnswer }
  | { readonly kind: 'running' }
  | { readonly kind: 'reused' }

export interface IdempotencyStore {
  /** Claims the key atomically; a claim older than IDEMPOTENCY_LOCK_MS without an answer is taken over. */
  start(request: IdempotentRequest): Promise<IdempotencyStart>
  /** Claims the key with a known answer: one write keeps both, so that no crash leaves the key claimed without it. */
  startAnswered(request: IdempotentRequest, answer: IdempotentAnswer): Promise<IdempotencyStart>
  /** Finds what a repeated request gets, without a claim; null when nothing was claimed. */
  find(request: IdempotentRequest): Promise<Exclude<IdempotencyStart, { kind: 'started' }> | null>
  /** Keeps the answer for 24 h ([rest.idempotency.2]), encrypted: answers may carry secrets that are shown once. */
  finish(request: IdempotentRequest, answer: IdempotentAnswer): Promise<void>
  /** Gives the claim back after a fault of the service, so that the client may try again. */
  abandon(request: IdempotentRequest): Promise<void>
  /** Deletes what is older than 24 h. Gives the number of rows. */
  purge(): Promise<number>
}
