import type { OAuthInteractionStore } from '../../ports/stores/oauth-store.ts'

/** The ports of consents; each command takes all of them. */
export interface ConsentPorts {
  readonly oauthInteractions: OAuthInteractionStore
  /** The issuer's identifier. */
  readonly baseUrl: string
}
