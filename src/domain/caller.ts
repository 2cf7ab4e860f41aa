import type { KeyId, NumberId, TenantId } from './ids.ts'
import type { RequestLimits } from './limits.ts'
import type { NumberRef } from './number.ts'
import type { Permission } from './permissions.ts'

/** The kinds of callers, by what proved them, each with its id. */
interface CallerIds {
  key: KeyId
}

export type CallerKind = keyof CallerIds
export type CallerId = CallerIds[CallerKind]

/** How far a caller's hand reaches. */
export type Reach =
  | { readonly at: 'tenant' }
  | { readonly at: 'number', readonly number: NumberRef }
  /** A number's credential without a number: 400 NUMBER_NOT_BOUND. */
  | { readonly at: 'nowhere' }

/** What a caller may do within its reach. Classic keys are not affected by roles (spec: Authentication 5). */
export type Permissions = 'all' | ReadonlySet<Permission>

interface ProvedBy<K extends CallerKind> {
  /**
   * Limits, remembered callers and revocations go by this text: for keys it is the key id, which changes with the key. Key ids
   * authenticate: it is never logged.
   */
  readonly id: CallerIds[K]
  readonly by: K
  readonly tenantId: TenantId
  readonly reach: Reach
  readonly permissions: Permissions
  readonly limits: RequestLimits
}

/** Who calls, whatever proved it. */
export type Caller = { [K in CallerKind]: ProvedBy<K> }[CallerKind]

/** Whose first answers a request finds by its Idempotency-Key. */
export type AnswersOwner = NumberId | TenantId | CallerId

/**
 * Owner of a caller's Idempotency-Keys (contract 2): its number, or its tenant where it acts for all of it, and never the credential, so
 * that a rotation does nothing twice. Our choice: a credential that lost its number owns its own.
 */
export function answersOwner({ id, tenantId, reach }: Caller): AnswersOwner {
  if (reach.at === 'nowhere') return id
  return reach.at === 'tenant' ? tenantId : reach.number.id
}

/** The one number a caller acts for; null when it is not bound to one. */
export function boundNumber({ reach }: Caller): NumberId | null {
  return reach.at === 'number' ? reach.number.id : null
}
