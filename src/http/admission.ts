import type { NumberStore } from '../ports/stores/number-store.ts'
import { agentCredentialKinds, credentialKinds } from './credentials/table.ts'
import type { CredentialDeps } from './credentials/table.ts'
import { agentProved } from './middlewares/agent-proved.ts'
import { authenticated } from './middlewares/authenticated.ts'
import type { AuthenticatedDeps } from './middlewares/authenticated.ts'
import { csrfProved, ownPageAsked } from './middlewares/csrf-proved.ts'
import { embedProved } from './middlewares/embed-proved.ts'
import type { EmbedProvedDeps } from './middlewares/embed-proved.ts'
import { featureSupported } from './middlewares/feature-supported.ts'
import { linkNamed } from './middlewares/link-named.ts'
import { numberKnown } from './middlewares/number-known.ts'
import type { NumberKnownDeps } from './middlewares/number-known.ts'
import { permissionHeld } from './middlewares/permission-held.ts'
import { rateLimited } from './middlewares/rate-limited.ts'
import type { RateLimitDeps } from './middlewares/rate-limited.ts'
import { scopeAllowed } from './middlewares/scope-allowed.ts'
import { sessionProved } from './middlewares/session-proved.ts'
import type { SessionProvedDeps } from './middlewares/session-proved.ts'
import type { HttpMiddleware } from './request/context.ts'

export interface AdmissionDeps
  extends AuthenticatedDeps, CredentialDeps, EmbedProvedDeps, SessionProvedDeps, NumberKnownDeps, RateLimitDeps {
  readonly numbers: NumberStore
}

/**
 * Proves who calls: a page of ours where a browser might be misled ([sessions.csrf.1]), then the key, token or session
 * ([keys.credentials.1], [oauth.tokens.1], [tools.credentials.1]).
 */
export function proof(deps: AdmissionDeps): HttpMiddleware[] {
  return [
    linkNamed(),
    ownPageAsked(deps.baseUrl),
    authenticated(credentialKinds(deps), deps),
    agentProved(agentCredentialKinds(deps), deps),
    sessionProved(deps),
    csrfProved(),
    embedProved(deps),
  ]
}

/**
 * Decides whether the caller may: rate -> permission -> scope -> number -> provider feature ([rest.order.1],
 * [oauth.tokens.3]).
 */
export function admission(deps: AdmissionDeps): HttpMiddleware[] {
  return [rateLimited(deps), permissionHeld(deps.baseUrl), scopeAllowed(), numberKnown(deps), featureSupported()]
}
