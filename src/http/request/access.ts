import type { Caller, Reach } from '../../domain/caller.ts'
import type { EmbedSession } from '../../domain/embed-session.ts'
import { refuse } from '../../domain/errors.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { ChannelNumber, NumberRef } from '../../domain/number.ts'
import type { WebSession } from '../../domain/web-session.ts'

/**
 * Who may call a route, as a row: by whom it is called, and of what it is.
 *
 * `by`, each kind with what it proves itself by. `key`: a key. `grant`: an access token of a grant (contract 14).
 * `session`: the cookie of a session of the dashboard, and its CSRF proof where the method is unsafe; what is below /v1
 * it asks for below /api/v1 (contract 19). `embed`: the token of an embed session (contract 17). `agent`: a program
 * with tools, by token or key (contract 15). `link`: the secret in the path, a pairing token or the id of a file.
 * `nobody`: nothing is asked for. What grants and sessions need besides is the route's permission.
 */
export type Access =
  | AccessToAccount
  | AccessToLink
  | AccessToOwn
  | { readonly by: readonly ['nobody']; readonly of: 'service' }

/** Every kind of caller. */
export type AccessBy = Access['by'][number]

interface AccessToAccount {
  readonly by: readonly ['key', ...('grant' | 'session')[]] | readonly ['session']
  readonly of: keyof OfAccount
}

interface AccessToLink {
  readonly by: readonly ['link', 'session'] | readonly ['link'] | readonly ['session']
  /** Of what the secret in the path is the link to, counted for the link itself. */
  readonly of: 'link'
}

type AccessToOwn = {
  [B in keyof OfCaller]: {
    readonly by: readonly [B]
    /** Of what the caller was let in to: its session, its inbox, its tools. No number is settled. */
    readonly of: 'caller'
  }
}[keyof OfCaller]

interface Keyed {
  readonly caller: Caller
}

interface NarrowedTo extends Keyed {
  /** The number named by the header `x-channel-number-id`, already found to be the tenant's. */
  readonly narrowedTo: NumberId | null
}

/** What of an account a route may be of, and so what its handler is given. */
interface OfAccount {
  /** The account. Of keys: the tenant's. */
  tenant: NarrowedTo
  /** The numbers of the account; whoever acts for some of them alone is told of these. Of keys: the tenant's. */
  numbers: NarrowedTo
  /** The number of the account that the path names as `{id}`. Of keys: the tenant's. */
  pathNumber: Keyed & { readonly number: ChannelNumber }
  /** One number. Of keys: its own; all others name it in the header. */
  number: Keyed & { readonly number: NumberRef }
  /** One number, which the tenant's key may name in the header, too. */
  namedNumber: Keyed & { readonly number: NumberRef }
  /** One number: a number key's own, or the one that the body's `channelNumberId` or the header names. */
  chosenNumber: Keyed & { readonly number: NumberRef }
  /** The account, or the number that a key is of or the header names. Of keys: any. */
  either: NarrowedTo
}

interface OfCaller {
  session: Keyed & { readonly session: WebSession }
  embed: { readonly embed: EmbedSession; readonly secretEndsAt: Date; readonly embedToken: string }
  agent: { readonly agent: Caller }
}

/** What the handler of a route is given of who calls. */
export type Granted<A extends Access> = A extends AccessToAccount
  ? OfAccount[A['of']]
  : A extends { readonly by: readonly [infer B extends keyof OfCaller]; readonly of: 'caller' }
    ? OfCaller[B]
    : object

/** What is asked of a route here. */
interface Open {
  readonly access: Access
}

/** Whether a kind of caller is among those that a route is called by. */
export function opensTo({ access }: Open, by: AccessBy): boolean {
  return access.by.some((one) => one === by)
}

/** Whether it does what a key may do, by whichever door one comes to it. */
export function isOfAccount(access: Access): access is AccessToAccount {
  return access.of !== 'caller' && access.of !== 'link' && access.of !== 'service'
}

/** Whether it is of the tenant, and so never a number key's. */
export function isOfTenant({ of }: Access): boolean {
  return of === 'tenant' || of === 'numbers' || of === 'pathNumber'
}

const NUMBER_ROUTE = refuse('TENANT_SCOPE_NOT_ALLOWED', 'This route acts on one number: use the key of that number')
const ACCOUNT_ROUTE = refuse('NUMBER_SCOPE_NOT_ALLOWED', "This route manages the account: use the tenant's key")
const NO_NUMBER = refuse('NUMBER_REQUIRED', 'Name the number in the header x-channel-number-id')

/** What each reach is refused (spec: Authentication 2, 3; contract 14, 19); null: nothing. */
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

/** Why a route is about more, or less, than a caller acts for; `isNamed`: the header names a number. */
export function scopeRefusal({ access }: Open, { by, reach }: Caller, isNamed: boolean): Refusal | null {
  return isOfAccount(access) ? REFUSED[reach.at](access, isNamed, by) : null
}

function ofNumberKey(access: Access): Refusal | null {
  return isOfTenant(access) ? ACCOUNT_ROUTE : null
}

/** A tenant key that names a number acts on that one, where the route has it so (contract 12). */
function ofTenantKey({ of }: Access, isNamed: boolean): Refusal | null {
  return of === 'number' || (of === 'namedNumber' && !isNamed) ? NUMBER_ROUTE : null
}

/**
 * Our choice: of the account those routes alone that are about its numbers; what else a number key is refused, Pages of
 * leads among it, is refused here, too.
 */
function ofSomeNumbers(access: Access, isNamed: boolean): Refusal | null {
  if (isOfTenant(access)) return access.of === 'tenant' ? ACCOUNT_ROUTE : null
  return isNamed ? null : NO_NUMBER
}
