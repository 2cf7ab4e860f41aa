import { randomBytes } from 'node:crypto'
import { browserCookie } from '../domain/consent-cookie.ts'
import { CLIENT_NAME_LENGTH, askedScopes, resourceOf } from '../domain/oauth.ts'
import type { OAuthInteractionStore } from '../ports/stores/oauth-store.ts'
import { thisRun } from './run.ts'

export interface BeginDeps {
  readonly oauthInteractions: Pick<OAuthInteractionStore, 'begin'>
  readonly baseUrl: string
}

interface Asked {
  readonly id: string
  readonly clientId: string
  readonly clientName: string | undefined
  readonly clientUri: string | undefined
  readonly redirectUri: string
  readonly state: string | null
  readonly scope: string
  readonly resource: string
  readonly codeChallenge: string
}

/** Stores the request, bound to the browser that made it, and answers the address of the page that asks a person. */
export async function beginInteraction({ oauthInteractions, baseUrl }: BeginDeps, asked: Asked): Promise<string> {
  const { id, clientId, clientName, clientUri, redirectUri, state, scope, resource, codeChallenge } = asked
  const secret = randomBytes(32).toString('base64url')
  await oauthInteractions.begin(id, secret, {
    client: { clientId, name: nameOf(clientName, clientId), uri: clientUri ?? null },
    redirectUri,
    state,
    codeChallenge,
    scopes: askedScopes(scope),
    resource: resourceOf(baseUrl, resource) ?? 'v1',
  })
  thisRun().browserCookie = browserCookie(baseUrl, id, secret)
  return `${baseUrl}/consent/${id}`
}

/**
 * The name that a client gives itself, without characters that would rearrange a page; its address when it has no name.
 */
function nameOf(name: string | undefined, clientId: string): string {
  const shown = (name ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, CLIENT_NAME_LENGTH)
  return shown === '' ? clientId : shown
}
