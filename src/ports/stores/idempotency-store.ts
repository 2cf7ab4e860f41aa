import type { AnswersOwner } from '../../domain/caller.ts'

export interface IdempotentRequest {
  /** Scope of the key: two owners may use the same text. */
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
  /** The same with the answer known already: both are kept by one write, so that no crash leaves the key claimed. */
  startAnswered(request: IdempotentRequest, answer: IdempotentAnswer): Promise<IdempotencyStart>
  /** What a repeat gets, claiming nothing; null where nothing was claimed. */
  find(request: IdempotentRequest): Promise<Exclude<IdempotencyStart, { kind: 'started' }> | null>
  /** Keeps the answer for 24 h, encrypted: answers may carry secrets shown once. */
  finish(request: IdempotentRequest, answer: IdempotentAnswer): Promise<void>
  /** Gives the claim back after a fault of ours, so that the client may try again. */
  abandon(request: IdempotentRequest): Promise<void>
  /** Deletes what is older than 24 h. Answers how many. */
  purge(): Promise<number>
}
