/** A request of the protocol, as it came. */
export interface OAuthRequest {
  readonly method: 'GET' | 'POST'
  /** The path as metadata names it: `/oauth/token`. */
  readonly path: string
  /** The query as it was sent, without the question mark. */
  readonly querystring: string
  /** `content-type` and `authorization`, when they were sent. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** The address that registrations are counted for. */
  readonly address: string
}

/** The answer to a request, and the effects of the request. */
export interface OAuthAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON, or empty. */
  readonly body: string
  /** Grants that this request ended: whoever remembers their tokens must forget them. */
  readonly endedGrants: readonly string[]
}

/**
 * The protocol of OAuth 2.1 ([oauth.endpoints.2] to [oauth.endpoints.13]): authorize, token, revoke, register. People
 * decide elsewhere (docs/contract/oauth.md, Consent).
 */
export interface AuthorizationServer {
  /** Refusals of the protocol are answers. Throws StoreAway, and on faults of the service itself. */
  answer(request: OAuthRequest): Promise<OAuthAnswer>
}
