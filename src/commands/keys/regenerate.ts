import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Regenerated, RegenerationClaim } from '../../ports/stores/key-store.ts'
import type { KeyPorts } from './ports.ts'

/**
 * Replaces the calling key; from the next request on the old one is refused ([keys.routes.3], [keys.routes.6]). The
 * first answer to its Idempotency-Key is stored with it. From the dashboard it replaces the tenant's key
 * ([sessions.second-door.3]); only the session that asks goes on ([sessions.login.13]). Refusals: UNAUTHENTICATED when
 * the key was replaced meanwhile; PERMISSION_DENIED for tokens, which have no key.
 */
export async function regenerateKey(
  ports: KeyPorts,
  caller: Caller,
  claim: RegenerationClaim | null,
): Promise<Outcome<Exclude<Regenerated, { kind: 'gone' }>>> {
  if (caller.by === 'grant')
    return fail(refuse('PERMISSION_DENIED', 'Access tokens cannot be used on this route: use a key'))
  const regenerated = await rotated(ports.keys, caller, claim)
  await ports.revokeCallers(caller.by === 'key' ? caller.id : caller.tenantId)
  return regenerated.kind === 'gone'
    ? fail(refuse('UNAUTHENTICATED', 'The key was replaced meanwhile'))
    : succeed(regenerated)
}

function rotated(
  keys: KeyPorts['keys'],
  caller: Exclude<Caller, { by: 'grant' }>,
  claim: RegenerationClaim | null,
): Promise<Regenerated> {
  return caller.by === 'key'
    ? keys.rotateOwnKey(caller.id, claim)
    : keys.rotateKeyBySession({ tenantId: caller.tenantId, sessionId: caller.id }, claim)
}
