import { z } from 'zod'
import { RefusalError } from '../../../domain/errors.ts'
import { httpsRefusal } from '../../../domain/secure-base.ts'
import type { AuthorizationServer, OAuthAnswer } from '../../../ports/authorization-server.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import { languageFor } from '../../pages/language.ts'
import { REFUSAL_HEADERS, refusalPage } from '../../pages/refusal-page.ts'
import type { Answer, Client, RawBody, Route } from '../../request/route.ts'
import { route } from '../../request/route.ts'
import type { CallerCache } from '../../request/caller-cache.ts'
import { oauthMeasures, type OAuthMeasures } from './measures.ts'
import { serverMetadata } from './metadata.ts'

export interface OAuthDeps {
  readonly authorizationServer: AuthorizationServer
  readonly callers: Pick<CallerCache, 'revoke'>
  readonly metrics: Metrics
  readonly baseUrl: string
  readonly serviceName: string
  /** False when clients cannot register ([oauth.endpoints.6]). */
  readonly isRegistrationOpen: boolean
}

interface MeasuredDeps extends OAuthDeps {
  readonly measures: OAuthMeasures
}

const HIDDEN = {
  group: 'API keys',
  isHidden: true,
  access: { by: ['nobody'], of: 'service' },
  bucket: 'pages',
} as const
/** our choice, in bytes: the body of a form or of a registration; honest ones have 2 KB. */
const BODY_BYTES = 32_768
/**
 * Takes any query: the protocol itself says what is wrong with one, to the client where it can. A field given twice is
 * a list.
 */
const asked = z.object({}).catchall(z.union([z.string(), z.string().array()]))

/** The authorization server (docs/contract/oauth.md): its metadata, and the protocol, which a library speaks. */
export function oauthRoutes(given: OAuthDeps): Route[] {
  const deps = { ...given, measures: oauthMeasures(given.metrics) }
  const posted = [
    post(deps, 'token', 'Exchange a code or a refresh token'),
    post(deps, 'revoke', 'End a token, or with its refresh token a grant'),
  ]
  return [
    metadata(deps),
    authorize(deps),
    ...posted,
    ...(deps.isRegistrationOpen ? [post(deps, 'register', 'Register a client')] : []),
  ]
}

function metadata({ baseUrl, isRegistrationOpen }: OAuthDeps): Route {
  return route({
    method: 'get',
    path: '/.well-known/oauth-authorization-server',
    name: 'getOAuthServer',
    ...HIDDEN,
    summary: 'What the authorization server can do',
    answer: { status: 200, description: 'RFC 8414' },
    handle: async () => ({
      status: 200,
      body: serverMetadata(baseUrl, isRegistrationOpen),
      headers: { 'cache-control': 'public, max-age=3600' },
    }),
  })
}

function authorize(deps: MeasuredDeps): Route {
  return route({
    method: 'get',
    path: '/oauth/authorize',
    name: 'authorizeClient',
    ...HIDDEN,
    summary: 'Ask a person to let a client in',
    query: asked,
    answer: { status: 200, description: 'A redirect to the page that asks, or to the client with what is wrong' },
    async handle({ query, client }) {
      refuseInsecure(deps)
      const querystring = new URLSearchParams(
        Object.entries(query).flatMap(([name, values]) =>
          [values].flat().map((value): [string, string] => [name, value]),
        ),
      ).toString()
      const answer = await deps.authorizationServer.answer({
        method: 'GET',
        path: '/oauth/authorize',
        querystring,
        headers: {},
        body: Buffer.alloc(0),
        address: client.address,
      })
      return toldInWords(deps, client, await passOn(deps, answer))
    },
  })
}

function post(deps: MeasuredDeps, name: 'token' | 'revoke' | 'register', summary: string): Route {
  const path = `/oauth/${name}`
  return route({
    method: 'post',
    path,
    name: `${name}OAuth`,
    ...HIDDEN,
    summary,
    rawBodyBytes: BODY_BYTES,
    answer: { status: 200, description: 'As the protocol says' },
    async handle({ raw, client }) {
      refuseInsecure(deps)
      const { bytes, header } = raw as RawBody
      const headers = Object.fromEntries(
        ['content-type', 'authorization'].flatMap((one) =>
          header(one) === undefined ? [] : [[one, header(one) ?? '']],
        ),
      )
      const answer = await deps.authorizationServer.answer({
        method: 'POST',
        path,
        querystring: '',
        headers,
        body: bytes,
        address: client.address,
      })
      deps.measures[name](bytes, answer)
      return passOn(deps, answer)
    },
  })
}

async function passOn({ callers }: OAuthDeps, { status, headers, body, endedGrants }: OAuthAnswer): Promise<Answer> {
  await Promise.all(endedGrants.map((id) => callers.revoke(id)))
  return { status, body, headers, type: headers['content-type'] ?? 'application/json' }
}

/**
 * Adds a page in words to an answer that does not go to the client: the client's fault leaves the person without a way
 * back ([oauth.endpoints.8]).
 */
function toldInWords({ serviceName, baseUrl }: OAuthDeps, client: Client, answer: Answer): Answer {
  if (answer.status < 400) return answer
  const { error, error_description: description } = JSON.parse(String(answer.body)) as {
    readonly error: string
    readonly error_description?: string
  }
  const detail = description === undefined ? error : `${error}: ${description}`
  const page = refusalPage({
    kind: 'client',
    serviceName,
    lang: languageFor(null, client),
    detail,
    docsUrl: `${baseUrl}/docs`,
  })
  return { ...answer, page, headers: { ...answer.headers, ...REFUSAL_HEADERS } }
}

function refuseInsecure({ baseUrl }: OAuthDeps): void {
  const refusal = httpsRefusal(baseUrl, 'OAuth')
  if (refusal) throw new RefusalError(refusal)
}
