import { fail, refuse, succeed } from '../domain/errors.ts'
import type { Outcome } from '../domain/errors.ts'
import { createAddressGuard } from './address-guard.ts'
import type { AddressGuard } from './address-guard.ts'
import { resolveGuarded, systemResolve } from './guarded-lookup.ts'
import type { Resolve } from './guarded-lookup.ts'
import { checkUrl } from './url-guard.ts'

/** Decides which addresses of tenants may be dialled. */
export interface DialGuard {
  readonly guard: AddressGuard
  readonly resolve: Resolve
}

/** Makes the guard from the entries of EGRESS_ALLOW, over the resolver of the system. */
export function createDialGuard(egressAllow: readonly string[]): DialGuard {
  return { guard: createAddressGuard(egressAllow), resolve: systemResolve }
}

/**
 * Checks an address before anything is dialled: `wss:`, or `ws:` of a host that the operator let through. Refusals:
 * VALIDATION, MEDIA_URL_FORBIDDEN ([voice.connect-to.7]). A name without an address is dialled, and fails then.
 */
export async function checkDialled(address: string, { guard, resolve }: DialGuard): Promise<Outcome<string>> {
  const scheme = /^wss?:/i.exec(address)?.[0].toLowerCase()
  if (scheme === undefined) return fail(refuse('VALIDATION', 'connectTo must be a wss: address'))
  // The guard knows the schemes that these are made of (RFC 6455 section 3).
  const checked = checkUrl(address.replace(/^ws/i, 'http'), guard)
  if (!checked.ok)
    return fail(
      checked.failure.kind === 'forbidden'
        ? refuse('MEDIA_URL_FORBIDDEN', checked.failure.message)
        : refuse('VALIDATION', 'connectTo must be a complete wss: address'),
    )
  const { url, host, isLiteral } = checked.value
  if (scheme === 'ws:' && !guard.isLifted(host))
    return fail(refuse('MEDIA_URL_FORBIDDEN', 'connectTo must be a wss: address, so that nobody else hears the call'))
  const resolved = isLiteral ? null : await resolveGuarded(host, resolve, guard)
  if (resolved?.ok === false && resolved.failure.kind === 'forbidden')
    return fail(refuse('MEDIA_URL_FORBIDDEN', resolved.failure.message))
  return succeed(url.href.replace(/^http/, 'ws'))
}
