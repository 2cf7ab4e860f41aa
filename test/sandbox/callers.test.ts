import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import test from 'ava'
import { until } from '../helpers/until.ts'
import { GATEWAY_NUMBER, startPlayground } from './bridge-client.ts'

const PEER = '5511990000001'
const BREAKS = ['text/plain\r\nx-more: 1', 'text/plain\n', 'image/png\r', 'image/png\0', 'image/png; name=日本']

/** Sends a request with headers that fetch forbids; resolves to the status. */
async function ask(
  port: number,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<number | undefined> {
  const asked = request({ host: '127.0.0.1', port, path, method, headers })
  asked.end()
  const [response] = await once(asked, 'response')
  response.resume()
  return response.statusCode
}

test('a value that would break a header is refused on input, and the sandbox continues', async (t) => {
  const { sandbox, post, get, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  for (const text of BREAKS) {
    const media = await post(`/control/peers/${PEER}/messages`, {
      to: GATEWAY_NUMBER,
      type: 'document',
      media: { base64: 'aGk=', mimeType: text },
    })
    t.is(media.status, 400, text)
    t.is(
      (await post('/control/faults', { match: { path: '/official' }, status: 503, headers: { 'retry-after': text } }))
        .status,
      400,
      text,
    )
    t.is(
      (await post('/control/faults', { match: { path: '/official' }, status: 503, headers: { [text]: '1' } })).status,
      400,
      text,
    )
  }
  t.is((await post('/control/faults', { status: 101 })).status, 400, 'no answer')
  t.deepEqual(await get('/control/faults'), { faults: [] })
  t.is(
    (
      await post(`/control/peers/${PEER}/messages`, {
        to: GATEWAY_NUMBER,
        type: 'document',
        media: { base64: 'aGk=', mimeType: 'text/plain; charset=utf-8' },
      })
    ).status,
    201,
  )
  const { content } = await client.event('message.received')
  t.is(await (await fetch(content.media?.url ?? '')).text(), 'hi')
  await sandbox.close()
})

test('an upload whose type would break a header is refused, and downloads go on', async (t) => {
  const { sandbox, post } = await startPlayground()
  const { body: number } = await post('/control/official/numbers', { number: '5511966665555' })
  const form = 'b'
  const part = (name: string, text: string, more = '') =>
    `--${form}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`
  const file = `--${form}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: application/octet-stream\r\n\r\nx\r\n`
  const upload = (type: string) =>
    fetch(`http://127.0.0.1:${sandbox.port}/official/v24.0/${number.phoneNumberId ?? number.phoneId}/media`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${number.accessToken}`,
        'content-type': `multipart/form-data; boundary=${form}`,
      },
      body: `${part('messaging_product', 'whatsapp')}${part('type', type)}${file}--${form}--\r\n`,
    })
  t.is((await upload('image/png;\r\nx-more: 1')).status, 400)
  t.is((await upload('image/png')).status, 200)
  await sandbox.close()
})

test('the control API answers to programs of this machine alone: no name from elsewhere, and no page of another address', async (t) => {
  const {
    sandbox: { port, close },
  } = await startPlayground()
  const own = `127.0.0.1:${port}`
  for (const headers of [
    { host: own },
    { host: 'localhost:1' },
    { host: '[::1]:3002' },
    { host: own, origin: `http://${own}` },
    { host: own, 'sec-fetch-site': 'none' },
  ]) {
    t.is(await ask(port, '/control/requests', headers), 200, JSON.stringify(headers))
  }
  for (const headers of [
    { host: 'evil.example' },
    { host: `evil.example:${port}` },
    { host: 'localhost.evil.example' },
    { host: '192.168.1.5' },
    { host: '127.0.0.1.evil.example' },
    { host: own, origin: 'https://evil.example' },
    { host: own, origin: 'null' },
    { host: own, origin: 'http://localhost:5173' },
    { host: own, 'sec-fetch-site': 'cross-site' },
    { host: 'evil.example', origin: 'http://evil.example' },
  ]) {
    for (const [path, method] of [
      ['/control/requests', 'GET'],
      ['/control/reset', 'POST'],
      ['/control/nothing', 'GET'],
      ['/x/../control/reset', 'POST'],
      ['//x/control/reset', 'POST'],
    ] as const) {
      t.true([403, 404].includes((await ask(port, path, headers, method)) ?? 0), JSON.stringify(headers))
    }
    t.is(await ask(port, '/control/reset', headers, 'POST'), 403)
  }
  t.is(await ask(port, '/health', { host: 'evil.example' }), 200)
  await close()
})

test('a link of another page leads to the page of the control API, which shows what it can do, and to nothing else there', async (t) => {
  const {
    sandbox: { port, close },
  } = await startPlayground()
  const own = `127.0.0.1:${port}`
  const page = await fetch(`http://${own}/control`)
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8')
  const html = await page.text()
  t.true(
    html.includes('POST /control/devices/:number/scan') && html.includes(`curl -X POST http://${own}/control/devices/`),
  )
  const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, path = '']) => path)
  t.true(links.length > 3)
  for (const path of links) t.is((await fetch(`http://${own}${path}`)).status, 200, path)
  const visit = { host: own, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  t.is(await ask(port, '/control', visit), 200)
  for (const [path, method, changed] of [
    ['/control/requests', 'GET', {}],
    ['/control/reset', 'POST', {}],
    ['/control?x', 'GET', {}],
    ['/control', 'GET', { 'sec-fetch-dest': 'iframe' }],
    ['/control', 'GET', { 'sec-fetch-mode': 'no-cors' }],
    ['/control', 'GET', { host: 'evil.example' }],
    ['/control', 'GET', { origin: 'http://localhost:5173' }],
    ['/control', 'POST', {}],
  ] as const)
    t.is(await ask(port, path, { ...visit, ...changed }, method), 403, `${method} ${path} ${JSON.stringify(changed)}`)
  await close()
})

test('a malformed request path does not end the process', async (t) => {
  const { sandbox, get } = await startPlayground()
  for (const line of [
    'GET // HTTP/1.1',
    'GET //[ HTTP/1.1',
    'GET /official//[ HTTP/1.1',
    'GET //[ HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket',
    'GET /media/%00 HTTP/1.1',
    'GET /control/%ff HTTP/1.1',
  ]) {
    const socket = connect(sandbox.port, '127.0.0.1')
    let heard = ''
    socket.on('data', (bytes) => {
      heard += String(bytes)
    })
    socket.write(`${line}\r\nhost: 127.0.0.1\r\n\r\n`)
    await until(`an answer to ${line}`, () => heard.includes('\r\n\r\n'))
    t.regex(heard, /^HTTP\/1\.1 4\d\d /, line)
    socket.destroy()
  }
  t.deepEqual(await get('/control/faults'), { faults: [] })
  await sandbox.close()
})

// [dashboard.routes.5]
test('pages of the one origin that is named may tell the sandbox what to do, after a preflight, and no others', async (t) => {
  const pageOrigin = 'http://localhost:3000'
  const {
    sandbox: { port, close },
  } = await startPlayground({ pageOrigin })
  const send = async (method: string, headers: Record<string, string>, path = '/control/reset') => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers: { host: `localhost:${port}`, ...headers } })
    asked.end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    response.resume()
    return response
  }
  const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
  const asked = await send('OPTIONS', { origin: pageOrigin, ...preflight })
  t.is(asked.statusCode, 204)
  t.is(asked.headers['access-control-allow-origin'], pageOrigin)
  t.is(asked.headers['access-control-allow-methods'], 'GET, POST, PATCH, DELETE')
  t.is(asked.headers['access-control-allow-headers'], 'content-type')
  t.is(asked.headers['access-control-allow-credentials'], undefined)
  const told = await send('POST', { origin: pageOrigin, 'sec-fetch-site': 'same-site' })
  t.is(told.statusCode, 200)
  t.is(told.headers['access-control-allow-origin'], pageOrigin)
  t.is(told.headers.vary, 'origin')
  const missing = await send('GET', { origin: pageOrigin }, '/control/nothing')
  t.is(missing.statusCode, 404)
  t.is(missing.headers['access-control-allow-origin'], pageOrigin, 'a page can read what is wrong')
  for (const origin of [
    'http://localhost:3001',
    'https://localhost:3000',
    'http://localhost:3000.evil.example',
    'null',
  ]) {
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      const refused = await send(method, { origin, ...(method === 'OPTIONS' ? preflight : {}) })
      t.is(refused.statusCode, 403, `${method} ${origin}`)
      t.is(refused.headers['access-control-allow-origin'], undefined)
    }
  }
  t.is((await send('POST', { origin: pageOrigin, host: 'evil.example' })).statusCode, 403)
  t.is((await send('GET', { origin: pageOrigin }, '/health')).headers['access-control-allow-origin'], undefined)
  await close()
})

// [dashboard.routes.5]
test('without a named origin no page but those of the sandbox tells it what to do', async (t) => {
  const {
    sandbox: { port, close },
  } = await startPlayground()
  const own = { host: `localhost:${port}` }
  t.is(await ask(port, '/control/reset', { ...own, origin: 'http://localhost:3000' }, 'POST'), 403)
  t.is(await ask(port, '/control/reset', { ...own, origin: `http://localhost:${port}` }, 'POST'), 200)
  await close()
})
