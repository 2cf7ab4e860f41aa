import test from 'ava'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import { PAIRING_LINK_MS } from '../../src/domain/limits.ts'
import { LINK_REQUESTS_PER_MINUTE } from '../../src/http/middlewares/rate-limited.ts'
import * as schema from '../../src/http/routes/remote-pairing/schema.ts'
import { serve, type Client } from '../helpers/http-app.ts'
import { shownCode } from '../helpers/scripted-directory.ts'
import { World } from '../helpers/world.ts'

const BRANDING = {
  companyName: 'Acme',
  primaryColor: '#0a7f5a',
  logoUrl: 'https://acme.example/logo.png',
  button: { label: 'Connect', borderRadius: 8 },
}

function link(client: Client, world: World, number: string, more: object = {}) {
  return client.send('POST', '/v1/numbers/remote-pairing', {
    key: world.tenantKey.raw,
    body: { name: 'Desk', number, ...more },
  })
}

test('a link for a new number creates it and names the connect page', async (t) => {
  const world = new World() // [pairing.create.1] [pairing.create.2] [pairing.create.5]
  const client = await serve(t, world)
  const { status, body } = await link(client, world, '+55 11 90000-1111', {
    settings: { historyImportEnabled: true },
    branding: BRANDING,
  })
  t.is(status, 201)
  t.deepEqual(schema.link.parse(body), body)
  t.is(body.remotePairingUrl, `https://connect.example/connect/${body.remotePairingToken}`)
  const number = world.numbers.rows.get(body.numberId)
  t.is(number?.number, '5511900001111')
  t.true(number?.settings.historyImportEnabled)
})

test('320 requests for unknown links do not lock a page out that is open at the same address', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { remotePairingToken: token } = (await link(client, world, '5511900001111')).body
  const unknown = []
  for (let i = 0; i < 320; i++)
    unknown.push((await client.send('GET', `/v1/remote-pairing/rp_${String(i).padStart(26, '0')}`)).status)
  t.deepEqual(
    [unknown.indexOf(429), unknown.filter((status) => status === 404).length],
    [LINK_REQUESTS_PER_MINUTE, LINK_REQUESTS_PER_MINUTE],
  )
  const page = await client.send('GET', `/v1/remote-pairing/${token}`)
  t.deepEqual([page.status, page.headers.get('ratelimit-remaining')], [200, String(LINK_REQUESTS_PER_MINUTE - 1)])
})

test('a link that exists is limited by itself, whatever is asked of it', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const [first, second] = [
    (await link(client, world, '5511900001111')).body,
    (await link(client, world, '5511900002222')).body,
  ]
  for (let i = 0; i < LINK_REQUESTS_PER_MINUTE; i++)
    await client.send('GET', `/v1/remote-pairing/${first.remotePairingToken}`)
  t.is((await client.send('POST', `/v1/remote-pairing/${first.remotePairingToken}/connect`)).status, 429)
  t.is((await client.send('GET', `/v1/remote-pairing/${second.remotePairingToken}`)).status, 200)
})

test('a link shows the holder a masked number and resolved branding, and changes nothing', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const made = await link(client, world, '5511900001111', {
    branding: BRANDING,
    redirectUrl: 'https://acme.example/done',
  })
  const { status, body } = await client.send('GET', `/v1/remote-pairing/${made.body.remotePairingToken}`)
  t.is(status, 200)
  t.deepEqual(schema.linkView.parse(body), body)
  t.is(body.numberId, made.body.numberId)
  t.is(body.number, '*********1111')
  t.false(JSON.stringify(body).includes('551190000'))
  t.is(body.branding.companyName, 'Acme')
  t.is(body.branding.subtitle, null)
  t.deepEqual(body.branding.button, BRANDING.button)
  t.is(body.redirectUrl, 'https://acme.example/done')
  t.is(body.expiresAt, new Date(world.clock.now() + PAIRING_LINK_MS).toISOString())
  t.deepEqual(world.directory.asked, [])
})

test('a link without a look or redirect of its own has those of its tenant, also after it ended', async (t) => {
  const world = new World() // [pairing.create.1] [pairing.routes.1]
  const client = await serve(t, world)
  await world.branding.change(world.tenantId, {
    companyName: 'Tenant',
    subtitle: 'Ours',
    defaultRedirectUrl: 'https://tenant.example/done',
  })
  const plain = (await link(client, world, '5511900001111')).body.remotePairingToken
  t.like((await client.send('GET', `/v1/remote-pairing/${plain}`)).body, {
    redirectUrl: 'https://tenant.example/done',
    branding: { companyName: 'Tenant', subtitle: 'Ours', logoUrl: null, hidePilotStatusBranding: false, button: null },
  })
  const own = (await link(client, world, '5511900001111', { branding: { subtitle: null, defaultRedirectUrl: null } }))
    .body.remotePairingToken
  t.like((await client.send('GET', `/v1/remote-pairing/${own}`)).body, {
    redirectUrl: null,
    branding: { companyName: 'Tenant', subtitle: null, defaultRedirectUrl: null },
  })
  t.like(await client.send('GET', `/v1/remote-pairing/${plain}/status`), {
    status: 404,
    body: { details: { reason: 'REVOKED', redirectUrl: 'https://tenant.example/done' } },
  })
})

test('a newer link for a number revokes the older and uses the same number', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const older = await link(client, world, '5511900001111')
  const newer = await link(client, world, '5511900001111')
  t.is(newer.body.numberId, older.body.numberId)
  t.like(await client.send('GET', `/v1/remote-pairing/${older.body.remotePairingToken}`), {
    status: 404,
    body: { details: { reason: 'REVOKED', redirectUrl: null, numberId: null } },
  })
  t.is((await client.send('GET', `/v1/remote-pairing/${newer.body.remotePairingToken}`)).status, 200)
})

test('a number that is connected gets no link', async (t) => {
  const world = new World() // [pairing.routes.6]
  const client = await serve(t, world)
  const { status, body } = await link(client, world, world.number.number)
  t.is(status, 409)
  t.is(body.code, 'ALREADY_CONNECTED')
})

test("another tenant's number of the same digits is not touched", async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { body } = await link(client, world, world.foreignNumber.number)
  t.not(body.numberId, world.foreignNumber.id)
})

test('an OFFICIAL number gets no link', async (t) => {
  const world = new World()
  world.numbers.put({ id: world.number.id, provider: 'OFFICIAL', state: 'CLOSE' })
  const client = await serve(t, world)
  const { status, body } = await link(client, world, world.number.number)
  t.is(status, 400)
  t.is(body.code, 'FEATURE_NOT_SUPPORTED')
})

test('a link starts pairing without a key, and is refused once the number is open', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const made = await link(client, world, '5511900001111')
  world.directory.script = { Pair: () => shownCode }
  const path = `/v1/remote-pairing/${made.body.remotePairingToken}/connect`
  const started = await client.send('POST', path)
  t.is(started.status, 200)
  t.regex(started.body.qrcodeBase64, /^data:image\/png;base64,/)
  t.is(started.body.expiresInMs, 20_000)
  t.is((await client.send('POST', `${path}?pairingCode=1`)).status, 200)
  t.deepEqual(
    world.directory.asked
      .filter(({ type }) => type === 'Pair')
      .map(({ fields }) => (fields as { isTyped?: boolean }).isTyped),
    [false, true],
    'a code to type is asked for by whoever wants one',
  )
  world.directory.script = { Pair: () => fail(refuse('ALREADY_CONNECTED', 'open')) }
  t.is((await client.send('POST', path)).status, 409)
})

test('the status of a link shows the current code while connecting, and none otherwise', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const made = await link(client, world, '5511900001111')
  const path = `/v1/remote-pairing/${made.body.remotePairingToken}/status`
  const { numberId } = made.body
  t.deepEqual((await client.send('GET', path)).body, {
    numberId,
    state: 'CLOSE',
    isFullyConnected: false,
    reason: null,
    qrcodeBase64: null,
    pairingCode: null,
    expiresInMs: null,
  })
  world.numbers.put({ id: numberId, state: 'CONNECTING' })
  world.directory.script = { CurrentCode: () => succeed({ qr: null, pairingCode: 'ABCD-1234', expiresInMs: 5 }) }
  const shown = await client.send('GET', path)
  t.deepEqual(schema.linkStatus.parse(shown.body), shown.body)
  t.is(shown.body.pairingCode, 'ABCD-1234')
  world.directory.script = {}
  t.is((await client.send('GET', path)).status, 200)
})

test('a link that paired its number pairs nothing more, but its status says so until its 24 h are over', async (t) => {
  const world = new World() // [pairing.routes.2]
  const client = await serve(t, world)
  const made = await link(client, world, '5511900001111')
  const { numberId } = made.body
  const path = `/v1/remote-pairing/${made.body.remotePairingToken}`
  await world.pairing.consume(made.body.numberId)
  world.numbers.put({ id: made.body.numberId, state: 'OPEN', isFullyConnected: true })
  t.like(await client.send('GET', path), { status: 404, body: { code: 'PAIRING_NOT_FOUND' } })
  t.like(await client.send('POST', `${path}/connect`), { status: 409, body: { code: 'ALREADY_CONNECTED' } })
  t.deepEqual((await client.send('GET', `${path}/status`)).body, {
    numberId,
    state: 'OPEN',
    isFullyConnected: true,
    reason: null,
    qrcodeBase64: null,
    pairingCode: null,
    expiresInMs: null,
  })

  // Another person pairs the number again. The holder of the used link must not see that code.
  world.numbers.put({ id: made.body.numberId, state: 'CONNECTING', isFullyConnected: false })
  world.directory.script = { CurrentCode: () => shownCode }
  t.deepEqual((await client.send('GET', `${path}/status`)).body, {
    numberId,
    state: 'CONNECTING',
    isFullyConnected: false,
    reason: null,
    qrcodeBase64: null,
    pairingCode: null,
    expiresInMs: null,
  })
  t.like(await client.send('POST', `${path}/connect`), { status: 404, body: { code: 'PAIRING_NOT_FOUND' } })

  await link(client, world, '5511900001111')
  t.is((await client.send('GET', `${path}/status`)).status, 200)
})

test('the status of a used link is over after its 24 h', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const made = await link(client, world, '5511900001111')
  await world.pairing.consume(made.body.numberId)
  world.clock.advance(PAIRING_LINK_MS - 1)
  t.is((await client.send('GET', `/v1/remote-pairing/${made.body.remotePairingToken}/status`)).status, 200)
  world.clock.advance(1)
  t.like(await client.send('GET', `/v1/remote-pairing/${made.body.remotePairingToken}/status`), {
    status: 404,
    body: {
      details: {
        reason: 'USED',
        numberId: made.body.numberId,
        name: world.numbers.rows.get(made.body.numberId)?.name,
        number: '*********1111',
      },
    },
  })
})

for (const token of ['rp_00000000000000000000000000', 'rp_short', 'num_00000000000000000000000000', '..%2Fx']) {
  test(`a link that does not exist is 404 on every route (${token})`, async (t) => {
    const client = await serve(t, new World())
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/connect'],
      ['GET', '/status'],
    ] as const) {
      const reply = await client.send(method, `/v1/remote-pairing/${token}${path}`)
      t.is(reply.status, 404)
      t.is(reply.body.code, 'PAIRING_NOT_FOUND')
      t.deepEqual(reply.body.details, { reason: 'UNKNOWN', redirectUrl: null, numberId: null })
    }
  })
}

test('a link is over after 24 h', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const made = await link(client, world, '5511900001111')
  world.clock.advance(PAIRING_LINK_MS)
  t.like(await client.send('GET', `/v1/remote-pairing/${made.body.remotePairingToken}`), {
    status: 404,
    body: { details: { reason: 'EXPIRED' } },
  })
})

test('`self` in the path is the link of the bearer token, on every route, and is counted as that link', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { remotePairingToken: token } = (await link(client, world, '5511900001111')).body
  world.directory.script = { Pair: () => shownCode }
  const as = (authorization: string) => ({ headers: { authorization } })
  for (const [method, path] of [
    ['GET', ''],
    ['HEAD', ''],
    ['POST', '/connect'],
    ['GET', '/status'],
  ] as const) {
    const reply = await client.send(method, `/v1/remote-pairing/self${path}`, as(`Bearer ${token}`))
    t.is(reply.status, 200, `${method} ${path}`)
  }
  const byPath = await client.send('GET', `/v1/remote-pairing/${token}`, as('Bearer rp_00000000000000000000000000'))
  t.deepEqual([byPath.status, byPath.headers.get('ratelimit-remaining')], [200, String(LINK_REQUESTS_PER_MINUTE - 5)])
})

test('`self` without a bearer token that is a link is an unknown link', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { remotePairingToken: token } = (await link(client, world, '5511900001111')).body
  for (const headers of [
    {},
    { authorization: token },
    { authorization: `Basic ${token}` },
    { authorization: 'Bearer' },
    { authorization: `Bearer ${token} x` },
    { authorization: 'Bearer self' },
  ]) {
    const reply = await client.send('GET', '/v1/remote-pairing/self', { headers: headers as Record<string, string> })
    t.deepEqual(
      [reply.status, reply.body.details],
      [404, { reason: 'UNKNOWN', redirectUrl: null, numberId: null }],
      JSON.stringify(headers),
    )
  }
})

test('reading a link and its status, by GET and HEAD, asks nothing of a number that is not connecting, and starts nothing of one that is', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const made = await link(client, world, '5511900001111')
  const read = async () => {
    for (const method of ['GET', 'HEAD'] as const) {
      for (const path of ['', '/status'])
        t.is((await client.send(method, `/v1/remote-pairing/${made.body.remotePairingToken}${path}`)).status, 200)
    }
  }
  await read()
  t.deepEqual(world.directory.asked, [])
  world.numbers.put({ id: made.body.numberId, state: 'CONNECTING' })
  await read()
  t.deepEqual(
    world.directory.asked.map(({ type }) => type),
    ['CurrentCode', 'CurrentCode'],
  )
})

test('addresses of a link are stored and shown as browsers write them', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const odd = 'HTTPS://Example.COM:443/a b'
  const made = await link(client, world, '5511900001111', {
    branding: { logoUrl: odd, supportUrl: odd, defaultRedirectUrl: odd },
    redirectUrl: odd,
  })
  const { body } = await client.send('GET', `/v1/remote-pairing/${made.body.remotePairingToken}`)
  const kept = 'https://example.com/a%20b'
  t.like(body, { redirectUrl: kept, branding: { logoUrl: kept, supportUrl: kept, defaultRedirectUrl: kept } })
})

for (const field of ['redirectUrl', 'branding.logoUrl', 'branding.supportUrl', 'branding.defaultRedirectUrl']) {
  test(`a link whose ${field} holds a user or a password is refused with the field`, async (t) => {
    const world = new World()
    const client = await serve(t, world)
    for (const url of ['https://user:pw@acme.example/', 'https://user@acme.example/', 'https://:pw@acme.example/']) {
      const [outer = '', inner] = field.split('.')
      const { status, body } = await link(client, world, '5511900001111', {
        [outer]: inner === undefined ? url : { [inner]: url },
      })
      t.deepEqual(
        [status, body.details],
        [400, [{ path: field, message: 'must not contain a user name or password' }]],
        url,
      )
    }
  })
}

const BAD_LOOKS: Record<string, object> = {
  'a logo without https': { branding: { logoUrl: 'http://acme.example/logo.png' } },
  'a script for a logo': { branding: { logoUrl: 'javascript:alert(1)' } },
  'a colour name': { branding: { primaryColor: 'green' } },
  'a long company name': { branding: { companyName: 'x'.repeat(61) } },
  'a redirect to a script': { redirectUrl: 'javascript:alert(1)' },
  'a redirect to data': { redirectUrl: 'data:text/html,x' },
}
for (const [what, more] of Object.entries(BAD_LOOKS)) {
  test(`a link with ${what} is refused`, async (t) => {
    const world = new World()
    const client = await serve(t, world)
    t.is((await link(client, world, '5511900001111', more)).status, 400)
  })
}

test('one address may not guess links without end', async (t) => {
  const world = new World()
  world.limiter.take = async (bucket, perMinute) => {
    t.regex(bucket, /^link:/)
    return { isAllowed: false, limit: perMinute, remaining: 0, resetSeconds: 60, retryAfterSeconds: 0.2 }
  }
  const client = await serve(t, world)
  const reply = await client.send('GET', '/v1/remote-pairing/rp_00000000000000000000000000')
  t.is(reply.status, 429)
  t.is(reply.headers.get('retry-after'), '1')
})
