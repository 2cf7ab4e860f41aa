import { generateKeyPairSync } from 'node:crypto'
import { Provider, errors, interactionPolicy, type Configuration, type KoaContextWithOIDC } from 'oidc-provider'
import libraryStorage from 'oidc-provider/lib/helpers/als.js'
import { RefusalError, refuse } from '../domain/errors.ts'
import {
  ACCESS_TOKEN_MS,
  CLIENT_NAME_LENGTH,
  CODE_MS,
  INTERACTION_MS,
  MOST_REDIRECT_URIS,
  REFRESH_TOKEN_MS,
  SCOPES,
  askedScopes,
  resourceOf,
  resourceUri,
} from '../domain/oauth.ts'
import { isRedirectUri, isSameRedirectUri } from '../domain/redirect-uri.ts'
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import type { AuthorizationServer, OAuthAnswer, OAuthRequest } from '../ports/authorization-server.ts'
import type { Clock } from '../ports/clock.ts'
import type {
  GrantStore,
  OAuthClientStore,
  OAuthInteractionStore,
  OAuthTokenStore,
} from '../ports/stores/oauth-store.ts'
import { createAdapters, isSecretOf } from './adapters.ts'
import { beginInteraction } from './begin.ts'
import { askInProcess, type InProcessAnswer } from './in-process.ts'
import { MetadataDocuments } from './metadata-documents.ts'
import { shownOfRegistration, takenOfRegistration } from './registered.ts'
import { asRun, thisRun, type Run } from './run.ts'

export interface AuthorizationServerDeps {
  readonly oauthClients: OAuthClientStore
  readonly oauthInteractions: Pick<OAuthInteractionStore, 'begin'>
  readonly oauthTokens: OAuthTokenStore
  readonly grants: Pick<GrantStore, 'facts' | 'end'>
  readonly fetchUrl: Pick<GuardedFetch, 'request'>
  readonly clock: Clock
  /** Issuer of the authorization server, and base of the resources and pages. */
  readonly baseUrl: string
  readonly isRegistrationOpen: boolean
}

const SECONDS = 1_000
/**
 * Headers of the library's answers that are passed on. Cookies are not, nor are headers that the service sets itself.
 */
const PASSED_ON = ['content-type', 'location', 'www-authenticate', 'pragma']
/**
 * Parameters that a request for authorization may have. All others belong to protocols that are not served, and are
 * dropped.
 */
const ASKED = new Set([
  'response_type',
  'response_mode',
  'client_id',
  'redirect_uri',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'prompt',
  'request',
  'request_uri',
])

/** The authorization server over the service's tables. This file alone knows the library's provider. */
export function createAuthorizationServer(deps: AuthorizationServerDeps): AuthorizationServer {
  const documents = new MetadataDocuments(deps.fetchUrl, deps.clock)
  const provider = new Provider(deps.baseUrl, configurationOf(deps, documents))
  provider.silent = true
  provider.on('server_error', (_, error) => {
    thisRun().fault = error
  })
  ruleClients(provider)
  const listener = provider.callback()
  const { host } = new URL(deps.baseUrl)
  return {
    answer: (request) =>
      asRun(
        request.address,
        async (run) => {
          const answer = await askInProcess(listener, host, asTaken(request))
          noteDocument(documents, run, answer)
          if (run.fault !== null) throw run.fault
          return passedOn(request, answer, run)
        },
        libraryStorage,
      ),
  }
}

/**
 * Makes the library apply the service's rules to clients: their redirect URIs, and secrets that are stored as a hash.
 */
function ruleClients({ Client }: Provider): void {
  interface Registered {
    readonly redirectUris?: readonly string[]
    readonly clientSecret?: string
  }
  interface Described {
    redirect_uris?: readonly unknown[]
    client_name?: string
    scope?: unknown
  }
  Client.prototype.redirectUriAllowed = function allowed(this: Registered, asked: string) {
    return (this.redirectUris ?? []).some((registered) => isSameRedirectUri(registered, asked))
  }
  Client.prototype.compareClientSecret = function compare(this: Registered, secret: string) {
    return isSecretOf(this.clientSecret, secret)
  }
  const { prototype } = (Client as unknown as { Schema: { prototype: { redirectUris: unknown; scopes: unknown } } })
    .Schema
  prototype.redirectUris = function redirectUris(this: Described) {
    const { redirect_uris: uris = [], client_name: name = '' } = this
    if (name.length > CLIENT_NAME_LENGTH)
      throw new errors.InvalidClientMetadata(`client_name may have ${CLIENT_NAME_LENGTH} characters`)
    if (uris.length > MOST_REDIRECT_URIS)
      throw new errors.InvalidClientMetadata(`redirect_uris may have ${MOST_REDIRECT_URIS} members`)
    if (uris.every((uri) => typeof uri === 'string' && isRedirectUri(uri))) return
    throw new errors.InvalidClientMetadata(
      'redirect_uris may hold https addresses, http ones of localhost, 127.0.0.1 and [::1], and private schemes with a dot, without fragments',
    )
  }
  prototype.scopes = function scopes(this: Described) {
    delete this.scope
  }
}

/** A request as the library gets it, without parameters of protocols that are not served. */
function asTaken(request: OAuthRequest): OAuthRequest {
  if (request.path === '/oauth/register') return { ...request, body: takenOfRegistration(request.body) }
  if (request.path !== '/oauth/authorize') return request
  const asked = [...new URLSearchParams(request.querystring)].filter(
    ([name, value]) => ASKED.has(name) && (name !== 'prompt' || value === 'none'),
  )
  const spoken = asked.map(([name, value]): [string, string] => [name, spokenValue(name, value)])
  return { ...request, querystring: new URLSearchParams(spoken).toString() }
}

/** Replaces values that would send the answer by a form or in a fragment, so that the library refuses in the query. */
function spokenValue(name: string, value: string): string {
  if (name === 'response_mode' && value !== 'query') return 'unsupported'
  return name === 'response_type' && value !== 'code' ? 'none' : value
}

/** Notes a document that describes no valid client, so that it is not fetched again at once. */
function noteDocument(documents: MetadataDocuments, { documentUrl }: Run, { status, body }: InProcessAnswer): void {
  if (documentUrl !== null && status >= 400 && /"error":"invalid_(?:client|client_metadata|redirect_uri)"/.test(body))
    documents.refuse(documentUrl)
}

function passedOn({ path }: OAuthRequest, { status, headers, body }: InProcessAnswer, run: Run): OAuthAnswer {
  const kept = Object.fromEntries(
    PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )
  // [oauth.endpoints.8]: an unknown or invalid client answers 400 at authorize, whatever is wrong with it.
  const shown = path === '/oauth/authorize' && status === 401 ? 400 : status
  return {
    status: shown,
    headers: { ...kept, ...(run.browserCookie === null ? {} : { 'set-cookie': run.browserCookie }) },
    body: status === 303 ? '' : path === '/oauth/register' ? shownOfRegistration(body) : body,
    endedGrants: run.endedGrants,
  }
}

/** Asks a person each time, whatever was allowed before ([oauth.consent.2]). */
function alwaysAsk(): interactionPolicy.Prompt[] {
  const prompt = new interactionPolicy.Prompt(
    { name: 'consent', requestable: true },
    new interactionPolicy.Check('asked', 'a person has to decide', 'consent_required', () => true),
  )
  return [prompt]
}

/** A key that the library needs although nothing is ever signed, so it may differ at each start. */
function unusedKeys(): Configuration['jwks'] {
  return {
    keys: [
      {
        ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
        alg: 'ES256',
        use: 'sig',
      } as never,
    ],
  }
}

function configurationOf(deps: AuthorizationServerDeps, documents: MetadataDocuments): Configuration {
  const adapters = createAdapters({
    ...deps,
    invalidGrant: (detail) => new errors.InvalidGrant(detail),
    tooManyRegistrations: () =>
      new RefusalError(
        refuse('RATE_LIMITED', 'This address registered too many clients within the hour', undefined, 3_600),
      ),
  })
  return {
    adapter: adapters as never,
    jwks: unusedKeys(),
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    responseTypes: ['code'],
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    scopes: [],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    clientBasedCORS: () => true,
    findAccount: async (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    interactions: { url: (ctx, { uid }) => beginInteraction(deps, askedOf(ctx, uid)), policy: alwaysAsk() as never },
    renderError: async (ctx, out) => {
      ctx.type = 'application/json'
      ctx.body = JSON.stringify(out)
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_MS / SECONDS,
      AuthorizationCode: CODE_MS / SECONDS,
      RefreshToken: REFRESH_TOKEN_MS / SECONDS,
      Interaction: INTERACTION_MS / SECONDS,
      Grant: REFRESH_TOKEN_MS / SECONDS,
      Session: INTERACTION_MS / SECONDS,
    },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      registration: '/oauth/register',
    },
    fetch: (async (url: string) => documents.fetch(String(url))) as never,
    features: featuresOf(deps, documents),
  }
}

function featuresOf(
  { baseUrl, isRegistrationOpen }: AuthorizationServerDeps,
  documents: MetadataDocuments,
): Configuration['features'] {
  const off = { enabled: false }
  return {
    devInteractions: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    rpInitiatedLogout: off,
    userinfo: off,
    revocation: { enabled: true, allowedPolicy: async (_, client, token) => token.clientId === client.clientId },
    registration: { enabled: isRegistrationOpen, issueRegistrationAccessToken: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: async (_, __, oneOf) => oneOf?.[0] ?? resourceUri(baseUrl, 'v1'),
      getResourceServerInfo: async (ctx, indicator) => {
        readAsked(ctx, baseUrl, indicator)
        return {
          scope: SCOPES.join(' '),
          audience: indicator,
          accessTokenFormat: 'opaque',
          accessTokenTTL: ACCESS_TOKEN_MS / SECONDS,
        }
      },
      useGrantedResource: async () => true,
    },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      // When the first fetch fails, the library fetches again to find what to say.
      allowFetch: async (_, url) => {
        const run = thisRun()
        if (run.documentUrl !== null || !documents.isAskable(String(url))) return false
        run.documentUrl = String(url)
        return true
      },
      cacheDuration: { min: 300, max: 86_400 },
    },
  }
}

/**
 * Refuses unknown resources, and settles the scopes of a request for authorization ([oauth.resources-and-scopes.3]).
 */
function readAsked({ oidc }: KoaContextWithOIDC, baseUrl: string, indicator: string): void {
  const { params } = oidc
  if (resourceOf(baseUrl, indicator) === null || Array.isArray(params?.['resource'])) throw new errors.InvalidTarget()
  if (oidc.route !== 'authorization' || !params) return
  const scopes = askedScopes(params['scope'] as string | undefined)
  if (scopes.length === 0) throw new errors.InvalidScope('none of the scopes is known', undefined as never)
  params['scope'] = scopes.join(' ')
}

/** What a client asks for, once the library found no fault with it. */
function askedOf({ oidc }: KoaContextWithOIDC, uid: string): Parameters<typeof beginInteraction>[1] {
  const { client, params } = oidc
  const text = (name: string) => params?.[name] as string | undefined
  return {
    id: uid,
    clientId: client?.clientId ?? '',
    clientName: client?.clientName,
    clientUri: client?.clientUri,
    redirectUri: text('redirect_uri') ?? '',
    state: text('state') ?? null,
    scope: text('scope') ?? '',
    resource: text('resource') ?? '',
    codeChallenge: text('code_challenge') ?? '',
  }
}
