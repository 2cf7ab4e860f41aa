import { accessTokenOf, type TokenCredentialDeps } from './access-token.ts'
import { apiKeys, bearerKey, type KeyCredentialDeps } from './api-key.ts'
import type { CredentialKind } from './kind.ts'

/** What the kinds need: all that they name. */
export type CredentialDeps = KeyCredentialDeps & TokenCredentialDeps

/**
 * Every kind of credential, in the order tried: of several in one request the first alone counts, but a token stands by
 * itself.
 */
export function credentialKinds(deps: CredentialDeps): readonly CredentialKind[] {
  return [...apiKeys(deps), accessTokenOf('v1', deps)]
}

/**
 * Those of programs with tools, a key as a bearer token first: clients of tools know no other header by themselves
 * (contract 15).
 */
export function agentCredentialKinds(deps: CredentialDeps): readonly CredentialKind[] {
  return [bearerKey(deps), accessTokenOf('mcp', deps), ...apiKeys(deps)]
}
