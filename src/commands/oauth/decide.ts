import { fail, refuse, succeed, type Outcome } from '../../domain/errors.ts'
import type { NumberId, TenantId, UserId } from '../../domain/ids.ts'
import type { Interaction } from '../../domain/oauth.ts'
import { permissionsOf, type Permission, type Role } from '../../domain/permissions.ts'
import type { ConsentPorts } from './ports.ts'

/** The person who decides, by a session of the dashboard. */
export interface Decider {
  readonly tenantId: TenantId
  /** null for a session of the tenant key or of a login link. */
  readonly userId: UserId | null
  readonly role: Role
}

/** The request to decide on, with the secret of the browser that it began in. */
export interface Question {
  readonly id: string
  readonly browserSecret: string
}

export interface Decision {
  readonly decision: 'allow' | 'deny'
  /** A subset of the scopes asked for; absent means all of them. */
  readonly scopes?: readonly Permission[] | undefined
  /** null or absent means all numbers of the account. */
  readonly numberIds?: readonly NumberId[] | null | undefined
}

export interface DecidedAnswer {
  /** The address that the browser goes to: the client's. */
  readonly redirectTo: string
  readonly outcome: 'allowed' | 'denied'
}

/** Roles that may let a client in for all numbers [oauth.consent.6]. */
const ACCOUNT_WIDE: readonly Role[] = ['OWNER', 'ADMIN']

/**
 * Decides once whether a client is let in ([oauth.consent.5]). Scopes that the role lacks are left out; when none is
 * left, the client is answered access_denied ([oauth.consent.8]). Refusals: INTERACTION_NOT_FOUND; PERMISSION_DENIED
 * when the role may not let a client in for all numbers; NUMBER_NOT_FOUND; VALIDATION for scopes that were not asked
 * for.
 */
export async function decide(
  ports: ConsentPorts,
  question: Question,
  decider: Decider,
  given: Decision,
): Promise<Outcome<DecidedAnswer>> {
  const { oauthInteractions } = ports
  if (given.decision === 'deny') return denied(ports, await oauthInteractions.deny(question.id, question.browserSecret))
  const asked = await oauthInteractions.find(question.id, question.browserSecret)
  if (!asked) return unknown()
  const surplus = (given.scopes ?? []).filter((scope) => !asked.scopes.includes(scope))
  if (surplus.length > 0)
    return fail(
      refuse(
        'VALIDATION',
        'Invalid body: scopes: the client did not ask for all of these',
        surplus.map((scope) => ({ path: 'scopes', message: `${scope} was not asked for` })),
      ),
    )
  const numberIds = given.numberIds ?? null
  if (numberIds === null && !ACCOUNT_WIDE.includes(decider.role))
    return fail(refuse('PERMISSION_DENIED', 'Your role may let a client in for chosen numbers only: name them'))
  const scopes = allowedScopes(given.scopes ?? asked.scopes, decider.role)
  if (scopes.length === 0) return denied(ports, await oauthInteractions.deny(question.id, question.browserSecret))
  const decided = await oauthInteractions.allow(question.id, question.browserSecret, {
    tenantId: decider.tenantId,
    userId: decider.userId,
    scopes,
    numberIds: numberIds && [...new Set(numberIds)],
  })
  if (decided.kind === 'unknown') return unknown()
  if (decided.kind === 'foreign number') return fail(refuse('NUMBER_NOT_FOUND', 'A number is not one of this account'))
  return succeed({ redirectTo: backTo(ports, decided.interaction, { code: decided.code }), outcome: 'allowed' })
}

/** The scopes among these that the role has, and so may give away. */
export function allowedScopes(scopes: readonly Permission[], role: Role): readonly Permission[] {
  const own = permissionsOf(role)
  return scopes.filter((scope) => own.has(scope))
}

function denied(ports: ConsentPorts, asked: Interaction | null): Outcome<DecidedAnswer> {
  return asked
    ? succeed({ redirectTo: backTo(ports, asked, { error: 'access_denied' }), outcome: 'denied' })
    : unknown()
}

/**
 * The registered address as it is written, with the answer to the client in its query; `iss` tells the client whose
 * answer it is (RFC 9207).
 */
function backTo(
  { baseUrl }: ConsentPorts,
  { redirectUri, state }: Interaction,
  said: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({ ...said, ...(state === null ? {} : { state }), iss: baseUrl })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query.toString()}`
}

function unknown(): Outcome<never> {
  return fail(
    refuse(
      'INTERACTION_NOT_FOUND',
      'This request is unknown, was decided, is older than 10 minutes, or began in another browser: start again in the app',
    ),
  )
}
