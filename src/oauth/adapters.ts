import { createHash, timingSafeEqual } from 'node:crypto'
import { resourceUri } from '../domain/oauth.ts'
import type { GrantStore, OAuthClientStore, OAuthTokenKind, OAuthTokenStore } from '../ports/stores/oauth-store.ts'
import { thisRun } from './run.ts'

export interface AdapterDeps {
  readonly oauthClients: OAuthClientStore
  readonly oauthTokens: OAuthTokenStore
  readonly grants: Pick<GrantStore, 'facts' | 'end'>
  /** Issuer of the authorization server, and base of the resources. */
  readonly baseUrl: string
  /** Makes the error for a second use of a code or token, and for a grant that is over. */
  readonly invalidGrant: (description: string) => Error
  /** Makes the error for a registration beyond the limit. */
  readonly tooManyRegistrations: () => Error
}

/** How the library keeps one of its models. The service's tables decide what it finds. */
export interface ModelAdapter {
  upsert(id: string, payload: Record<string, unknown>, seconds: number): Promise<void>
  find(id: string): Promise<Record<string, unknown> | undefined>
  findByUserCode(): Promise<undefined>
  findByUid(): Promise<undefined>
  consume(id: string): Promise<void>
  destroy(id: string): Promise<void>
  revokeByGrantId(): Promise<void>
}

const NOTHING: ModelAdapter = {
  async upsert() {},
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  async consume() {},
  async destroy() {},
  // Nothing to do: codes and tokens end with their grant, in one statement.
  async revokeByGrantId() {},
}

/**
 * The adapters by the library's names of its models. The library keeps no sessions and no interactions: the service has
 * its own.
 */
export function createAdapters(deps: AdapterDeps): (model: string) => ModelAdapter {
  const adapters: Readonly<Record<string, ModelAdapter>> = {
    Client: clients(deps),
    Grant: grants(deps),
    AuthorizationCode: codes(deps),
    AccessToken: tokens(deps, 'access'),
    RefreshToken: tokens(deps, 'refresh'),
  }
  return (model) => adapters[model] ?? NOTHING
}

/** The hash of a secret. Secrets have 256 bits, so a fast hash is enough. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Whether a secret is the one whose hash was stored when the client registered. */
export function isSecretOf(stored: string | undefined, secret: string): boolean {
  const [known, given] = [Buffer.from(stored ?? ''), Buffer.from(hashOf(secret))]
  return known.byteLength === given.byteLength && timingSafeEqual(known, given)
}

function clients({ oauthClients, tooManyRegistrations }: AdapterDeps): ModelAdapter {
  return {
    ...NOTHING,
    async upsert(id, { client_secret: secret, ...metadata }) {
      const stored = typeof secret === 'string' ? { ...metadata, client_secret: hashOf(secret) } : metadata
      if (!(await oauthClients.register({ id, metadata: stored }, thisRun().address))) throw tooManyRegistrations()
    },
    async find(id) {
      const client = await oauthClients.find(id)
      return client ? { ...client.metadata } : undefined
    },
  }
}

function grants({ grants: store, baseUrl }: AdapterDeps): ModelAdapter {
  return {
    ...NOTHING,
    async find(id) {
      const facts = await store.facts(id)
      if (!facts) return undefined
      const { tenantId, userId, clientId, resource, scopes } = facts
      return {
        kind: 'Grant',
        jti: id,
        accountId: userId ?? tenantId,
        clientId,
        resources: { [resourceUri(baseUrl, resource)]: scopes.join(' ') },
      }
    },
    destroy: (id) => endGrant(store, id),
  }
}

async function endGrant(store: Pick<GrantStore, 'end'>, id: string): Promise<void> {
  if (await store.end(id)) thisRun().endedGrants.push(id)
}

/**
 * Consumes a code or token by a compare-and-set: of all requests with the same one, on whatever nodes, one succeeds,
 * and each other one ends the grant.
 */
function consumeOnce(
  { oauthTokens, grants: store, invalidGrant }: AdapterDeps,
  kind: OAuthTokenKind,
): ModelAdapter['consume'] {
  return async (id) => {
    if (await oauthTokens.consume(kind, id)) return
    const used = await oauthTokens.find(kind, id)
    if (used) await endGrant(store, used.grantId)
    throw invalidGrant('it was used already')
  }
}

/** The adapter of authorization codes. The service makes them, when a person decides, not the library. */
function codes(deps: AdapterDeps): ModelAdapter {
  return {
    ...NOTHING,
    async find(id) {
      const found = await deps.oauthTokens.find('code', id)
      if (!found) return undefined
      const facts = await deps.grants.facts(found.grantId)
      if (!facts) return undefined
      const { scopes, ...payload } = found.payload as { readonly scopes: readonly string[] }
      return {
        ...payload,
        kind: 'AuthorizationCode',
        jti: id,
        grantId: found.grantId,
        consumed: found.isConsumed,
        codeChallengeMethod: 'S256',
        scope: scopes.join(' '),
        resource: resourceUri(deps.baseUrl, facts.resource),
      }
    },
    consume: consumeOnce(deps, 'code'),
    destroy: (id) => deps.oauthTokens.remove('code', id),
  }
}

function tokens(deps: AdapterDeps, kind: 'access' | 'refresh'): ModelAdapter {
  const { oauthTokens, invalidGrant } = deps
  return {
    ...NOTHING,
    // The row says when a token ends, by the service's clock. The grant says what it opens, even after the service has
    // moved to another address.
    async upsert(id, { jti: _jti, exp: _exp, resource: _resource, aud: _aud, grantId, ...payload }, seconds) {
      if (!(await oauthTokens.add(kind, id, { grantId: String(grantId), payload }, seconds)))
        throw invalidGrant('the grant is over')
    },
    async find(id) {
      const found = await oauthTokens.find(kind, id)
      const facts = found && (await deps.grants.facts(found.grantId))
      if (!found || !facts) return undefined
      return {
        ...found.payload,
        jti: id,
        grantId: found.grantId,
        resource: resourceUri(deps.baseUrl, facts.resource),
        ...(found.isConsumed ? { consumed: true } : {}),
      }
    },
    consume: consumeOnce(deps, kind),
    destroy: (id) => oauthTokens.remove(kind, id),
  }
}
