import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Regenerated, RegenerationClaim } from '../../ports/stores/key-store.ts'
import type { KeyPorts } from './ports.ts'

/**
 * Replaces the calling key itself, refused from the next request on (spec: API keys), together with the first answer to
 * its Idempotency-Key. In the dashboard that is the key of the tenant, and the session that asks is the one that goes
 * on (contract 19). Refusals: UNAUTHENTICATED when the key was replaced meanwhile; PERMISSION_DENIED to tokens, which
 * have no key.
 */
export async function regenerateKey(
  ports: KeyPorts,
  caller: Caller,
  claim: RegenerationClaim | null,
): Promise<Outcome<Exclude<Regenerated, { kind: 'gone' }>>> {
  if (caller.by === 'grant') return fail(refuse('PERMISSION_DENIED', 'No token opens this route'))
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
