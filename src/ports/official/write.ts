import type { Refusal } from '../../domain/errors.ts'

/** What upstream said no with. */
export interface UpstreamNo {
  /** Null when the answer names none. */
  readonly upstreamCode: number | null
  readonly upstreamSubcode: number | null
  /** For people where upstream has such a text (`error_user_msg`), with secrets blotted out. */
  readonly upstreamMessage: string
}

/** What came of asking upstream to write. */
export type UpstreamWrite<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** Upstream decided against it: nothing changed there. */
  | { readonly kind: 'refused'; readonly no: UpstreamNo }
  /** Nothing changed for certain, and a later try may work: upstream throttles, or no byte left. */
  | { readonly kind: 'unsent'; readonly refusal: Refusal }
  /** No answer, an answer that cannot be read, or a fault of upstream's: it may have been done. */
  | { readonly kind: 'unknown'; readonly refusal: Refusal }
