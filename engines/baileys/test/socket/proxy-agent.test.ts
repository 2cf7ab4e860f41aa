import { once } from 'node:events'
import { createServer, get, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { plainProxyAgent, secureProxyAgent } from '../../socket/proxy-agent.ts'

async function listening(t: ExecutionContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A proxy that accepts one user and records the requests. */
async function openProxy(t: ExecutionContext) {
  const seen: string[] = []
  const server = createServer()
  server.on('connect', (request, client) => {
    seen.push(request.url ?? '')
    if (request.headers['proxy-authorization'] !== `Basic ${Buffer.from('ana:p@ss').toString('base64')}`)
      return void client.end('HTTP/1.1 407 No\r\n\r\n')
    const [host, port] = (request.url ?? '').split(':')
    const onward = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(client).pipe(onward)
    })
    onward.on('error', () => client.destroy())
    client.on('error', () => onward.destroy())
  })
  return { seen, port: await listening(t, server) }
}

// [engines.baileys.12]
test('a connection goes through the proxy, with the user it wants', async (t) => {
  const proxy = await openProxy(t)
  const port = await listening(
    t,
    createServer((_request, response) => void response.end('reached')),
  )
  const [response] = await once(
    get({ host: '127.0.0.1', port, agent: plainProxyAgent(`http://ana:p%40ss@127.0.0.1:${proxy.port}`) }),
    'response',
  )
  let text = ''
  for await (const piece of response) text += String(piece)
  t.is(text, 'reached')
  t.deepEqual(proxy.seen, [`127.0.0.1:${port}`])
})

test('a proxy that refuses is named by its status alone', async (t) => {
  const proxy = await openProxy(t)
  for (const agent of [
    plainProxyAgent(`http://ana:wrong@127.0.0.1:${proxy.port}`),
    secureProxyAgent(`http://ana:wrong@127.0.0.1:${proxy.port}`),
  ]) {
    const [error] = await once(
      get({
        host: '127.0.0.1',
        port: 9,
        agent,
        protocol: agent instanceof (await import('node:https')).Agent ? 'https:' : 'http:',
      }),
      'error',
    )
    t.is((error as Error).message, 'the proxy refuses with 407')
  }
})
