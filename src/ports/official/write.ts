import type { Refusal } from '../../domain/errors.ts'

/** Upstream's refusal. */
export interface UpstreamNo {
  /** Null when the answer names none. */
  readonly upstreamCode: number | null
  readonly upstreamSubcode: number | null
  /** Upstream's text for people when it has one (`error_user_msg`), with secrets blotted out. */
  readonly upstreamMessage: string
}

/** The result of asking upstream to write. */
export type UpstreamWrite<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** Upstream decided against it: nothing changed there. */
  | { readonly kind: 'refused'; readonly no: UpstreamNo }
  /** Nothing changed for certain, and a later try may work: upstream throttles, or no byte left the service. */
  | { readonly kind: 'unsent'; readonly refusal: Refusal }
  /** No answer, an unreadable one, or a fault of upstream's: the write may have taken effect. */
  | { readonly kind: 'unknown'; readonly refusal: Refusal }
