/**
 * A page that calls somebody and speaks with them over the realtime socket. This small server holds the key of the
 * number: the page gets an address that opens one socket, once. It listens on this machine only.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const { PORT = '8080', BASE = 'http://localhost:3000', KEY = '', TO = '5511990000001' } = process.env

const fileOf = (name: string) => readFileSync(new URL(name, import.meta.url))
const FILES: Readonly<Record<string, { readonly type: string; readonly body: Buffer }>> = {
  '/': { type: 'text/html', body: fileOf('index.html') },
  '/page.js': { type: 'text/javascript', body: fileOf('page.js') },
  '/audio.js': { type: 'text/javascript', body: fileOf('audio.js') },
}

async function post(path: string, body: object): Promise<{ readonly id: string; readonly wsUrl: string }> {
  const answer = await fetch(BASE + path, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as { id: string; wsUrl: string }
}

/** Places the call, and has a session for the page. Its socket ends with the page, and the call with its socket. */
async function call(response: ServerResponse): Promise<void> {
  const { id } = await post('/v1/calls', { to: TO })
  const { wsUrl } = await post(`/v1/calls/${id}/realtime-session`, {})
  console.log(`call ${id}`)
  response.writeHead(201, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify({ wsUrl: `${wsUrl}&rate=16000&onDisconnect=hangup` }))
}

function serve({ method, url = '', headers }: IncomingMessage, response: ServerResponse): void {
  const file = Object.hasOwn(FILES, url) ? FILES[url] : undefined
  if (file && method === 'GET') {
    response.writeHead(200, { 'content-type': `${file.type}; charset=utf-8`, 'cache-control': 'no-cache' })
    return void response.end(file.body)
  }
  if (url !== '/call' || method !== 'POST') return void response.writeHead(404).end()
  // Pages of others that are open in this browser can send requests here too.
  if (headers.origin !== `http://${headers.host}`) return void response.writeHead(403).end()
  call(response).catch((error: unknown) => {
    console.log(String(error))
    response.writeHead(502).end()
  })
}

const server = createServer(serve)
server.listen(Number(PORT), '127.0.0.1')
await once(server, 'listening')
console.log(`Listens on http://localhost:${(server.address() as AddressInfo).port}/`)
