import { createServer, type AddressInfo } from 'node:net'
import type { ServerResponse } from 'node:http'
import tls from 'node:tls'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { OAuthClient, type OAuthReply } from '../helpers/oauth-client.ts'
import { makeCertificates, serveTls, type Certificates } from '../helpers/tls-host.ts'
import { until } from '../helpers/until.ts'
import { Rig } from './rig.ts'

const database = sharedDatabase(test, openTestPglite)
/** This name has an address of this machine; the guard allows it as an operator may (EGRESS_ALLOW). */
const HOST = 'app.example'
/** The guard allows this name too, but no certificate is for it. */
const OTHER = 'other.example'
/** This name has the same address, and the guard does not allow it. */
const PRIVATE = 'private.example'
const CALLBACK = 'https://app.example/cb'
/** How long a document may take until its last byte, in ms ([oauth.clients.2]). */
const DOCUMENT_MS = 5_000

let known: Certificates
let foreign: Certificates

test.before(async () => {
  ;[known, foreign] = await Promise.all([makeCertificates([HOST, PRIVATE]), makeCertificates([HOST])])
  // This thread trusts the test's authority, as NODE_EXTRA_CA_CERTS would make the service do.
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), known.authority])
})

type Answering = (response: ServerResponse, id: string) => void

const documentOf = (id: string) => ({
  client_id: id,
  client_name: 'App',
  redirect_uris: [CALLBACK],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
})

function json(response: ServerResponse, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/**
 * A server with a guard that resolves names as the test says, and a host of documents. `guardClock` limits how long a
 * fetch takes.
 */
async function opened(t: ExecutionContext<unknown>, answering: Answering, { host = HOST, certificates = known } = {}) {
  const asked: string[] = []
  const port = await serveTls(t, certificates, (request, response) => {
    asked.push(request.url ?? '')
    answering(response, `https://${request.headers.host}${request.url}`)
  })
  return { ...(await guardedClient(t, `https://${host}:${port}/client.json`)), asked }
}

async function guardedClient(t: ExecutionContext<unknown>, id: string) {
  const guardClock = new FakeClock()
  const guarded = createGuardedFetch({
    egressAllow: [HOST, OTHER],
    clock: guardClock,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  t.teardown(() => guarded.close())
  const rig = await Rig.open(database(), guarded)
  return { rig, guardClock, client: new OAuthClient(rig.ask, id, CALLBACK) }
}

function isRefused(t: ExecutionContext<unknown>, { status, headers, body }: OAuthReply): void {
  t.is(status, 400)
  t.is(headers['location'], undefined)
  t.is(typeof body.error, 'string')
}

test('a document on a host with a good certificate is a client, from the question to its tokens, and is fetched once', async (t) => {
  const { rig, client, asked } = await opened(t, (response, id) =>
    json(response, documentOf(id), { 'cache-control': 'max-age=600' }),
  )
  const tokens = await rig.tokens(client)
  t.true(await rig.isLive(tokens.access_token))
  t.is((await client.refresh(tokens.refresh_token)).status, 200)
  t.deepEqual(asked, ['/client.json'])
  t.like((await rig.stores.grants.list(rig.tenantId, null))[0], { client: { clientId: client.id, name: 'App' } })
})

const REFUSED: readonly (readonly [title: string, answering: Answering])[] = [
  ['lies about its id', (response, id) => json(response, documentOf(`${id}?other`))],
  ['redirects to a good one', (response) => response.writeHead(302, { location: '/good.json' }).end()],
  ['says that it is huge', (response, id) => json(response, { ...documentOf(id), padding: 'x'.repeat(100_000) })],
  [
    'is a page',
    (response, id) => response.writeHead(200, { 'content-type': 'text/html' }).end(JSON.stringify(documentOf(id))),
  ],
  [
    'breaks off',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"client_id":')
      response.destroy()
    },
  ],
]

for (const [title, answering] of REFUSED) {
  test(`a document that ${title} is no client, and nothing is fetched twice`, async (t) => {
    const { client, asked } = await opened(t, answering)
    for (let time = 0; time < 3; time++) isRefused(t, await client.authorize())
    t.deepEqual(asked, ['/client.json'])
  })
}

test('a document without end is left after its first 5 KB', async (t) => {
  let sent = 0
  const { client, asked } = await opened(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(1_024))) sent += 1_024
    }
    response.on('drain', more)
    more()
  })
  for (let time = 0; time < 2; time++) isRefused(t, await client.authorize())
  t.deepEqual(asked, ['/client.json'])
  t.true(sent < 10_000_000, 'what the sockets between hold, no more')
})

const HANGING: readonly (readonly [title: string, answering: Answering])[] = [
  ['never begins', () => {}],
  ['never ends', (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{')],
]

for (const [title, answering] of HANGING) {
  test(`a document that ${title} is given up after 5 s, and not asked for again at once`, async (t) => {
    const { client, asked, guardClock } = await opened(t, answering)
    const waiting = client.authorize()
    await until('the host is asked', () => asked.length > 0)
    guardClock.advance(DOCUMENT_MS)
    isRefused(t, await waiting)
    isRefused(t, await client.authorize())
    t.deepEqual(asked, ['/client.json'])
  })
}

test('a host that takes the connection and never speaks TLS is given up after 5 s', async (t) => {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => {})
    t.teardown(() => void socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  const { client, guardClock } = await guardedClient(
    t,
    `https://${HOST}:${(server.address() as AddressInfo).port}/client.json`,
  )
  const waiting = client.authorize()
  await until('the host is connected to', () => connections > 0)
  guardClock.advance(DOCUMENT_MS)
  isRefused(t, await waiting)
  isRefused(t, await client.authorize())
  t.is(connections, 1)
})

test('a certificate of nobody who is known, or of another host, proves no document', async (t) => {
  const good: Answering = (response, id) => json(response, documentOf(id))
  const unknown = await opened(t, good, { certificates: foreign })
  isRefused(t, await unknown.client.authorize())
  t.deepEqual(unknown.asked, [])
  const other = await opened(t, good, { host: OTHER })
  isRefused(t, await other.client.authorize())
  t.deepEqual(other.asked, [])
})

test('a name that leads to an address that is not public is not connected to, however good its certificate', async (t) => {
  const { client, asked } = await opened(t, (response, id) => json(response, documentOf(id)), { host: PRIVATE })
  for (let time = 0; time < 2; time++) isRefused(t, await client.authorize())
  t.deepEqual(asked, [])
})
