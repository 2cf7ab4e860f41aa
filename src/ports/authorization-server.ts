/** A request of the protocol, as it came. */
export interface OAuthRequest {
  readonly method: 'GET' | 'POST'
  /** As metadata names it: `/oauth/token`. */
  readonly path: string
  /** As it was sent, without the question mark. */
  readonly querystring: string
  /** `content-type` and `authorization`, where they were sent. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** What registrations are counted for. */
  readonly address: string
}

/** What is answered, and what it did. */
export interface OAuthAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON, or empty. */
  readonly body: string
  /** Grants that this request ended: whoever remembers their tokens is to forget them. */
  readonly endedGrants: readonly string[]
}

/**
 * The protocol of OAuth 2.1 (contract 14): authorize, token, revoke, register. What people decide is not asked of it.
 */
export interface AuthorizationServer {
  /** Refusals of the protocol are answers. Throws StoreAway, and what is a fault of ours. */
  answer(request: OAuthRequest): Promise<OAuthAnswer>
}
