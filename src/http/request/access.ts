import type { Caller, Reach } from '../../domain/caller.ts'
import type { EmbedSession } from '../../domain/embed-session.ts'
import { refuse } from '../../domain/errors.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { ChannelNumber, NumberRef } from '../../domain/number.ts'
import type { WebSession } from '../../domain/web-session.ts'

/**
 * Who may call a route, and what the route acts on.
 *
 * `by`: the kinds of callers, each with its proof. `key`: an API key ([keys.credentials.1]). `grant`: an access token
 * of a grant ([oauth.tokens.1]). `session`: the cookie of a dashboard session, with the CSRF token where the method is
 * unsafe ([sessions.csrf.2]); it calls routes of /v1 below /api/v1 ([sessions.second-door.1]). `embed`: the token of an
 * embed session ([embeds.tokens.2]). `agent`: a program with tools, by token or key ([tools.credentials.1]). `link`:
 * the secret in the path, a pairing token or the id of a file. `nobody`: no proof is asked for. Grants and sessions
 * also need the route's permission.
 */
export type Access =
  | AccessToAccount
  | AccessToLink
  | AccessToOwn
  | { readonly by: readonly ['nobody']; readonly of: 'service' }

export type AccessBy = Access['by'][number]

interface AccessToAccount {
  readonly by: readonly ['key', ...('grant' | 'session')[]] | readonly ['session']
  readonly of: keyof OfAccount
}

interface AccessToLink {
  readonly by: readonly ['link', 'session'] | readonly ['link'] | readonly ['session']
  /** The route acts on what the secret in the path links to. Requests count for the link itself. */
  readonly of: 'link'
}

type AccessToOwn = {
  [B in keyof OfCaller]: {
    readonly by: readonly [B]
    /** The route acts on what the caller was let in to: its session, its inbox, its tools. No number is set. */
    readonly of: 'caller'
  }
}[keyof OfCaller]

interface Keyed {
  readonly caller: Caller
}

interface NarrowedTo extends Keyed {
  /**
   * The number that the header `x-channel-number-id` names, already found to be the tenant's; null when it names none.
   */
  readonly narrowedTo: NumberId | null
}

/** What a route of an account may act on, and so what its handler is given. */
interface OfAccount {
  /** The account. Among keys, only the tenant's may call it. */
  tenant: NarrowedTo
  /**
   * The numbers of the account; a caller that acts for some of them sees only those. Among keys, only the tenant's may
   * call it.
   */
  numbers: NarrowedTo
  /** The number of the account that the path names as `{id}`. Among keys, only the tenant's may call it. */
  pathNumber: Keyed & { readonly number: ChannelNumber }
  /** One number: a number key's own; grants and sessions name it in the header. A tenant key is refused. */
  number: Keyed & { readonly number: NumberRef }
  /** One number, as `number`, which the tenant's key may name in the header, too. */
  namedNumber: Keyed & { readonly number: NumberRef }
  /** One number: a number key's own, or the one that the body's `channelNumberId` or the header names. */
  chosenNumber: Keyed & { readonly number: NumberRef }
  /** The account, or one number: that of a number key, or the one that the header names. Every key may call it. */
  either: NarrowedTo
}

interface OfCaller {
  session: Keyed & { readonly session: WebSession }
  embed: { readonly embed: EmbedSession; readonly secretEndsAt: Date; readonly embedToken: string }
  agent: { readonly agent: Caller }
}

/** What the handler of a route is given about its caller. */
export type Granted<A extends Access> = A extends AccessToAccount
  ? OfAccount[A['of']]
  : A extends { readonly by: readonly [infer B extends keyof OfCaller]; readonly of: 'caller' }
    ? OfCaller[B]
    : object

/** What these functions need of a route. */
interface Open {
  readonly access: Access
}

/** Whether a kind of caller may call a route. */
export function opensTo({ access }: Open, by: AccessBy): boolean {
  return access.by.some((one) => one === by)
}

/** Whether a route acts on an account or its numbers, below /v1 or below /api. */
export function isOfAccount(access: Access): access is AccessToAccount {
  return access.of !== 'caller' && access.of !== 'link' && access.of !== 'service'
}

/** Whether a route acts on the tenant, so that no number key may call it. */
export function isOfTenant({ of }: Access): boolean {
  return of === 'tenant' || of === 'numbers' || of === 'pathNumber'
}

const NUMBER_ROUTE = refuse('TENANT_SCOPE_NOT_ALLOWED', 'This route acts on one number: use the key of that number')
const ACCOUNT_ROUTE = refuse('NUMBER_SCOPE_NOT_ALLOWED', "This route manages the account: use the tenant's key")
const NO_NUMBER = refuse('NUMBER_REQUIRED', 'Name the number in the header x-channel-number-id')

/**
 * What each reach is refused, null when nothing ([keys.scopes.3], [keys.scopes.4], [oauth.tokens.8],
 * [sessions.second-door.1]).
 */
const REFUSED: {
  readonly [At in Reach['at']]: (access: Access, isNamed: boolean, by: Caller['by']) => Refusal | null
} = {
  number: ofNumberKey,
  nowhere: ofNumberKey,
  tenant: (access, isNamed, by) =>
    by === 'key'
      ? ofTenantKey(access, isNamed)
      : (access.of === 'number' || access.of === 'namedNumber') && !isNamed
        ? NO_NUMBER
        : null,
  numbers: ofSomeNumbers,
}

/**
 * Why a route acts on more, or less, than a caller may act for; null when it does not. `isNamed`: the header names a
 * number.
 */
export function scopeRefusal({ access }: Open, { by, reach }: Caller, isNamed: boolean): Refusal | null {
  return isOfAccount(access) ? REFUSED[reach.at](access, isNamed, by) : null
}

function ofNumberKey(access: Access): Refusal | null {
  return isOfTenant(access) ? ACCOUNT_ROUTE : null
}

/** A tenant key may act on the number that it names in the header, where the route allows it ([leads.scope.5]). */
function ofTenantKey({ of }: Access, isNamed: boolean): Refusal | null {
  return of === 'number' || (of === 'namedNumber' && !isNamed) ? NUMBER_ROUTE : null
}

/**
 * our choice: a grant over some numbers may call those routes of the account that act on its numbers. What else a
 * number key is refused, such as Pages of leads, it is refused, too.
 */
function ofSomeNumbers(access: Access, isNamed: boolean): Refusal | null {
  if (isOfTenant(access)) return access.of === 'tenant' ? ACCOUNT_ROUTE : null
  return isNamed ? null : NO_NUMBER
}
