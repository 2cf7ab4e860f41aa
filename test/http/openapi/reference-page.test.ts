import test from 'ava'
import { gunzipSync } from 'node:zlib'
import { readBundle } from '../../../src/http/openapi/scalar-bundle.ts'
import { serve, World } from '../../helpers/http-app.ts'

test('the page runs the script beside it and nothing else, from wherever it was reached', async (t) => {
  const client = await serve(t, new World())
  const { status, text, headers } = await client.send('GET', '/docs')
  t.is(status, 200)
  t.regex(headers.get('content-type') ?? '', /^text\/html/)
  t.deepEqual([...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag), ['<script src="docs/reference.js">'])
  t.notRegex(text, /https?:|\/\//)
  const policy = headers.get('content-security-policy') ?? ''
  for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]) t.true(policy.split('; ').includes(rule), rule)
})

test('behind a prefix, requests of the page go to that prefix', async (t) => {
  const client = await serve(t, new World(), { baseUrl: 'https://api.example/gateway' })
  const { text } = await client.send('GET', '/docs')
  t.true(text.includes('&quot;servers&quot;:[{&quot;url&quot;:&quot;/gateway&quot;}]'))
})

test('the script is sent packed to who takes that, and unpacked to others', async (t) => {
  const client = await serve(t, new World())
  const [packed, plain] = await Promise.all(['gzip, br', 'identity'].map((encoding) => client.send('GET', '/docs/reference.js', { headers: { 'accept-encoding': encoding } })))
  t.is(packed?.headers.get('content-encoding'), 'gzip')
  t.is(plain?.headers.get('content-encoding'), null)
  for (const answer of [packed, plain]) {
    t.is(answer?.headers.get('content-type'), 'text/javascript; charset=utf-8')
    t.is(answer?.headers.get('vary'), 'accept-encoding')
  }
  t.is(plain?.text, packed?.text)
  t.is(plain?.text, gunzipSync(await readBundle()).toString())
  t.regex(plain?.text ?? '', /createApiReference/)
})
