import { apiKeys, type KeyCredentialDeps } from './api-key.ts'
import type { CredentialKind } from './kind.ts'

/** What the kinds need: all that they name. */
export type CredentialDeps = KeyCredentialDeps

/** Every kind of credential, in the order tried: of several in one request the first alone counts. */
export function credentialKinds(deps: CredentialDeps): readonly CredentialKind[] {
  return [...apiKeys(deps)]
}
