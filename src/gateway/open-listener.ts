import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerStarting, startHttp } from '../http/listen.ts'
import { binding } from '../process/start-fault.ts'
import type { Core } from './core.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/** The port of REST and pages, bound before there is anything to serve. */
export interface Listener {
  readonly port: number
  /** Public base of REST and pages, without a trailing slash. */
  readonly baseUrl: string
  /** Until then every request is answered 503. */
  serve(answer: Answer): void
  /** Goes on accepting, and tells clients to keep no connection. */
  drain(): void
  /** Stops accepting, and lets running requests finish for up to `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Binds the port before the other parts exist, because their base URL may follow from it. */
export async function openListener({ config }: Core): Promise<Listener> {
  let answer: Answer = (_, response) => answerStarting(response)
  const { port, drain, close } = await binding('PORT', config.host, config.port, () => startHttp({ callback: () => (request, response) => answer(request, response) }, config))
  return { port, baseUrl: config.baseUrl ?? `http://localhost:${port}`, serve: (given) => { answer = given }, drain, close }
}
