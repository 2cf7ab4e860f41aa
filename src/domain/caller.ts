import type { GrantId, KeyId, NumberId, TenantId, UserId, WebSessionId } from './ids.ts'
import type { RequestLimits } from './limits.ts'
import type { NumberRef } from './number.ts'
import type { Permission } from './permissions.ts'
import type { UserRef } from './user.ts'

/** The kinds of callers, by what proved them, with what each alone has. */
interface CallerFacts {
  /** Key ids authenticate: they are never logged. */
  key: { readonly id: KeyId }
  /** A session of the dashboard (contract 19). */
  session: {
    readonly id: WebSessionId
    /** Null: opened by the tenant's key or a login token, which act as an OWNER. */
    readonly user: UserRef | null
  }
  /** An access token of a grant (contract 14). */
  grant: {
    readonly id: GrantId
    /** Whose it is: with that person's role it changes. Null: nobody's, granted in a session of the tenant key. */
    readonly userId: UserId | null
    /** What the user's present role has, granted or not: asking for more helps there alone. */
    readonly rolePermissions: ReadonlySet<Permission>
  }
}

export type CallerKind = keyof CallerFacts
export type CallerId = CallerFacts[CallerKind]['id']

/** How far a caller's hand reaches. */
export type Reach =
  | { readonly at: 'tenant' }
  | { readonly at: 'number'; readonly number: NumberRef }
  /** Some numbers of the tenant and nothing of it beside them; each request names the one that it is for. */
  | { readonly at: 'numbers'; readonly numberIds: readonly NumberId[] }
  /** A number's credential without a number: 400 NUMBER_NOT_BOUND. */
  | { readonly at: 'nowhere' }

/** What a caller may do within its reach. Classic keys are not affected by roles (spec: Authentication 5). */
export type Permissions = 'all' | ReadonlySet<Permission>

type ProvedBy<K extends CallerKind> = CallerFacts[K] & {
  /** Limits, remembered callers and revocations go by its `id`: for keys the key id, which changes with the key. */
  readonly by: K
  readonly tenantId: TenantId
  readonly reach: Reach
  readonly permissions: Permissions
  readonly limits: RequestLimits
}

/** Who calls, whatever proved it. */
export type Caller = { [K in CallerKind]: ProvedBy<K> }[CallerKind]

/** A classic key. */
export type KeyCaller = Extract<Caller, { by: 'key' }>

/** Whose first answers a request finds by its Idempotency-Key. */
export type AnswersOwner = NumberId | TenantId | CallerId | InboxOwner
type InboxOwner = `inbox:${TenantId}:${string}`

/**
 * Owner of a caller's Idempotency-Keys: of a key its number, or its tenant where it acts for all of it, and never the
 * key, so that a rotation does nothing twice (contract 2); of a token its grant (contract 14). Our choice: a key that
 * lost its number owns its own, and so does a session, since other sessions are other people.
 */
export function answersOwner({ by, id, tenantId, reach }: Caller): AnswersOwner {
  if (by !== 'key' || reach.at === 'nowhere' || reach.at === 'numbers') return id
  return reach.at === 'tenant' ? tenantId : reach.number.id
}

/**
 * Owner of the Idempotency-Keys of what is sent from inboxes: the conversation or message it is sent to or again, named
 * by the path, and never the session, so that a send which waits while its session is replaced goes out once.
 */
export function inboxAnswersOwner(tenantId: TenantId, sentTo: string): AnswersOwner {
  return `inbox:${tenantId}:${sentTo}`
}

/**
 * Whether a caller is gone with this id: its own, that of its person, that of its tenant where it acts for all of it,
 * or that of a number it acts for.
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
