import test from 'ava'
import { readBundle } from '../../../src/http/openapi/scalar-bundle.ts'
import { MENDING } from '../../../src/http/openapi/scalar-mending.ts'
import { serve } from '../../helpers/http-app.ts'
import { World } from '../../helpers/world.ts'

test('the page runs the script beside it and nothing else, from wherever it was reached', async (t) => {
  const client = await serve(t, new World())
  const { status, text, headers } = await client.send('GET', '/docs')
  t.is(status, 200)
  t.regex(headers.get('content-type') ?? '', /^text\/html/)
  t.deepEqual(
    [...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag),
    ['<script src="docs/reference.js">'],
  )
  t.notRegex(text, /https?:|\/\//)
  const policy = headers.get('content-security-policy') ?? ''
  for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
    t.true(policy.split('; ').includes(rule), rule)
})

test('behind a prefix, requests of the page go to that prefix', async (t) => {
  const client = await serve(t, new World(), { baseUrl: 'https://api.example/gateway' })
  const { text } = await client.send('GET', '/docs')
  t.true(text.includes('&quot;servers&quot;:[{&quot;url&quot;:&quot;/gateway&quot;}]'))
})

test('the script is sent packed to who takes that, and as it is to others', async (t) => {
  const client = await serve(t, new World())
  const answers = await Promise.all(
    (['br', 'gzip', 'identity'] as const).map(
      async (encoding) =>
        [
          encoding,
          await client.send('GET', '/docs/reference.js', { headers: { 'accept-encoding': encoding } }),
        ] as const,
    ),
  )
  const script = await readBundle()
  for (const [encoding, { headers, text }] of answers) {
    t.is(headers.get('content-encoding'), encoding === 'identity' ? null : encoding)
    t.is(headers.get('content-type'), 'text/javascript; charset=utf-8')
    t.is(headers.get('vary'), 'accept-encoding')
    t.is(text, script + MENDING)
  }
  t.regex(script, /createApiReference/)
})

test('a client that already has document, page or script gets 304', async (t) => {
  const client = await serve(t, new World())
  for (const path of ['/openapi.json', '/docs', '/docs/reference.js']) {
    const first = await client.send('GET', path)
    const again = await client.send('GET', path, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
    })
    t.deepEqual([again.status, again.text.length, again.headers.get('etag')], [304, 0, first.headers.get('etag')], path)
  }
})

test('the document is a tenth of its size on its way, and may be kept (case 11)', async (t) => {
  const client = await serve(t, new World())
  const { headers, text } = await client.send('GET', '/openapi.json')
  t.true(Number(headers.get('content-length')) < text.length / 8)
  t.is(headers.get('cache-control'), 'no-cache')
})
