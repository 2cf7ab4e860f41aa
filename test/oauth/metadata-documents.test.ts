import test from 'ava'
import type { FetchOutcome, GuardedFetch, GuardedRequest } from '../../src/net/guarded-fetch.ts'
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { OAuthClient } from '../helpers/oauth-client.ts'
import { Rig } from './rig.ts'

const database = sharedDatabase(test, openTestDatabase)
const ID = 'https://app.example/client.json'
const DOCUMENT = {
  client_id: ID,
  client_name: 'App',
  client_uri: 'https://app.example',
  redirect_uris: ['https://app.example/cb'],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
}

interface Served {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly fails?: FetchOutcome
}

/** A network with one document. */
class Web implements Pick<GuardedFetch, 'request'> {
  served: Served
  readonly asked: GuardedRequest[] = []

  constructor(served: Served) {
    this.served = served
  }

  async request(request: GuardedRequest): Promise<FetchOutcome> {
    this.asked.push(request)
    const { status = 200, headers = {}, body = DOCUMENT, fails } = this.served
    if (fails) return fails
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const parts = [{ kind: 'bytes', bytes } as const]
    return {
      ok: true,
      response: {
        status,
        headers: { 'content-type': 'application/json', ...headers },
        body: { read: async () => parts.shift() ?? { kind: 'end' }, cancel() {} },
      },
    }
  }
}

async function opened(served: Served = {}, id: string = ID, redirectUri: string = DOCUMENT.redirect_uris[0] ?? '') {
  const web = new Web(served)
  const rig = await Rig.open(database(), web)
  return { web, rig, client: new OAuthClient(rig.ask, id, redirectUri) }
}

// [oauth.clients.2]
test('a client is what its document says, which is fetched once, with the bounds of the contract', async (t) => {
  const { web, rig, client } = await opened()
  const asked = await client.askConsent()
  t.like(await rig.stores.oauthInteractions.find(asked.id, asked.cookie.split('=')[1] ?? ''), {
    client: { clientId: ID, name: 'App', uri: 'https://app.example' },
  })
  const said = await rig.decide(asked)
  const { status, body } = await client.redeem(said['code'] ?? '', asked.verifier)
  t.is(status, 200)
  t.is((await client.refresh(body.refresh_token)).status, 200)
  t.is((await client.authorize({ redirect_uri: 'https://app.example/cb2' })).status, 400)
  t.is(web.asked.length, 1)
  t.like(web.asked[0], { url: ID, maxBytes: 5_120, totalMs: 5_000 })
  t.is(web.asked[0]?.redirects, undefined)
  t.like((await rig.stores.grants.list(rig.tenantId, null))[0], { client: { clientId: ID, name: 'App' } })
})

test('many who ask at once have a document fetched once', async (t) => {
  const { web, client } = await opened()
  const answers = await Promise.all(Array.from({ length: 10 }, () => client.authorize()))
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [303])
  t.is(web.asked.length, 1)
})

const REFUSED: readonly (readonly [string, Served])[] = [
  ['lies about its id', { body: { ...DOCUMENT, client_id: 'https://app.example/other.json' } }],
  ['has no id', { body: { ...DOCUMENT, client_id: undefined } }],
  ['redirects', { status: 302, headers: { location: 'https://evil.example/' } }],
  ['is missing', { status: 404 }],
  ['is a page', { headers: { 'content-type': 'text/html' }, body: '<html>' }],
  ['is no JSON', { body: '{' }],
  ['is a list', { body: '[]' }],
  ['is larger than 5 KB', { body: { ...DOCUMENT, padding: 'x'.repeat(6_000) } }],
  [
    'takes too long',
    { fails: { ok: false, failure: { kind: 'timeout', message: 'The host took too long to answer in full.' } } },
  ],
  ['has a shared secret', { body: { ...DOCUMENT, client_secret: 'secret' } }],
  ['asks for a shared secret', { body: { ...DOCUMENT, token_endpoint_auth_method: 'client_secret_basic' } }],
  ['names no address', { body: { ...DOCUMENT, redirect_uris: undefined } }],
  ['names an address nobody may be sent to', { body: { ...DOCUMENT, redirect_uris: ['javascript:alert(1)'] } }],
]

// [oauth.clients.3]
for (const [title, served] of REFUSED) {
  test(`a document that ${title} is no client, and is not fetched again at once`, async (t) => {
    const { web, rig, client } = await opened(served)
    for (let time = 0; time < 3; time++) {
      const { status, headers } = await client.authorize()
      t.is(status, 400)
      t.is(headers['location'], undefined)
    }
    t.is((await client.redeem('x'.repeat(43), 'y'.repeat(43))).status, 400)
    t.is(web.asked.length, 1)
    web.served = {}
    rig.clock.advance(30_000)
    t.is((await client.authorize()).status, 303)
  })
}

test('an address that can be no document is never asked', async (t) => {
  for (const id of [
    'http://app.example/client.json',
    'https://app.example',
    'https://app.example/',
    'https://app.example/a/../client.json',
    'https://user@app.example/client.json',
    'https://app.example/client.json#x',
    'ftp://app.example/client.json',
  ]) {
    const { web, client } = await opened({ body: { ...DOCUMENT, client_id: id } }, id)
    t.is((await client.authorize()).status, 400, id)
    t.is(web.asked.length, 0, id)
  }
})

// [oauth.clients.4]
test('a document on a guarded address is refused, named as it may be, and a name that leads there by the second look-up, too', async (t) => {
  const resolved: string[] = []
  const guarded = createGuardedFetch({
    egressAllow: [],
    clock: new FakeClock(),
    resolve: async (host) => {
      resolved.push(host)
      return [{ address: '10.0.0.8', family: 4 }]
    },
  })
  t.teardown(() => guarded.close())
  const rig = await Rig.open(database(), guarded)
  for (const id of [
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://169.254.169.254/latest',
    'https://0x7f000001/client.json',
    'https://internal.example/client.json',
    'https://localhost/client.json',
  ]) {
    t.is((await new OAuthClient(rig.ask, id, 'https://app.example/cb').authorize()).status, 400, id)
  }
  t.deepEqual(
    [...new Set(resolved)].filter((host) => host === 'internal.example'),
    ['internal.example'],
  )
})
