import { request } from 'node:http'
import test from 'ava'
import { sharesPublicOrigin } from '../../src/domain/embed-origin.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

/** Requests a path with this Host header, which `fetch` would set itself. */
function statusAt(url: string, host: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url + path, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .once('error', reject)
      .end()
  })
}

// [configuration.hosts.1] [configuration.variables.3]
test('the host of an embed URL serves embeddable pages and what they need, and nothing else', async (t) => {
  const { url } = await serve(t, new World(), {
    baseUrl: 'https://api.example',
    chatEmbedUrl: 'https://chat.example',
    connectEmbedUrl: 'http://connect.example:8080',
  })
  for (const host of [
    'chat.example',
    'CHAT.example',
    'chat.example.',
    'chat.example:443',
    'connect.example:8080',
    'connect.example.:8080',
  ]) {
    for (const path of [
      '/',
      '/docs',
      '/openapi.json',
      '/metrics',
      '/embed.js',
      '/v1/numbers',
      '/v1/connections',
      '/healthy',
      '/api/session',
      '/login',
      '/dashboard',
      '/dashboard/numbers',
    ])
      t.is(await statusAt(url, host, path), 404, host + path)
    t.is(await statusAt(url, host, '/health/live'), 200, host)
    t.is(await statusAt(url, host, '/assets/x.js'), 503, host)
    t.is(await statusAt(url, host, '/v1/remote-pairing/rp_0/connect'), 405, host)
  }
  for (const host of ['api.example', 'other.example', 'connect.example'])
    t.is(await statusAt(url, host, '/v1/numbers'), 401, host)
})

test('an embed URL on the host of the base URL restricts nothing there', async (t) => {
  const { url } = await serve(t, new World(), {
    baseUrl: 'https://api.example',
    chatEmbedUrl: 'https://api.example',
    connectEmbedUrl: 'https://api.example/pages',
  })
  t.is(await statusAt(url, 'api.example', '/v1/numbers'), 401)
})

// [configuration.start.3]
test('a public base URL that shares its origin with an embed URL is found, one of this machine alone is not', (t) => {
  t.true(sharesPublicOrigin('https://api.example', ['https://chat.example', 'https://api.example']))
  t.true(sharesPublicOrigin('http://10.0.0.8:3000', ['http://10.0.0.8:3000']))
  t.true(sharesPublicOrigin('https://localhost', ['https://localhost']))
  t.false(
    sharesPublicOrigin('https://api.example', [
      'https://chat.example',
      'https://connect.example',
      'https://api.example:444',
    ]),
  )
  for (const url of ['http://localhost:3000', 'http://app.localhost', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
    t.false(sharesPublicOrigin(url, [url]), url)
})
