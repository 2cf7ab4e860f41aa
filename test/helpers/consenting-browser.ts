import { asksOver, letIn, signInOwner, type OAuthBrowser } from './oauth-browser.ts'
import { OAuthClient, consentOf } from './oauth-client.ts'

/** What a person lets a client have; everything it asked for, on all numbers, where absent. */
export interface Given {
  readonly scopes?: readonly string[]
  readonly channelNumberIds?: readonly string[] | null
}

export interface GrantedTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly clientId: string
}

/** A browser without a screen, in which somebody signed in with the key of a tenant and lets in whoever asks. */
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
   * Opens the address that a client sends its person to, and lets the client in; answers where the browser is sent back
   * to.
   */
  async allow(authorizeUrl: string | URL, given: Given = {}): Promise<URL> {
    const { pathname, search } = new URL(authorizeUrl)
    const asked = consentOf(await asksOver({ base: this.#url })('GET', pathname, { querystring: search.slice(1) }))
    const { status, body } = await this.#by.decide(asked, { decision: 'allow', ...given })
    if (!body?.redirectTo) throw new Error(`deciding was answered ${status}: ${JSON.stringify(body)}`)
    return new URL(body.redirectTo)
  }

  /** Registers a client, lets it in for a resource, and redeems what it was given. */
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
