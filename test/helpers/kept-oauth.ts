import type { OAuthClientProvider } from '@modelcontextprotocol/client'

/** The redirect address of clients; nothing listens there. */
export const CALLBACK = 'http://127.0.0.1:8976/callback'

/** What a client stores of its own OAuth flow. */
export interface KeptOAuth {
  client?: any
  tokens?: any
  verifier?: string
  discovery?: any
}

/**
 * A provider for an OAuth client library: it keeps what the library stores, and passes the address for its person to
 * `send`.
 */
export function keepOAuth(
  name: string,
  send: (url: URL) => void | Promise<void>,
): { readonly kept: KeptOAuth; readonly provider: OAuthClientProvider } {
  const kept: KeptOAuth = {}
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: {
      client_name: name,
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens
    },
    codeVerifier: () => kept.verifier ?? '',
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier
    },
    discoveryState: () => kept.discovery,
    saveDiscoveryState: (state) => {
      kept.discovery = state
    },
    redirectToAuthorization: send,
  }
  return { kept, provider }
}
