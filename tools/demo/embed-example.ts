/**
 * `npm run embed:example`: serves one page with the inbox to this machine only. `TOKEN` is an embed token of surface
 * chat whose session allows `http://localhost:8080`; `SERVICE` (http://localhost:3000) is the service, `PORT` (8080)
 * the port of the page. It serves nothing else, because a file server in this folder would serve the keys in `data`.
 * Ends with Ctrl-C.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const TOKEN_FORM = /^emb_[\w.-]+$/

function pageOf(service: string, token: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>The inbox in a product of yours</title>
<link rel="icon" href="data:,">
<div id="inbox"></div>
<script src="${service}/embed.js"></script>
<script>Channel.chat.mount('#inbox', { token: '${token}', height: 600 })</script>
</html>
`
}

/** The origin of the service. Throws when the address is not valid. */
function serviceOf(given: string): string {
  const url = URL.parse(given)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error(`SERVICE must be an address like http://localhost:3000, and is ${given}`)
  return url.origin
}

async function main(): Promise<void> {
  const { TOKEN: token = '', SERVICE, PORT } = process.env
  if (!TOKEN_FORM.test(token))
    throw new Error(
      'TOKEN must be an embed token (emb_...): POST /v1/embed/sessions answers one, with surface "chat" and this page\'s origin among allowedOrigins',
    )
  const page = pageOf(serviceOf(SERVICE ?? 'http://localhost:3000'), token)
  const server = createServer(({ method, url }, response) => {
    if (url !== '/' || (method !== 'GET' && method !== 'HEAD')) return response.writeHead(404).end()
    return response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
      .end(page)
  })
  server.listen(Number(PORT ?? 8080), '127.0.0.1')
  await once(server, 'listening')
  console.log(`Open http://localhost:${(server.address() as AddressInfo).port}/`)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
