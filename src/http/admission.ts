import type { ProviderRegistry } from '../ports/provider.ts'
import type { NumberStore } from '../ports/stores/number-store.ts'
import { credentialKinds } from './credentials/table.ts'
import type { CredentialDeps } from './credentials/table.ts'
import { authenticated } from './middlewares/authenticated.ts'
import type { AuthenticatedDeps } from './middlewares/authenticated.ts'
import { featureSupported } from './middlewares/feature-supported.ts'
import { numberKnown } from './middlewares/number-known.ts'
import { permissionHeld } from './middlewares/permission-held.ts'
import { rateLimited } from './middlewares/rate-limited.ts'
import { scopeAllowed } from './middlewares/scope-allowed.ts'
import type { HttpMiddleware } from './request/context.ts'

export interface AdmissionDeps extends AuthenticatedDeps, CredentialDeps {
  readonly numbers: NumberStore
  readonly providers: ProviderRegistry
}

/** Who calls, and may they: key -> permission -> scope -> number -> provider feature (contract 2, 14). */
export function admission(deps: AdmissionDeps): HttpMiddleware[] {
  return [
    authenticated(credentialKinds(deps), deps),
    rateLimited(deps.limiter),
    permissionHeld(),
    scopeAllowed(),
    numberKnown(deps.numbers),
    featureSupported(deps.providers),
  ]
}
