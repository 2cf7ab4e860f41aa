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

/** Who calls: sent by our own page, where a browser might be misled -> key, token or session (contract 2, 14, 15). */
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

/** May they: rate -> permission -> scope -> number -> provider feature (contract 2, 14). */
export function admission(deps: AdmissionDeps): HttpMiddleware[] {
  return [rateLimited(deps), permissionHeld(deps.baseUrl), scopeAllowed(), numberKnown(deps), featureSupported()]
}
