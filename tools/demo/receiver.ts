import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { isSigned } from './verify-signature.ts'

/** A delivery as the demo's receiver saw it. */
export interface ReceivedEvent {
  readonly id: string
  readonly event: string
  readonly isVerified: boolean
  readonly body: string
}

/** A tenant's webhook endpoint on a free loopback port: verifies each delivery and keeps its name. */
export class Receiver {
  readonly url: string
  readonly received: ReceivedEvent[] = []
  /** Tells the webhook's secret; deliveries that are faster than the answer that carried it wait for this. */
  readonly useSecret: (secret: string) => void
  readonly #server: ReturnType<typeof createServer>

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`
    const { promise: secretKnown, resolve } = Promise.withResolvers<string>()
    this.useSecret = resolve
    server.on('request', (request, response) => {
      void Promise.all([buffer(request), secretKnown]).then(
        ([body, secret]) => {
          const isVerified = isSigned(secret, request.headers, body)
          // A native change is upstream's own envelope, so the name is read where every delivery has it.
          this.received.push({
            id: String(request.headers['webhook-id']),
            event: String(request.headers['x-channel-event']),
            isVerified,
            body: body.toString('utf8'),
          })
          return response.writeHead(isVerified ? 204 : 401).end()
        },
        () => response.destroy(),
      )
    })
  }

  static async listen(): Promise<Receiver> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Receiver(server)
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
