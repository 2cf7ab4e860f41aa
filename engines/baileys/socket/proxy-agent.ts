import { Agent as HttpAgent, request as httpRequest, type AgentOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as tlsConnect, type ConnectionOptions } from 'node:tls'

/** our choice, as the library's own limit for a socket, in ms. */
const CONNECT_MS = 20_000

type Connected = (error: Error | null, socket?: Duplex) => void
/** What Node passes to an agent that opens a connection. */
type Target = Omit<AgentOptions, 'host' | 'port'> & {
  readonly host?: string
  readonly port?: number | string
  readonly servername?: string
}

/**
 * A proxy refused a connection, or did not answer. The text names only the proxy's status, because its address may hold
 * a password.
 */
class ProxyError extends Error {
  readonly code = 'PROXY_REFUSED'

  constructor(status: number | null) {
    super(status === null ? 'the proxy does not answer' : `the proxy refuses with ${status}`)
    this.name = 'ProxyError'
  }
}

/**
 * Makes the agent of TLS connections through an HTTP proxy (RFC 9110, CONNECT). `proxy` is its URL, with user and
 * password if it needs them.
 */
export function secureProxyAgent(proxy: string): HttpsAgent {
  const agent = new HttpsAgent({ keepAlive: false })
  return Object.assign(agent, {
    createConnection(target: Target, connected: Connected): void {
      tunnel(proxy, target).then(
        (socket) => {
          const host = target.servername ?? target.host ?? ''
          const options: ConnectionOptions = {
            ...target,
            socket,
            host,
            port: Number(target.port),
            ...(isIP(host) === 0 ? { servername: host } : {}),
          }
          const secure = tlsConnect(options)
          secure.once('secureConnect', () => connected(null, secure))
          secure.once('error', (error) => connected(error))
        },
        (error: Error) => connected(error),
      )
    },
  })
}

/** Makes the agent of plain connections through an HTTP proxy, such as to a test's socket. */
export function plainProxyAgent(proxy: string): HttpAgent {
  return Object.assign(new HttpAgent({ keepAlive: false }), {
    createConnection(target: Target, connected: Connected): void {
      tunnel(proxy, target).then(
        (socket) => connected(null, socket),
        (error: Error) => connected(error),
      )
    },
  })
}

/** Opens a connection through the proxy. Rejects with a ProxyError, or the network's own error. */
export function tunnel(proxy: string, { host, port }: Target): Promise<Socket> {
  const url = new URL(proxy)
  const path = `${isIP(host ?? '') === 6 ? `[${host}]` : host}:${port}`
  const credentials =
    url.username === '' ? null : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const headers = {
    host: path,
    ...(credentials === null ? {} : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
  }
  const open = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const request = open({
      host: url.hostname,
      port: url.port || (url.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path,
      headers,
      agent: false,
      timeout: CONNECT_MS,
    })
    request.once('connect', (response, socket) => {
      if (response.statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(new ProxyError(response.statusCode ?? null))
    })
    request.once('timeout', () => request.destroy(new ProxyError(null)))
    request.once('error', reject)
    request.end()
  })
}
