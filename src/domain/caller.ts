import type { GrantId, KeyId, NumberId, TenantId, UserId, WebSessionId } from './ids.ts'
import type { RequestLimits } from './limits.ts'
import type { NumberRef } from './number.ts'
import type { Permission } from './permissions.ts'
import type { UserRef } from './user.ts'

/** The kinds of callers, by what proved them, each with the facts that it alone has. */
interface CallerFacts {
  /** Key ids authenticate: they are never logged. */
  key: { readonly id: KeyId }
  /** A session of the dashboard ([sessions.cookie.1]). */
  session: {
    readonly id: WebSessionId
    /**
     * Null when the tenant's key or a login token opened it; such a session acts as an OWNER ([people.permissions.14]).
     */
    readonly user: UserRef | null
  }
  /** An access token of a grant ([oauth.tokens.1]). */
  grant: {
    readonly id: GrantId
    /**
     * The person who granted, whose role bounds it. Null when a session of the tenant key granted, which is nobody's.
     */
    readonly userId: UserId | null
    /**
     * What the user's present role has, granted or not: only there does asking for a further scope help
     * ([oauth.tokens.5]).
     */
    readonly rolePermissions: ReadonlySet<Permission>
  }
}

export type CallerKind = keyof CallerFacts
export type CallerId = CallerFacts[CallerKind]['id']

/** What a caller may act for. */
export type Reach =
  | { readonly at: 'tenant' }
  | { readonly at: 'number'; readonly number: NumberRef }
  /** Some numbers of the tenant, and nothing else of it; each request names the one number that it is for. */
  | { readonly at: 'numbers'; readonly numberIds: readonly NumberId[] }
  /** A credential of numbers that has no number any more: 400 NUMBER_NOT_BOUND. */
  | { readonly at: 'nowhere' }

/** What a caller may do within its reach. Classic keys know no roles ([people.permissions.13]). */
export type Permissions = 'all' | ReadonlySet<Permission>

type ProvedBy<K extends CallerKind> = CallerFacts[K] & {
  /**
   * Its `id` counts limits, remembers callers and names revocations: of a key the key id, which changes with the key.
   */
  readonly by: K
  readonly tenantId: TenantId
  readonly reach: Reach
  readonly permissions: Permissions
  readonly limits: RequestLimits
}

/** Who calls, whatever proved it. */
export type Caller = { [K in CallerKind]: ProvedBy<K> }[CallerKind]

/** A caller that a classic key proved. */
export type KeyCaller = Extract<Caller, { by: 'key' }>

/** The owner of the first answers that a request finds by its Idempotency-Key. */
export type AnswersOwner = NumberId | TenantId | CallerId | InboxOwner
type InboxOwner = `inbox:${TenantId}:${string}`

/**
 * Names the owner of a caller's Idempotency-Keys. A key's belong to its number, or to its tenant where it acts for all
 * of it, and never to the key, so that a rotation does nothing twice ([rest.idempotency.5]); a token's to its grant
 * ([oauth.tokens.15]). Our choice: a key that lost its number owns its own, and so does a session, since other sessions
 * are other people.
 */
export function answersOwner({ by, id, tenantId, reach }: Caller): AnswersOwner {
  if (by !== 'key' || reach.at === 'nowhere' || reach.at === 'numbers') return id
  return reach.at === 'tenant' ? tenantId : reach.number.id
}

/**
 * Names the owner of the Idempotency-Keys of what inboxes send: the conversation written to, or the message sent again,
 * as the path says. It is never the session, so that a send which waits while its session is replaced goes out once.
 */
export function inboxAnswersOwner(tenantId: TenantId, sentTo: string): AnswersOwner {
  return `inbox:${tenantId}:${sentTo}`
}

/**
 * Whether the end of `gone` ends a caller, too. The id is the caller's own, its person's, its tenant's where it acts
 * for all of it, or that of a number it acts for.
 */
export function goesWith(caller: Caller, gone: string): boolean {
  const { id, tenantId, reach } = caller
  if (id === gone || (caller.by === 'grant' && caller.userId === gone)) return true
  if (reach.at === 'numbers') return reach.numberIds.some((numberId) => numberId === gone)
  return gone === (reach.at === 'number' ? reach.number.id : reach.at === 'tenant' ? tenantId : id)
}

/** Whether a number of the caller's tenant is one that it may act for. */
export function isInReach({ reach }: Caller, id: NumberId): boolean {
  if (reach.at === 'tenant') return true
  return reach.at === 'numbers' ? reach.numberIds.includes(id) : reach.at === 'number' && reach.number.id === id
}

/** The one number a caller acts for; null when it is not bound to one. */
export function boundNumber({ reach }: Caller): NumberId | null {
  return reach.at === 'number' ? reach.number.id : null
}
