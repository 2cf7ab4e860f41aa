import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { ExecutionContext } from 'ava'

/**
 * Starts a proxy that opens tunnels, only for clients with `login` when it is given. A plain request gets a 204, whose
 * `date` header tells the proxy's time.
 */
export async function openProxy(
  t: Pick<ExecutionContext, 'teardown'>,
  login?: string,
): Promise<{ readonly url: string; readonly ways: string[] }> {
  const ways: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((_request, response) => void response.writeHead(204).end())
  server.on('connect', ({ url = '', headers }, socket: Socket) => {
    const shown = Buffer.from((headers['proxy-authorization'] ?? '').replace('Basic ', ''), 'base64').toString()
    if (login !== undefined && shown !== login)
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    ways.push(url)
    const [host = '', port = ''] = url.split(':')
    const other = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      socket.pipe(other).pipe(socket)
    })
    for (const end of [socket, other]) {
      sockets.add(end)
      end.on('error', () => end.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ways }
}
