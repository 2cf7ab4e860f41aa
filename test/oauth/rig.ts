import { randomBytes } from 'node:crypto'
import { decide, type Decision } from '../../src/commands/oauth/decide.ts'
import type { TenantId } from '../../src/domain/ids.ts'
import type { FetchOutcome, GuardedFetch } from '../../src/net/guarded-fetch.ts'
import { createAuthorizationServer } from '../../src/oauth/authorization-server.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { openStores, type Stores } from '../../src/storage/stores.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { OAuthClient, saidIn, type AskedConsent, type AskOAuth } from '../helpers/oauth-client.ts'

export const BASE = 'https://service.example'
const NOWHERE: Pick<GuardedFetch, 'request'> = {
  request: async (): Promise<FetchOutcome> => ({
    ok: false,
    failure: { kind: 'dns', message: 'The name has no address.' },
  }),
}

/** An authorization server over a database, on one or two nodes, with a tenant whose key decides. */
export class Rig {
  readonly clock = new FakeClock()
  readonly stores: Stores
  readonly tenantId: TenantId
  /** The grants that were reported as ended. */
  readonly ended: string[] = []
  readonly ask: AskOAuth
  readonly askOther: AskOAuth

  private constructor(stores: Stores, clock: FakeClock, tenantId: TenantId, fetchUrl: Pick<GuardedFetch, 'request'>) {
    this.stores = stores
    this.clock = clock
    this.tenantId = tenantId
    this.ask = this.#node(fetchUrl)
    this.askOther = this.#node(fetchUrl)
  }

  static async open(database: Database, fetchUrl = NOWHERE): Promise<Rig> {
    const clock = new FakeClock(Date.UTC(2026, 5, 1))
    const stores = openStores({ database, clock, cipher: new AesCipher(randomBytes(32)) })
    const { tenantId } = await stores.tenants.create('OAuth')
    return new Rig(stores, clock, tenantId, fetchUrl)
  }

  /** A node that shares no memory with the other one. */
  #node(fetchUrl: Pick<GuardedFetch, 'request'>): AskOAuth {
    const address = `2001:db8::${randomBytes(4).toString('hex')}`
    const server = createAuthorizationServer({
      ...this.stores,
      fetchUrl,
      clock: this.clock,
      baseUrl: BASE,
      isRegistrationOpen: true,
    })
    return async (method, path, { querystring = '', headers = {}, body = '' }) => {
      const answer = await server.answer({ method, path, querystring, headers, body: Buffer.from(body), address })
      this.ended.push(...answer.endedGrants)
      return {
        status: answer.status,
        headers: answer.headers,
        body: answer.body.startsWith('{') ? JSON.parse(answer.body) : answer.body,
      }
    }
  }

  client(fields: Record<string, unknown> = {}): Promise<OAuthClient> {
    return OAuthClient.register(this.ask, fields)
  }

  /** The owner decides in the browser that was asked. */
  async decide(
    { id, cookie }: AskedConsent,
    decision: Decision = { decision: 'allow' },
  ): Promise<Record<string, string>> {
    const decided = await decide(
      { ...this.stores, baseUrl: BASE },
      { id, browserSecret: cookie.split('=')[1] ?? '' },
      { tenantId: this.tenantId, userId: null, role: 'OWNER' },
      decision,
    )
    if (!decided.ok) throw new Error(decided.error.code)
    return saidIn(decided.value.redirectTo)
  }

  /** Asks for consent, gets it, and redeems the code with its verifier. */
  async code(
    client: OAuthClient,
    fields: Record<string, string> = {},
  ): Promise<{ readonly code: string; readonly verifier: string }> {
    const asked = await client.askConsent(fields)
    return { code: (await this.decide(asked))['code'] ?? '', verifier: asked.verifier }
  }

  async tokens(
    client: OAuthClient,
    fields: Record<string, string> = {},
  ): Promise<{
    readonly access_token: string
    readonly refresh_token: string
    readonly scope: string
    readonly expires_in: number
  }> {
    const { code, verifier } = await this.code(client, fields)
    const { status, body } = await client.redeem(code, verifier)
    if (status !== 200) throw new Error(`redeeming was answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  async isLive(token: string, resource: 'v1' | 'mcp' = 'v1'): Promise<boolean> {
    return (await this.stores.accessTokens.prove(token, resource)) !== null
  }
}
