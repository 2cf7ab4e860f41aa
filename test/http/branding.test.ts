import test from 'ava'
import type { OwnBranding } from '../../src/domain/branding.ts'
import { DEFAULT_BRANDING, DEFAULT_LOOK } from '../../src/domain/branding.ts'
import { themeOf } from '../../src/domain/contrast.ts'
import * as schema from '../../src/http/routes/branding/schema.ts'
import { serve, type Client } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

const NOTHING = { branding: DEFAULT_LOOK, theme: themeOf(DEFAULT_BRANDING) }

async function linkOf(client: Client, world: World, branding?: unknown, more: object = {}) {
  return client.send('POST', '/v1/numbers/remote-pairing', {
    key: world.tenantKey.raw,
    body: { name: 'Desk', number: '5511900001111', ...(branding === undefined ? {} : { branding }), ...more },
  })
}

const put = (client: Client, world: World, body: unknown) =>
  client.send('PUT', '/v1/branding', { key: world.tenantKey.raw, body })

async function override(world: World, branding: OwnBranding | null, more: object = {}) {
  return world.embedSessions.mint({
    tenantId: world.tenantId,
    keyId: world.tenantKey.id,
    surface: 'connect',
    numberIds: [],
    allowedOrigins: ['https://shop.example'],
    branding,
    canStart: false,
    ttlSeconds: 600,
    maxAgeMs: 3_600_000,
    ...more,
  })
}

// [branding.routes.1] [branding.routes.2] [branding.fields.14]
test('the brand of a tenant is read with every field, and changed field by field', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const read = () => client.send('GET', '/v1/branding', { key: world.tenantKey.raw })
  t.deepEqual((await read()).body, { branding: DEFAULT_BRANDING })
  const set = {
    companyName: ' Acme ',
    primaryColor: '#0A7F5A',
    backgroundColor: '#FFFFFF',
    logoUrl: 'https://acme.example/logo.png',
    hidePilotStatusBranding: true,
    button: {},
    extra: 1,
  }
  const changed = await put(client, world, set)
  const {
    button: _,
    extra: __,
    ...fields
  } = { ...set, companyName: 'Acme', primaryColor: '#0a7f5a', backgroundColor: '#ffffff' }
  t.is(changed.status, 200)
  t.deepEqual(changed.body, { branding: { ...DEFAULT_BRANDING, ...fields }, warnings: [] })
  t.deepEqual(schema.changedBranding.parse(changed.body), changed.body)
  t.like((await put(client, world, { companyName: null, hidePilotStatusBranding: null })).body.branding, {
    companyName: null,
    hidePilotStatusBranding: false,
    primaryColor: '#0a7f5a',
  })
  t.like((await read()).body.branding, { companyName: null, primaryColor: '#0a7f5a' })
  t.deepEqual(await world.branding.read(world.otherTenantId), DEFAULT_BRANDING)
})

// [branding.routes.8] [branding.fields.1] [branding.fields.2] [branding.fields.4] [branding.fields.5]
// [branding.fields.6] [branding.fields.7] [branding.fields.8]
test('one wrong field refuses the whole body, and says which', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  for (const [field, value] of [
    ['logoUrl', 'http://acme.example/l.png'],
    ['supportUrl', 'javascript:alert(1)'],
    ['defaultRedirectUrl', '//acme.example'],
    ['primaryColor', '#fff'],
    ['companyName', ''],
    ['subtitle', 'a\u202Eb'],
    ['hidePilotStatusBranding', 'yes'],
  ]) {
    const refused = await put(client, world, { subtitle: 'kept out', [String(field)]: value })
    t.is(refused.status, 400, String(field))
    t.is(refused.body.details[0].path, field)
  }
  t.deepEqual(await world.branding.read(world.tenantId), DEFAULT_BRANDING)
})

// [branding.routes.7]
test('a tenant is warned of a colour that pages do not use as it is', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { body } = await put(client, world, { primaryColor: '#ffff00', backgroundColor: '#ffffff' })
  t.is(body.branding.primaryColor, '#ffff00')
  t.is(body.warnings[0].path, 'primaryColor')
})

// [branding.fields.10]
test('a logo of this service may be named whatever the scheme of its base URL', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const logoUrl = 'http://localhost:3000/branding/logos/00000000000000000000000000.png'
  t.is((await put(client, world, { logoUrl })).status, 200)
  t.is((await linkOf(client, world, { logoUrl })).status, 201)
  t.is(
    (await put(client, world, { logoUrl: 'http://localhost:3001/branding/logos/00000000000000000000000000.png' }))
      .status,
    400,
  )
})

// [branding.precedence.1] [branding.routes.5] [branding.theme.1]
test('the page of a link looks as query, link and tenant say, in this order, each field by itself', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  await put(client, world, {
    companyName: 'Tenant',
    subtitle: 'Of the tenant',
    supportUrl: 'https://tenant.example/',
    primaryColor: '#111111',
  })
  const { remotePairingToken: token } = (
    await linkOf(client, world, { companyName: 'Link', subtitle: null, button: { label: ' Pair ', radius: 9 } })
  ).body
  const look = async (query = '') => (await client.send('GET', `/v1/connect/${token}/branding${query}`)).body
  const plain = await look()
  t.deepEqual(schema.brandOfLink.parse(plain), plain)
  t.deepEqual(plain.branding, {
    ...DEFAULT_LOOK,
    companyName: 'Link',
    supportUrl: 'https://tenant.example/',
    primaryColor: '#111111',
    button: { label: 'Pair' },
  })
  t.deepEqual(plain.theme, themeOf(plain.branding))
  const asked = await look(
    '?title=Query&title=Second&subtitle=&primary=FFFFFF&bg=%23000000&logo=javascript:alert(1)&hideBranding=true&defaultRedirectUrl=https://evil.example/',
  )
  t.deepEqual(asked.branding, {
    ...plain.branding,
    companyName: 'Query',
    primaryColor: '#ffffff',
    backgroundColor: '#000000',
    hidePilotStatusBranding: true,
  })
  await put(client, world, { supportUrl: 'https://newer.example/' })
  t.is((await look()).branding.supportUrl, 'https://newer.example/')
})

test("a value of the query that cannot be decoded is ignored, and the rest of the page's look stays", async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { remotePairingToken: token } = (await linkOf(client, world, { companyName: 'Link' })).body
  for (const query of ['title=%00', 'title=a%00b', 'utm=%FF', 'utm=%', 'utm=50%+off']) {
    const { status, body } = await client.send('GET', `/v1/connect/${token}/branding?primary=ABCDEF&${query}`)
    t.is(status, 200, query)
    t.like(body.branding, { companyName: 'Link', primaryColor: '#abcdef' }, query)
  }
  t.is((await client.send('GET', '/v1/connect/%FF/branding')).status, 200, 'a link that nobody knows')
  t.is((await client.send('GET', '/api/public/embed/diagnose?s=%00')).status, 400)
})

test('a link can be named by a bearer token too, so that the token is in no URL', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { remotePairingToken: token } = (await linkOf(client, world, { companyName: 'Link' })).body
  const byBearer = (bearer: string) =>
    client.send('GET', '/v1/connect/self/branding', { headers: { authorization: `Bearer ${bearer}` } })
  t.is((await byBearer(token)).body.branding.companyName, 'Link')
  t.deepEqual((await byBearer('nonsense')).body, NOTHING)
  t.deepEqual((await client.send('GET', '/v1/connect/self/branding')).body, NOTHING)
})

// [branding.precedence.9]
test('an unknown link has the defaults alone, whatever it looks like and whatever is asked', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  await put(client, world, { companyName: 'Tenant' })
  for (const token of ['rp_00000000000000000000000000', 'x', '..%2f', 'x'.repeat(2_000), '%3Cscript%3E']) {
    const { status, body } = await client.send('GET', `/v1/connect/${token}/branding?title=Query&embed=1`)
    t.is(status, 200, token)
    t.deepEqual(body, NOTHING)
  }
})

test('hostile texts are kept as texts or left out, never refused', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { remotePairingToken: token } = (await linkOf(client, world)).body
  const query = new URLSearchParams({
    title: '<img src=x onerror=alert(1)>',
    subtitle: 'x'.repeat(6_000),
    logo: 'data:image/svg+xml,<svg>',
    support: ' javascript:alert(1)',
    primary: 'red;}',
    bg: '\u202E',
  })
  const { status, body } = await client.send('GET', `/v1/connect/${token}/branding?${query}`)
  t.is(status, 200)
  t.deepEqual(body.branding, { ...DEFAULT_LOOK, companyName: '<img src=x onerror=alert(1)>' })
})

// [branding.query.5] [embeds.tokens.4]
test('a framed page has the look of the newest live connect session that covers its number', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  await put(client, world, { companyName: 'Tenant' })
  const { remotePairingToken: token, numberId } = (
    await linkOf(client, world, { companyName: 'Link', subtitle: 'Of the link' })
  ).body
  const title = async (query: string) =>
    (await client.send('GET', `/v1/connect/${token}/branding${query}`)).body.branding.companyName
  await override(world, { companyName: 'Of all numbers', button: { label: 'Go' } })
  t.is(await title('?embed=1'), 'Of all numbers')
  t.is(await title('?embed=true'), 'Link')
  t.is(await title(''), 'Link')
  world.clock.advance(1)
  await override(world, { companyName: null }, { numberIds: [numberId] })
  t.is(await title('?embed=1'), null, 'null of the session stops link and tenant')
  t.is(await title('?embed=1&title=Query'), 'Query')
  world.clock.advance(1)
  await override(world, { companyName: 'Of another' }, { numberIds: [world.number.id] })
  t.is(await title('?embed=1'), null)
  world.clock.advance(1)
  await override(world, null)
  t.is(await title('?embed=1'), 'Link')
})

// [branding.precedence.8]
test('a link that is over keeps its look', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { remotePairingToken: token } = (await linkOf(client, world, { companyName: 'Link' })).body
  await linkOf(client, world, { companyName: 'Newer' })
  t.is((await client.send('GET', `/v1/connect/${token}/branding`)).body.branding.companyName, 'Link')
})

// [branding.button.5]
test('a text of a button that cannot be read is drawn black or white', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { remotePairingToken: token } = (
    await linkOf(client, world, { button: { backgroundColor: '#ffffff', textColor: '#EEEEEE' } })
  ).body
  t.deepEqual((await client.send('GET', `/v1/connect/${token}/branding`)).body.branding.button, {
    backgroundColor: '#ffffff',
    textColor: '#000000',
  })
})

// [branding.fields.14]
test('a link is refused for a brand or a redirect that breaks a rule', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const branding = [
    { button: { borderRadius: 33 } },
    { button: { size: 'huge' } },
    { button: { label: 'x'.repeat(41) } },
    { button: { textColor: '#fff' } },
    { button: 'yes' },
    { companyName: 'x'.repeat(61) },
    { logoUrl: 'https://u:p@acme.example/' },
  ]
  for (const one of branding) t.is((await linkOf(client, world, one)).status, 400, JSON.stringify(one))
  for (const redirectUrl of ['http://acme.example/', 'javascript:alert(1)', '/done'])
    t.like(await linkOf(client, world, {}, { redirectUrl }), {
      status: 400,
      body: { details: [{ path: 'redirectUrl' }] },
    })
  for (const redirectUrl of ['https://acme.example/done', 'http://localhost:8080/done'])
    t.is((await linkOf(client, world, {}, { redirectUrl })).status, 201)
  t.is((await linkOf(client, world, { button: null, hidePilotStatusBranding: null })).status, 201)
})
