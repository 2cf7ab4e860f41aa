import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { KeyId } from '../../domain/ids.ts'
import type { KeyStore, Regenerated, RegenerationClaim } from '../../ports/stores/key-store.ts'

export interface RegenerateKeyDeps {
  readonly keys: Pick<KeyStore, 'rotateOwnKey'>
  /** Forgets on every node whom the key proved to be. */
  readonly revokeCallers: (keyId: KeyId) => Promise<void>
}

/**
 * Replaces the calling key itself, refused from the next request on (spec: API keys), together with the first answer to its
 * Idempotency-Key. Refusals: UNAUTHENTICATED when it was replaced meanwhile.
 */
export async function regenerateKey(
  { keys, revokeCallers }: RegenerateKeyDeps, keyId: KeyId, claim: RegenerationClaim | null,
): Promise<Outcome<Exclude<Regenerated, { kind: 'gone' }>>> {
  const regenerated = await keys.rotateOwnKey(keyId, claim)
  await revokeCallers(keyId)
  return regenerated.kind === 'gone' ? fail(refuse('UNAUTHENTICATED', 'The key was replaced meanwhile')) : succeed(regenerated)
}
