import { accessTokenOf, type TokenCredentialDeps } from './access-token.ts'
import { apiKeys, bearerKey, type KeyCredentialDeps } from './api-key.ts'
import type { CredentialKind } from './kind.ts'

/** What the kinds need: the dependencies of all of them together. */
export type CredentialDeps = KeyCredentialDeps & TokenCredentialDeps

/**
 * Every kind of credential of /v1, in the order tried. The first one found in a request counts, except that a token
 * must come alone ([oauth.tokens.2]).
 */
export function credentialKinds(deps: CredentialDeps): readonly CredentialKind[] {
  return [...apiKeys(deps), accessTokenOf('v1', deps)]
}

/**
 * Every kind of credential of /mcp ([tools.credentials.1]). A key as a bearer token comes first: clients of tools know
 * no other header by themselves.
 */
export function agentCredentialKinds(deps: CredentialDeps): readonly CredentialKind[] {
  return [bearerKey(deps), accessTokenOf('mcp', deps), ...apiKeys(deps)]
}
