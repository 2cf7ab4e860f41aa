import { asksOver, letIn, signInOwner, type OAuthBrowser } from './oauth-browser.ts'
import { OAuthClient, consentOf } from './oauth-client.ts'

/** What a person grants a client; when absent, everything it asked for, on all numbers. */
export interface Given {
  readonly scopes?: readonly string[]
  readonly channelNumberIds?: readonly string[] | null
}

export interface GrantedTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly clientId: string
}

/** A browser without a screen, signed in with the key of a tenant, that grants every request. */
export class ConsentingBrowser {
  readonly #url: string
  readonly #by: OAuthBrowser

  private constructor(url: string, by: OAuthBrowser) {
    this.#url = url
    this.#by = by
  }

  static async signIn(url: string, tenantKey: string): Promise<ConsentingBrowser> {
    return new ConsentingBrowser(url, await signInOwner({ base: url }, tenantKey))
  }

  /**
   * Opens the address that a client sends its person to, and grants the request; resolves to the address that the
   * browser is sent back to.
   */
  async allow(authorizeUrl: string | URL, given: Given = {}): Promise<URL> {
    const { pathname, search } = new URL(authorizeUrl)
    const asked = consentOf(await asksOver({ base: this.#url })('GET', pathname, { querystring: search.slice(1) }))
    const { status, body } = await this.#by.decide(asked, { decision: 'allow', ...given })
    if (!body?.redirectTo) throw new Error(`deciding was answered ${status}: ${JSON.stringify(body)}`)
    return new URL(body.redirectTo)
  }

  /** Registers a client, grants its request for a resource, and redeems the code. */
  async grant(resource: 'v1' | 'mcp', scope: string, given: Given = {}): Promise<GrantedTokens> {
    const client = await OAuthClient.register(asksOver({ base: this.#url }))
    const tokens = await letIn(
      this.#by,
      client,
      { decision: 'allow', ...given },
      { scope, resource: `${this.#url}/${resource}` },
    )
    return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token, clientId: client.id }
  }
}
