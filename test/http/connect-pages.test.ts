import { request } from 'node:http'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import * as fc from 'fast-check'
import type { OwnBranding } from '../../src/domain/branding.ts'
import { linkHandle } from '../../src/domain/pairing.ts'
import { ANY_LETTER } from '../helpers/any-letter.ts'
import { BUILT_PAGES } from '../helpers/built-pages.ts'
import { HOST_ORIGIN, mint } from '../helpers/embeds.ts'
import { serve, type Client, type Reply } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

const OTHER_ORIGIN = 'http://localhost:5173'
const UNKNOWN = 'rp_00000000000000000000000000'

async function pages(t: ExecutionContext) {
  const world = new World()
  const client = await serve(t, world, { builtAssets: BUILT_PAGES })
  const issue = (branding: OwnBranding | null = null, number = world.number) =>
    world.pairing.issue({
      tenantId: number.tenantId,
      numberId: number.id,
      branding,
      redirectUrl: null,
      expiresAt: new Date(world.clock.now() + 60_000),
    })
  return { world, client, issue }
}

function dataOf({ text }: Reply): any {
  return JSON.parse(/<script type="application\/json" id="page-data">(.*?)<\/script>/.exec(text)?.[1] ?? 'null')
}

function framersOf({ headers }: Reply): string {
  return /frame-ancestors (.*)$/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? ''
}

type Pages = Awaited<ReturnType<typeof pages>>

/** Sessions of a link, and the origins that may then frame its page. */
const STATES: Record<string, { readonly make: (of: Pages) => Promise<string>; readonly framers: string }> = {
  'no session': { make: async () => '', framers: "'none'" },
  'a session of chat alone': { make: async ({ client, world }) => (await mint(client, world)).id, framers: "'none'" },
  'a live session that names the number': { make: ({ client, world }) => connect(client, world), framers: HOST_ORIGIN },
  'a live session of all numbers': {
    make: ({ client, world }) => connect(client, world, { channelNumberIds: undefined }),
    framers: HOST_ORIGIN,
  },
  'two live sessions': {
    make: async ({ client, world }) => {
      await connect(client, world)
      return connect(client, world, { allowedOrigins: [OTHER_ORIGIN, HOST_ORIGIN] })
    },
    framers: `${OTHER_ORIGIN} ${HOST_ORIGIN}`,
  },
  'a session of another number': {
    make: ({ client, world }) =>
      connect(client, world, { channelNumberIds: [world.addNumber(world.tenantId, '5511900001111').number.id] }),
    framers: "'none'",
  },
  'a session of another tenant': {
    make: ({ client, world }) => connect(client, world, { channelNumberIds: undefined }, world.otherTenantKey.raw),
    framers: "'none'",
  },
  'an expired session': {
    make: async ({ client, world }) => {
      const id = await connect(client, world, { ttlSeconds: 60 })
      world.clock.advance(60_000)
      return id
    },
    framers: "'none'",
  },
  'a revoked session': {
    make: async ({ client, world }) => {
      const id = await connect(client, world)
      await world.embedSessions.revoke(world.tenantId, null, id)
      return id
    },
    framers: "'none'",
  },
  'a session whose key was rotated': {
    make: async ({ client, world }) => {
      const id = await connect(client, world)
      await world.keys.rotateTenantKey(world.tenantId)
      return id
    },
    framers: "'none'",
  },
}

async function connect(client: Client, world: World, fields: object = {}, key?: string): Promise<string> {
  return (await mint(client, world, { surface: 'connect', ...fields }, key)).id
}

const LINK_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': null,
  'cross-origin-resource-policy': null,
  'permissions-policy': 'microphone=(), camera=(), geolocation=()',
}
const FRAME_HEADERS = {
  'cross-origin-opener-policy': null,
  'cross-origin-embedder-policy': 'credentialless',
  'cross-origin-resource-policy': 'cross-origin',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
}
const LINK_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data: http://localhost:3000; connect-src 'self'; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors "
const FRAME_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data: blob: http://localhost:3000; connect-src 'self'; font-src 'self'; media-src 'self' blob:; form-action 'none'; base-uri 'none'; frame-ancestors "

function hasHeaders(t: ExecutionContext, reply: Reply, framers: string, isFrame: boolean): void {
  t.is(reply.status, 200)
  const { headers } = reply
  const expected = {
    ...(isFrame ? FRAME_HEADERS : LINK_HEADERS),
    'content-security-policy': (isFrame ? FRAME_POLICY : LINK_POLICY) + framers,
    'x-frame-options': framers === "'none'" ? 'DENY' : null,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    'x-robots-tag': 'noindex',
    'set-cookie': null,
  }
  t.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)])), expected)
}

// [pages.headers.1] [pages.headers.2] [pages.headers.3] [pages.headers.4] [pages.headers.5] [pages.headers.6]
// [pages.addresses.4]
for (const [state, { make, framers }] of Object.entries(STATES)) {
  test(`pages of a link with ${state} have their headers`, async (t) => {
    const of = await pages(t)
    const token = await of.issue()
    await make(of)
    for (const path of [
      `/connect/${token}`,
      `/connect/${token}/qr?embed=1`,
      `/connect/${token}/code?frame-ancestors=*`,
    ])
      hasHeaders(t, await of.client.send('GET', path), framers, false)
    const frame = await of.client.send('GET', `/connect?h=${linkHandle(token)}`)
    hasHeaders(t, frame, framers, true)
    t.deepEqual(dataOf(frame).allowedOrigins, framers === "'none'" ? [] : framers.split(' '))
    for (const path of [`/connect/${UNKNOWN}`, '/connect/x', '/connect/..%2f'])
      hasHeaders(t, await of.client.send('GET', path), "'none'", false)
    for (const path of [
      '/connect',
      '/connect?h=',
      `/connect?h=${linkHandle(UNKNOWN)}`,
      `/connect?h=a&h=${linkHandle(token)}`,
    ])
      hasHeaders(t, await of.client.send('GET', path), "'none'", true)
  })

  test(`the frame of the inbox with ${state} has its headers`, async (t) => {
    const of = await pages(t)
    const id = await make(of)
    const session = await of.world.embedSessions.findLive(id)
    const own = session?.allowedOrigins ?? []
    const reply = await of.client.send('GET', `/chat?s=${id}`)
    hasHeaders(t, reply, own.join(' ') || "'none'", true)
    t.deepEqual(dataOf(reply), {
      serviceName: 'Channel Messaging',
      baseUrl: 'http://localhost:3000',
      lang: 'en',
      allowedOrigins: own,
    })
  })
}

// [inbox.frame.1]
test('the frame of the inbox is one document for any session, but for its headers and the list of origins', async (t) => {
  const { world, client } = await pages(t)
  const { id } = await mint(client, world, { brandingOverride: { companyName: 'Acme' } })
  const read = async (query: string) => {
    const reply = await client.send('GET', `/chat${query}`)
    return reply.text.replace(`"allowedOrigins":${JSON.stringify(dataOf(reply).allowedOrigins)}`, '')
  }
  const known = await read(`?s=${id}`)
  for (const query of ['', '?s=', '?s=emb_00000000000000000000000000', `?s=${id}&s=${id}`, '?title=Evil'])
    t.is(await read(query), known, query)
})

/**
 * Text that no store can hold or that cannot be decoded: invalid percent-encoding, NUL, lone surrogates, bytes that are
 * not UTF-8.
 */
const BROKEN = [
  '%',
  '%0',
  '%zz',
  '%00',
  '%01',
  '%1b%5b',
  '%0d%0a',
  '%7f',
  '%ff%fe',
  '%ed%a0%80',
  '%c0%80',
  '%e2%80%ae',
  '%F0%9F',
  '%25%30%30',
  '+',
  '..%2f..%2f',
  '%3Cscript%3E',
  "'%20or%201=1--",
  'x'.repeat(2_500),
]

/** Requests a path exactly as it is written; `fetch` would normalise it first. */
function askRaw(url: string, method: string, path: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    request(url, { method, path }, async (response) => {
      const text = (await response.setEncoding('utf8').toArray()).join('')
      const headers = new Headers(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)] as [string, string]),
      )
      resolve({ status: response.statusCode ?? 0, headers, text, body: null })
    })
      .once('error', reject)
      .end()
  })
}

test('a broken or hostile address of a page gets the document of an unknown link, and no store is asked', async (t) => {
  const { world, client, issue } = await pages(t)
  const [token, { id }] = [await issue({ companyName: 'Acme' }), await mint(client, world)]
  const known = { s: id, h: linkHandle(token), token }
  const asked: string[] = []
  const { findLive } = world.embedSessions
  world.embedSessions.findLive = (session) => findLive.call(world.embedSessions, asked[asked.push(session) - 1] ?? '')
  const { find } = world.pairing
  world.pairing.find = (link) => find.call(world.pairing, asked[asked.push(link) - 1] ?? '')
  const bodies = {
    connect: (await client.send('GET', `/connect/${UNKNOWN}`)).text,
    frame: (await client.send('GET', '/connect')).text,
    chat: (await client.send('GET', '/chat')).text,
  }

  const part = fc.oneof(
    fc.constantFrom(...BROKEN),
    fc.string({ unit: ANY_LETTER, maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
  )
  // A known value made invalid: replaced, followed by NUL, or with broken text before and after.
  const wrong = (value: string) =>
    fc.oneof(
      part,
      part.map((text) => `${value}%00${text}`),
      part.map((text) => `${text}${value}%ff`),
    )
  const query = fc
    .array(fc.tuple(fc.oneof(fc.constantFrom('title', 'logo', 'embed', 'mode', '__proto__'), part), part), {
      maxLength: 4,
    })
    .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'))
  const address = fc.oneof(
    fc.tuple(
      fc.constant('connect'),
      fc
        .tuple(wrong(known.token), fc.constantFrom('', '/qr', '/code'), query)
        .map(([link, end, more]) => `/connect/${link.replaceAll('/', '%2f')}x${end}?${more}`),
    ),
    fc.tuple(
      fc.constant('frame'),
      fc.tuple(wrong(known.h), query).map(([handle, more]) => `/connect?h=${handle}&h=&${more}`),
    ),
    fc.tuple(
      fc.constant('chat'),
      fc.tuple(wrong(known.s), query).map(([session, more]) => `/chat?s=x${session}&${more}`),
    ),
  ) as fc.Arbitrary<readonly ['connect' | 'frame' | 'chat', string]>
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('GET', 'GET', 'HEAD'), address, async (method, [page, path]) => {
      world.clock.advance(1_000)
      const reply = await askRaw(client.url, method, path)
      hasHeaders(t, reply, "'none'", page !== 'connect')
      t.is(reply.text, method === 'HEAD' ? '' : bodies[page], path)
    }),
    { numRuns: 400 },
  )
  t.deepEqual(
    asked.filter((text) => !/^(?:emb|rp)_[0-9a-z]{26}$/.test(text)),
    [],
  )
  const { status, body } = await client.send('GET', '/v1/connect/%00/branding?title=%ff%00')
  t.deepEqual([status, body.branding.companyName], [200, null])
  t.is((await client.send('GET', '/v1/remote-pairing/%00')).status, 400)
})

// [pages.addresses.5]
test('the preview is framed by the origin of the service alone', async (t) => {
  const { client } = await pages(t)
  const reply = await client.send('GET', '/connect/preview')
  hasHeaders(t, reply, 'http://localhost:3000', false)
  const { exampleQr, ...data } = dataOf(reply)
  t.deepEqual(data, { serviceName: 'Channel Messaging', baseUrl: 'http://localhost:3000', lang: 'en' })
  t.regex(exampleQr, /^data:image\/png;base64,/)
})

// [pages.addresses.7]
test('a page is titled and previewed as its link looks, never as its query says, and all else is one document', async (t) => {
  const { world, client, issue } = await pages(t)
  const branded = await issue({
    companyName: 'Acme <"&\'> $& $1',
    subtitle: '</title><script>x</script>',
    logoUrl: 'https://acme.example/logo.png',
  })
  const { text } = await client.send(
    'GET',
    `/connect/${branded}?title=Evil&subtitle=Evil&logo=https://evil.example/x.png`,
  )
  t.true(text.includes("<title>Acme &lt;&quot;&amp;'&gt; $&amp; $1</title>"))
  t.true(text.includes('<meta property="og:title" content="Acme &lt;&quot;&amp;\'&gt; $&amp; $1">'))
  t.true(text.includes('<meta property="og:description" content="&lt;/title&gt;&lt;script&gt;x&lt;/script&gt;">'))
  t.true(text.includes('<meta property="og:image" content="https://acme.example/logo.png">'))
  t.is(text.split('<meta name="robots" content="noindex">').length, 2, 'once')
  t.false(text.includes('vil'))
  t.false(text.includes(branded))
  const plain = (await client.send('GET', `/connect/${await issue(null, world.foreignNumber)}`)).text
  const unknown = (await client.send('GET', `/connect/${UNKNOWN}?title=Evil`)).text
  t.is((await client.send('GET', `/connect/${UNKNOWN}?title=50%+off&utm=%00`)).text, unknown)
  t.is(plain, unknown)
  t.true(unknown.includes('<title>Channel Messaging</title>'))
  const common = (html: string) => html.replaceAll(/<title>.*<\/title>|<meta property=.*>\n/g, '')
  t.is(common(text), common(unknown))
})

test('the brand of the tenant counts where the link has none, as it is now', async (t) => {
  const { world, client, issue } = await pages(t)
  const token = await issue()
  await world.branding.change(world.tenantId, { companyName: 'Tenant Ltd' })
  t.true((await client.send('GET', `/connect/${token}`)).text.includes('<title>Tenant Ltd</title>'))
  await world.branding.change(world.tenantId, { companyName: null })
  t.true((await client.send('GET', `/connect/${token}`)).text.includes('<title>Channel Messaging</title>'))
})

// [branding.query.7]
test('the document speaks the language of the query, else of the browser, else English', async (t) => {
  const { client } = await pages(t)
  const language = async (path: string, wanted: string) => {
    const reply = await client.send('GET', path, { headers: { 'accept-language': wanted } })
    const { lang } = dataOf(reply)
    t.true(reply.text.includes(`<html lang="${lang}"`))
    return lang
  }
  t.is(await language(`/connect/${UNKNOWN}`, 'pt-BR,pt;q=0.9,en;q=0.8'), 'pt')
  t.is(await language(`/connect/${UNKNOWN}?lang=es`, 'pt-BR'), 'es')
  t.is(await language(`/connect/${UNKNOWN}?lang=xx`, 'es-MX'), 'es')
  t.is(await language('/connect?lang=en&lang=es', 'ja,fr;q=0.9'), 'en')
  t.is(await language('/chat', '*'), 'en')
})

// [pages.addresses.8]
test('reading a page, its head too, starts no pairing and keeps the link as it is', async (t) => {
  const { world, client, issue } = await pages(t)
  const token = await issue()
  const before = await world.pairing.find(token)
  for (const method of ['GET', 'HEAD']) {
    for (const path of [
      `/connect/${token}`,
      `/connect/${token}/qr`,
      `/connect/${token}/code`,
      `/connect?h=${linkHandle(token)}`,
    ]) {
      const reply = await client.send(method, path)
      t.is(reply.status, 200)
      t.is(reply.text === '', method === 'HEAD')
    }
  }
  t.deepEqual(world.directory.asked, [])
  t.deepEqual(await world.pairing.find(token), before)
  t.is((await client.send('POST', `/connect/${token}`)).status, 405)
})

// [branding.precedence.8]
test('a link that is over keeps its look and its frames for 30 days', async (t) => {
  const { world, client, issue } = await pages(t)
  const token = await issue({ companyName: 'Acme' })
  world.clock.advance(29 * 86_400_000)
  await connect(client, world)
  const over = await client.send('GET', `/connect?h=${linkHandle(token)}`)
  t.true(over.text.includes('<title>Acme</title>'))
  t.is(framersOf(over), HOST_ORIGIN)
  world.clock.advance(86_400_000 + 60_000)
  await connect(client, world)
  t.is(framersOf(await client.send('GET', `/connect?h=${linkHandle(token)}`)), "'none'")
})

// [configuration.hosts.3]
test('without a build the pages say what to run, and the API works on', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  for (const path of [`/connect/${UNKNOWN}`, '/connect', '/connect/preview', '/chat']) {
    const { status, body } = await client.send('GET', path)
    t.deepEqual([status, body.code], [503, 'WEB_ASSETS_MISSING'], path)
  }
  t.is((await client.send('GET', '/v1/embed/sessions', { key: world.tenantKey.raw })).status, 200)
})
