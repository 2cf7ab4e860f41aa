import type { OAuthInteractionStore } from '../../ports/stores/oauth-store.ts'

/** All that consents stand on: each verb takes it whole. */
export interface ConsentPorts {
  readonly oauthInteractions: OAuthInteractionStore
  /** Issuer. */
  readonly baseUrl: string
}
