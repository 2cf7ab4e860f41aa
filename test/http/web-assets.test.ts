import { createHash } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import test from 'ava'
import { pageDocument } from '../../src/http/pages/page-document.ts'
import { firstDifference } from '../helpers/first-difference.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { builtPages, servePages } from '../helpers/pages.ts'

// [configuration.hosts.2]
test('an asset is served for good, in the smallest form that the client takes; names that the build did not list are 404', async (t) => {
  const assets = await builtPages()
  const { url, send } = await servePages(t, new World())
  for (const [path, { facts, bytes }] of assets.files) {
    if (!path.startsWith('assets/')) continue
    const plain = await fetch(`${url}/${path}`, { headers: { 'accept-encoding': 'identity' } })
    t.is(plain.headers.get('content-encoding'), null)
    t.is(plain.headers.get('content-type'), facts.type)
    t.is(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    t.is(plain.headers.get('x-content-type-options'), 'nosniff')
    t.is(plain.headers.get('cross-origin-resource-policy'), 'cross-origin')
    t.is(plain.headers.get('vary'), 'accept-encoding')
    t.is(firstDifference(Buffer.from(await plain.arrayBuffer()), bytes), null)
    for (const [accepted, encoding, length] of [
      ['gzip, deflate, br', 'br', facts.brBytes ?? 0],
      ['gzip', 'gzip', facts.gzipBytes ?? 0],
      ['br;q=0, gzip', 'gzip', facts.gzipBytes ?? 0],
    ] as const) {
      const packed = await fetch(`${url}/${path}`, { headers: { 'accept-encoding': accepted } })
      t.is(packed.headers.get('content-encoding'), encoding)
      t.is(Number(packed.headers.get('content-length')), length)
      t.is(firstDifference(Buffer.from(await packed.arrayBuffer()), bytes), null)
    }
  }
  for (const path of [
    '/assets/nothing.js',
    '/assets/..%2Fassets.json',
    '/assets/..%2Fpages%2Fconnect.html',
    '/assets/__proto__',
    '/embed/v0.0.1.js',
    '/embed/embed.js',
  ])
    t.is((await send('GET', path)).status, 404, path)
})

// [sdk.files.1] [sdk.files.2] [sdk.files.3] [sdk.files.5] [sdk.files.4] [sdk.files.6]
test('the SDK is served to any host: newest for a while, by version for good, with the integrity that its list names', async (t) => {
  const { url, send } = await servePages(t, new World(), { chatEmbedUrl: 'https://chat.example' })
  const { body } = await send('GET', '/embed/versions.json')
  const [version] = body.versions
  t.is(version.version, body.latest)
  t.is(version.url, `${url}/embed/v${body.latest}.js`)
  const pinned = await fetch(version.url, { headers: { 'accept-encoding': 'br' } })
  const bytes = Buffer.from(await pinned.arrayBuffer())
  t.is(`sha384-${createHash('sha384').update(bytes).digest('base64')}`, version.integrity)
  t.is(bytes.length, version.bytes)
  t.is(pinned.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  const newest = await send('GET', '/embed.js')
  t.is(newest.text, bytes.toString('utf8'))
  t.is(newest.headers.get('cache-control'), 'public, max-age=300, stale-while-revalidate=86400')
  t.deepEqual((await send('GET', '/embed/config.json')).body, {
    chatUrl: 'https://chat.example',
    connectUrl: url,
    latest: body.latest,
  })
  const paths = [
    '/embed.js',
    `/embed/v${body.latest}.js`,
    '/embed/versions.json',
    '/embed/config.json',
    `/embed/channel-messaging-embed-${body.latest}.tgz`,
  ]
  for (const path of paths) {
    const { status, headers } = await send('GET', path)
    t.is(status, 200, path)
    t.is(headers.get('access-control-allow-origin'), '*', path)
    t.is(headers.get('cross-origin-resource-policy'), 'cross-origin', path)
  }
})

// [sdk.files.1]
test('a client that has the newest script gets 304', async (t) => {
  const { send } = await servePages(t, new World())
  const etag = (await send('GET', '/embed.js')).headers.get('etag') ?? ''
  // Without this header `fetch` would set one that asks for no cached answer.
  const again = await send('GET', '/embed.js', { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } })
  t.is(again.status, 304)
  t.is(again.text, '')
  t.is(again.headers.get('access-control-allow-origin'), '*')
  t.is(
    (await send('GET', '/embed.js', { headers: { 'if-none-match': 'W/"older"', 'cache-control': 'max-age=0' } }))
      .status,
    200,
  )
})

// [configuration.hosts.3]
test('without a build pages and assets are 503 with the command that makes one, and the API works', async (t) => {
  const world = new World()
  const { send } = await serve(t, world)
  for (const path of [
    '/assets/connect-x.js',
    '/embed.js',
    '/embed/v1.0.0.js',
    '/embed/versions.json',
    '/embed/config.json',
  ]) {
    const { status, body } = await send('GET', path)
    t.is(status, 503, path)
    t.is(body.code, 'WEB_ASSETS_MISSING', path)
    t.regex(body.error, /`npm run web`/, path)
  }
  t.is((await send('GET', '/v1/numbers', { key: world.tenantKey.raw })).status, 200)
  t.throws(() => pageDocument(null, 'connect', { title: '', lang: 'en', data: {} }), { name: 'RefusalError' })
})

test('the document of a page carries title, tags and data as text that nothing breaks out of', async (t) => {
  const evil = '</title></script><script>alert(1)</script>"$&<!--'
  const html = pageDocument(await builtPages(), 'connect', {
    title: evil,
    lang: 'pt',
    meta: [{ property: 'og:title', content: evil }],
    data: { serviceName: evil },
  })
  t.is(html.match(/<script(?! type="application\/json")/g)?.length, 1)
  t.false(html.includes('<script>alert'))
  t.regex(html, /^<!doctype html>\s*<html lang="pt"/i)
  const [, data = ''] = /<script type="application\/json" id="page-data">([^<]*)<\/script>/.exec(html) ?? []
  t.deepEqual(JSON.parse(data), { serviceName: evil })
  t.true(html.includes('<title>&lt;/title&gt;'))
})

test('a file compressed with brotli unpacks to the original', async (t) => {
  for (const [path, { bytes, br }] of (await builtPages()).files)
    if (br) t.is(firstDifference(brotliDecompressSync(br), bytes), null, path)
})
