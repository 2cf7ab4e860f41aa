import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { isSigned } from './verify-signature.ts'

/** A delivery that the demo's receiver got. */
export interface ReceivedEvent {
  readonly id: string
  readonly event: string
  readonly isVerified: boolean
  readonly body: string
}

/** A tenant's webhook endpoint on a free loopback port. It verifies each delivery and records its event name. */
export class Receiver {
  readonly url: string
  readonly received: ReceivedEvent[] = []
  /** Sets the secret of the webhook; deliveries that arrive before the answer with the secret wait for this. */
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
          // A native change is the upstream's own envelope, so the event name is read from the headers, which every
          // delivery has.
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
