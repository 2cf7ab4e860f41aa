import { request } from 'node:http'
import test from 'ava'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

/** The headers of a browser that opens an address. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

// [configuration.variables.22]
test('a person in a browser is refused in words, in their language, by a page that loads nothing (case 12)', async (t) => {
  const client = await serve(t, new World(), { serviceName: 'Acme <Chat>' })
  for (const [path, status] of [
    ['/nowhere', 404],
    ['/dashboard/x', 404],
    ['/login', 503],
    ['/dashboard', 503],
    ['/oauth/token', 405],
    [`/media/${'x'.repeat(26)}`, 404],
  ] as const) {
    const { headers, text, ...page } = await client.send('GET', path, { headers: BROWSER })
    t.is(page.status, status, path)
    t.is(headers.get('content-type'), 'text/html; charset=utf-8', path)
    t.regex(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      path,
    )
    t.is(headers.get('cache-control'), 'no-store', path)
    t.regex(headers.get('vary') ?? '', /accept/i, path)
    t.regex(text, /<h1>[A-Z][^<]+<\/h1>/, path)
    t.true(text.includes('Acme &lt;Chat&gt;') && !text.includes('{"error"'), path)
  }
  t.regex(
    (await client.send('GET', '/nowhere', { headers: { ...BROWSER, 'accept-language': 'pt-BR' } })).text,
    /<html lang="pt">[^]*Não há nada neste endereço/,
  )
  t.regex(
    (await client.send('GET', '/nowhere', { headers: { ...BROWSER, 'accept-language': 'es' } })).text,
    /No hay nada en esta dirección/,
  )
  t.regex(
    (await client.send('GET', '/nowhere', { headers: BROWSER })).text,
    /ROUTE_NOT_FOUND[^]*href="http:\/\/localhost:3000\/docs"/,
  )
})

test('programs get the usual refusals, whatever types they accept', async (t) => {
  const client = await serve(t, new World())
  for (const [method, path, headers] of [
    ['GET', '/nowhere', {}],
    ['GET', '/nowhere', { accept: 'application/json' }],
    ['GET', '/nowhere', { accept: '*/*' }],
    ['GET', '/nowhere', { accept: 'application/json, text/html' }],
    ['POST', '/nowhere', BROWSER],
    ['GET', '/v1/nowhere', BROWSER],
    ['GET', '/v1/numbers', BROWSER],
    ['GET', '/api/session', BROWSER],
    ['GET', '/mcp', BROWSER],
    ['POST', '/oauth/token', BROWSER],
    ['GET', '/oauth/authorize?client_id=x', {}],
  ] as const) {
    const { status, headers: answered, body } = await client.send(method, path, { headers })
    t.true(status >= 400, path)
    t.regex(answered.get('content-type') ?? '', /^application\/json/, path)
    t.is(typeof body.error, 'string', path)
  }
})

test('an app that cannot be made out is told to the person in words, with what its maker needs', async (t) => {
  const client = await serve(t, new World())
  const { status, headers, text } = await client.send(
    'GET',
    '/oauth/authorize?client_id=x&redirect_uri=https://x.example',
    { headers: BROWSER },
  )
  t.is(status, 400)
  t.is(headers.get('content-type'), 'text/html; charset=utf-8')
  t.regex(headers.get('content-security-policy') ?? '', /style-src 'sha256-/)
  t.regex(text, /This app cannot be let in[^]*invalid_client/)
  const insecure = await serve(t, new World(), { baseUrl: 'http://service.example' })
  t.regex(
    (await insecure.send('GET', '/oauth/authorize', { headers: BROWSER })).text,
    /This needs https[^]*HTTPS_REQUIRED/,
  )
})

test('hosts of embeddable pages do not link to documents that they do not serve', async (t) => {
  const { url } = await serve(t, new World(), {
    baseUrl: 'https://api.example',
    chatEmbedUrl: 'https://chat.example',
    connectEmbedUrl: 'https://chat.example',
  })
  const textAt = (host: string): Promise<string> =>
    new Promise((resolve, reject) => {
      request(`${url}/docs/nothing`, { headers: { ...BROWSER, host } }, (response) => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('data', (piece) => {
            text += piece
          })
          .on('end', () => resolve(text))
      })
        .once('error', reject)
        .end()
    })
  t.notRegex(await textAt('chat.example'), /href="https/)
  t.regex(await textAt('api.example'), /href="https:\/\/api.example\/docs"/)
})
