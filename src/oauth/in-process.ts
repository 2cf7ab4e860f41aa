import { IncomingMessage, ServerResponse, type OutgoingHttpHeaders, type RequestListener } from 'node:http'
import { Socket } from 'node:net'
import type { OAuthRequest } from '../ports/authorization-server.ts'

export interface InProcessAnswer {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: string
}

/**
 * Calls a Node request listener without a connection: the request and the answer stay in memory, within the service's
 * own chain.
 */
export function askInProcess(
  listener: RequestListener,
  host: string,
  { method, path, querystring, headers, body }: OAuthRequest,
): Promise<InProcessAnswer> {
  const request = new IncomingMessage(new Socket())
  request.method = method
  request.url = querystring === '' ? path : `${path}?${querystring}`
  request.headers = {
    ...headers,
    host,
    accept: 'application/json',
    ...(method === 'POST' ? { 'content-length': String(body.byteLength) } : {}),
  }
  if (body.byteLength > 0) request.push(body)
  request.push(null)
  const response = new ServerResponse(request)
  return new Promise((resolve) => {
    response.end = ((chunk?: unknown) => {
      resolve({
        status: response.statusCode,
        headers: response.getHeaders(),
        body: Buffer.isBuffer(chunk) || typeof chunk === 'string' ? chunk.toString() : '',
      })
      return response
    }) as typeof response.end
    listener(request, response)
  })
}
