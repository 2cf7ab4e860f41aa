import test from 'ava'
import { signIn } from '../helpers/dashboard.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

/** The origin of VALUES, the configuration of the served application. */
const ORIGIN = 'http://localhost:3000'

/** The headers of a request, and whether it comes from a page of ours. `undefined` means that the header is absent. */
const SENDERS: readonly [site: string | undefined, origin: string | undefined, isOwn: boolean][] = [
  ['same-origin', undefined, true],
  ['same-origin', ORIGIN, true],
  ['same-origin', 'https://evil.example', true],
  ['same-site', ORIGIN, false],
  ['cross-site', ORIGIN, false],
  ['none', ORIGIN, false],
  ['', ORIGIN, false],
  ['Same-Origin', ORIGIN, false],
  ['same-origin, same-origin', ORIGIN, false],
  ['cross-site', undefined, false],
  ['none', undefined, false],
  [undefined, ORIGIN, true],
  [undefined, undefined, false],
  [undefined, 'null', false],
  [undefined, '', false],
  [undefined, 'https://localhost:3000', false],
  [undefined, 'http://localhost', false],
  [undefined, 'http://localhost:3001', false],
  [undefined, 'http://localhost:3000.evil.example', false],
  [undefined, `${ORIGIN}/`, false],
  [undefined, 'http://LOCALHOST:3000', false],
  [undefined, `${ORIGIN}, ${ORIGIN}`, false],
]

function headersOf([site, origin]: (typeof SENDERS)[number]): Record<string, string> {
  return { ...(site === undefined ? {} : { 'sec-fetch-site': site }), ...(origin === undefined ? {} : { origin }) }
}

/** `fetch` adds `sec-fetch-mode` itself, but no other header of these. The test sends what a browser would add. */
// [sessions.csrf.1]
test('only pages of ours may sign in, whatever credentials are sent', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  for (const sender of SENDERS) {
    const headers = headersOf(sender)
    const right = await client.send('POST', '/api/session', { headers, body: { tenantKey: world.tenantKey.raw } })
    t.is(right.status, sender[2] ? 200 : 403, JSON.stringify(headers))
    const wrong = await client.send('POST', '/api/session', { headers, body: '{broken' })
    t.is(wrong.body.code, sender[2] ? 'INVALID_JSON' : 'CSRF_REJECTED')
  }
  const own = SENDERS.filter(([, , isOwn]) => isOwn).length
  t.is((await world.webSessions.list(world.tenantId)).length, own, 'those refused opened none')
})

// [sessions.csrf.1] [sessions.csrf.2]
test("a request that changes something needs a page of ours and the session's CSRF token, a read needs neither", async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const other = await signIn(client, world)
  for (const sender of SENDERS) {
    for (const token of ['own', 'other', 'none', 'half'] as const) {
      const { cookie, csrfToken } = await signIn(client, world)
      const sent = { own: csrfToken, other: other.csrfToken, none: '', half: csrfToken.slice(0, 20) }[token]
      const headers = { ...headersOf(sender), cookie, ...(token === 'none' ? {} : { 'x-csrf-token': sent }) }
      const what = JSON.stringify({ ...headersOf(sender), token })
      for (const method of ['GET', 'HEAD'])
        t.is((await client.send(method, '/api/session', { headers })).status, 200, what)
      const reply = await client.send('DELETE', '/api/session', { headers })
      const isRight = sender[2] && token === 'own'
      t.is(reply.status, isRight ? 200 : 403, what)
      t.is(reply.body.code, isRight ? undefined : 'CSRF_REJECTED', what)
      t.is((await client.send('GET', '/api/session', { headers: { cookie } })).status, isRight ? 401 : 200, what)
    }
  }
})

test('a request from another page is refused before its credentials are checked', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  world.webSessions.prove = () => Promise.reject(new Error('looked at'))
  world.keys.authenticateKey = () => Promise.reject(new Error('looked at'))
  const cookie = `cms_session=${'A'.repeat(43)}`
  for (const headers of [
    { cookie },
    { cookie, 'sec-fetch-site': 'same-origin' },
    { cookie, 'sec-fetch-site': 'cross-site', 'x-csrf-token': 'x' },
    { 'sec-fetch-site': 'same-origin' },
  ]) {
    const reply = await client.send('DELETE', '/api/session', { headers })
    t.is(reply.status, 403)
    t.is(reply.body.code, 'CSRF_REJECTED')
  }
  t.is(
    (await client.send('POST', '/api/session', { body: { tenantKey: world.tenantKey.raw } })).body.code,
    'CSRF_REJECTED',
  )
  t.is((await client.send('POST', '/v1/calls', { key: world.numberKey.raw })).status, 500, '/v1 is not asked for it')
})

test('no other site is told by preflight that it may ask', async (t) => {
  const client = await serve(t, new World())
  const headers = {
    origin: 'https://evil.example',
    'access-control-request-method': 'DELETE',
    'access-control-request-headers': 'x-csrf-token',
  }
  const reply = await client.send('OPTIONS', '/api/session', { headers })
  t.is(reply.status, 204)
  t.deepEqual(
    [...reply.headers.keys()].filter((name) => name.startsWith('access-control-')),
    [],
  )
})

test('a page of ours that was opened at another address than BASE_URL is told so', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const host = new URL(client.url).host
  const refusedOf = async (origin: string) =>
    (await client.send('POST', '/api/session', { headers: { origin }, body: { tenantKey: world.tenantKey.raw } })).body
      .error
  t.is(
    await refusedOf(`http://${host}`),
    `This page was opened at http://${host}, and the service is reached at ${ORIGIN}: open ${ORIGIN}, or set BASE_URL to http://${host}`,
  )
  t.is(await refusedOf('http://evil.example'), 'Only pages of this service may ask for this')
})
