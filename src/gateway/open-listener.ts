import type { IncomingMessage, ServerResponse } from 'node:http'
import { countedAddress } from '../domain/counted-address.ts'
import { answerStarting, startHttp, type ListenOptions } from '../http/listen.ts'
import { createClientAddress, createIsProxy } from '../net/client-address.ts'
import { boundConnections } from '../process/connection-bounds.ts'
import { binding } from '../process/start-fault.ts'
import type { Core } from './core.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/** The port of REST and pages, bound before anything can be served. */
export interface Listener {
  readonly port: number
  /** Public base of REST and pages, without a trailing slash. */
  readonly baseUrl: string
  /** Serves requests with `answer`; until then each is answered 503. */
  serve(answer: Answer): void
  /** Still accepts connections, but tells clients to close them after their request. */
  drain(): void
  /** Stops accepting, and lets running requests finish for up to `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Binds the port before the other parts exist, because their base URL may follow from it. */
export async function openListener({ config }: Core): Promise<Listener> {
  let answer: Answer = (_, response) => answerStarting(response)
  const app = { callback: (): Answer => (request, response) => answer(request, response) }
  const { port, drain, close } = await binding('PORT', config.host, config.port, () =>
    startHttp(app, { host: config.host, port: config.port, ...boundsOf(config) }),
  )
  return {
    port,
    baseUrl: config.baseUrl ?? `http://localhost:${port}`,
    serve: (given) => {
      answer = given
    },
    drain,
    close,
  }
}

function boundsOf({
  trustedProxies,
  connections,
}: Core['config']): Pick<ListenOptions, 'boundConnections' | 'countedAddress'> {
  const [clientAddress, isShared] = [createClientAddress(trustedProxies), createIsProxy(trustedProxies)]
  return {
    boundConnections: (server, isIdle) => boundConnections(server, { ...connections, isShared, isIdle }),
    countedAddress: ({ socket, headers }) =>
      countedAddress(clientAddress(socket.remoteAddress, String(headers['x-forwarded-for'] ?? ''))),
  }
}
