import { createHash, randomBytes } from 'node:crypto'

/** An answer to a client. */
export interface OAuthReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: any
}

/** How requests of the protocol are sent: over HTTP, or directly to the authorization server. */
export type AskOAuth = (
  method: 'GET' | 'POST',
  path: string,
  request: { readonly querystring?: string; readonly headers?: Record<string, string>; readonly body?: string },
) => Promise<OAuthReply>

export interface AskedConsent {
  readonly id: string
  /** The cookie of the browser in which the request was made, as name and value. */
  readonly cookie: string
  readonly verifier: string
}

/**
 * A client application with a registration of its own. Fields of its requests can be replaced, or removed with
 * undefined.
 */
export class OAuthClient {
  readonly id: string
  readonly secret: string | undefined
  readonly redirectUri: string
  readonly #ask: AskOAuth

  constructor(ask: AskOAuth, id: string, redirectUri: string, secret?: string) {
    this.#ask = ask
    this.id = id
    this.redirectUri = redirectUri
    this.secret = secret
  }

  /** Registers a client; throws with the refusal. */
  static async register(ask: AskOAuth, fields: Record<string, unknown> = {}): Promise<OAuthClient> {
    const metadata = {
      redirect_uris: ['https://client.example/cb'],
      client_name: 'Desk',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      ...fields,
    }
    const { status, body } = await ask('POST', '/oauth/register', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    })
    if (status !== 201) throw new Error(`registering was answered ${status}: ${JSON.stringify(body)}`)
    return new OAuthClient(ask, body.client_id, metadata.redirect_uris[0] ?? '', body.client_secret)
  }

  /** Sends a browser to the authorization endpoint. */
  async authorize(
    fields: Record<string, string | readonly string[] | undefined> = {},
  ): Promise<OAuthReply & { readonly verifier: string }> {
    const verifier = randomBytes(32).toString('base64url')
    const asked = {
      response_type: 'code',
      client_id: this.id,
      redirect_uri: this.redirectUri,
      state: 'the state',
      scope: 'chat:read numbers:read',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...fields,
    }
    const pairs = Object.entries(asked).flatMap(([name, values]) =>
      values === undefined ? [] : [values].flat().map((value): [string, string] => [name, value as string]),
    )
    return {
      ...(await this.#ask('GET', '/oauth/authorize', { querystring: new URLSearchParams(pairs).toString() })),
      verifier,
    }
  }

  /** Like `authorize`, but throws unless a person is asked. */
  async askConsent(fields: Record<string, string | undefined> = {}): Promise<AskedConsent> {
    const { verifier, ...reply } = await this.authorize(fields)
    return { ...consentOf(reply), verifier }
  }

  redeem(code: string, verifier: string, fields: Record<string, string | undefined> = {}): Promise<OAuthReply> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: this.redirectUri,
      ...fields,
    })
  }

  refresh(token: string, fields: Record<string, string | undefined> = {}): Promise<OAuthReply> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token, ...fields })
  }

  revoke(token: string, fields: Record<string, string | undefined> = {}): Promise<OAuthReply> {
    return this.#post('/oauth/revoke', { token, ...fields })
  }

  token(fields: Record<string, string | undefined>, headers: Record<string, string> = {}): Promise<OAuthReply> {
    return this.#post('/oauth/token', fields, headers)
  }

  #post(
    path: string,
    fields: Record<string, string | undefined>,
    headers: Record<string, string> = {},
  ): Promise<OAuthReply> {
    const sent = { client_id: this.id, client_secret: this.secret, ...fields }
    const body = new URLSearchParams(
      Object.entries(sent).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]])),
    ).toString()
    return this.#ask('POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
    })
  }
}

/** The consent request that a browser is sent to, and its cookie; throws when nobody is asked. */
export function consentOf({ status, headers, body }: OAuthReply): Omit<AskedConsent, 'verifier'> {
  const id = headers['location']?.split('/consent/')[1]
  if (status !== 303 || id === undefined)
    throw new Error(`nobody is asked: ${status} ${headers['location']} ${JSON.stringify(body)}`)
  return { id, cookie: headers['set-cookie']?.split(';')[0] ?? '' }
}

/** The query of an address. */
export function saidIn(location: string | undefined): Record<string, string> {
  return Object.fromEntries(new URL(location ?? 'about:blank').searchParams)
}
