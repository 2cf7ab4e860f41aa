import { createConsents, type ConsentCommands } from '../commands/oauth/consents.ts'
import { createGuardedFetch } from '../net/guarded-fetch.ts'
import { createAuthorizationServer } from '../oauth/authorization-server.ts'
import type { AuthorizationServer } from '../ports/authorization-server.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'

/** our choice: most metadata documents fetched from one host at a time. */
const CONNECTIONS_PER_ORIGIN = 2

export interface OAuth {
  readonly authorizationServer: AuthorizationServer
  readonly isRegistrationOpen: boolean
  readonly consentCommands: ConsentCommands
}

/** Opens the authorization server, with a guarded fetch of its own for metadata documents. */
export function openOAuth({ config, clock, closing }: Core, stores: Stores, baseUrl: string): OAuth {
  const fetchUrl = createGuardedFetch({
    egressAllow: config.egressAllow,
    clock,
    connectionsPerOrigin: CONNECTIONS_PER_ORIGIN,
  })
  closing.add('metadata documents', () => fetchUrl.close())
  const isRegistrationOpen = config.isOAuthRegistrationOpen
  return {
    authorizationServer: createAuthorizationServer({ ...stores, fetchUrl, clock, baseUrl, isRegistrationOpen }),
    isRegistrationOpen,
    consentCommands: createConsents({ ...stores, baseUrl }),
  }
}
