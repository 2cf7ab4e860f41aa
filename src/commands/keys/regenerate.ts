import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { Caller } from '../../domain/caller.ts'
import type { KeyId, TenantId } from '../../domain/ids.ts'
import type { KeyStore, Regenerated, RegenerationClaim } from '../../ports/stores/key-store.ts'

export interface RegenerateKeyDeps {
  readonly keys: Pick<KeyStore, 'rotateOwnKey' | 'rotateKeyBySession'>
  /** Forgets on every node whom the key proved to be. */
  readonly revokeCallers: (id: KeyId | TenantId) => Promise<void>
}

/**
 * Replaces the calling key itself, refused from the next request on (spec: API keys), together with the first answer to
 * its Idempotency-Key. In the dashboard that is the key of the tenant, and the session that asks is the one that goes
 * on (contract 19). Refusals: UNAUTHENTICATED when the key was replaced meanwhile; PERMISSION_DENIED to tokens, which
 * have no key.
 */
export async function regenerateKey(
  deps: RegenerateKeyDeps,
  caller: Caller,
  claim: RegenerationClaim | null,
): Promise<Outcome<Exclude<Regenerated, { kind: 'gone' }>>> {
  if (caller.by === 'grant') return fail(refuse('PERMISSION_DENIED', 'No token opens this route'))
  const regenerated = await rotated(deps.keys, caller, claim)
  await deps.revokeCallers(caller.by === 'key' ? caller.id : caller.tenantId)
  return regenerated.kind === 'gone'
    ? fail(refuse('UNAUTHENTICATED', 'The key was replaced meanwhile'))
    : succeed(regenerated)
}

function rotated(
  keys: RegenerateKeyDeps['keys'],
  caller: Exclude<Caller, { by: 'grant' }>,
  claim: RegenerationClaim | null,
): Promise<Regenerated> {
  return caller.by === 'key'
    ? keys.rotateOwnKey(caller.id, claim)
    : keys.rotateKeyBySession({ tenantId: caller.tenantId, sessionId: caller.id }, claim)
}
