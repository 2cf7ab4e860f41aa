import type { AccessTokens } from '../../ports/access-tokens.ts'
import type {
  GrantStore,
  OAuthClientStore,
  OAuthInteractionStore,
  OAuthTokenStore,
} from '../../ports/stores/oauth-store.ts'
import type { Engine } from '../engine/engine.ts'
import { SqlOAuthClientStore } from './clients.ts'
import { SqlAccessTokens, SqlGrantStore } from './grants.ts'
import { SqlOAuthInteractionStore } from './interactions.ts'
import { SqlOAuthTokenStore } from './tokens.ts'

export interface OAuthStores {
  readonly oauthClients: OAuthClientStore
  readonly oauthInteractions: OAuthInteractionStore
  readonly oauthTokens: OAuthTokenStore
  readonly grants: GrantStore
  readonly accessTokens: AccessTokens
}

/** Clients, consents, grants and tokens over an open database. */
export function openOAuth(engine: Pick<Engine, 'database' | 'clock' | 'limits'>): OAuthStores {
  return {
    oauthClients: new SqlOAuthClientStore(engine),
    oauthInteractions: new SqlOAuthInteractionStore(engine),
    oauthTokens: new SqlOAuthTokenStore(engine),
    grants: new SqlGrantStore(engine),
    accessTokens: new SqlAccessTokens(engine),
  }
}
