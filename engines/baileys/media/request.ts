import { request as requestHttp } from 'node:http'
import type { Agent, IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { IDLE_MS } from './limits.ts'

/** An answer other than 200. */
export class AnswerFault extends Error {
  readonly status: number

  constructor(status: number) {
    super(`answered ${status}`)
    this.name = 'AnswerFault'
    this.status = status
  }
}

export interface Get {
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  /** The agent of the connection. Default: direct. */
  readonly agent?: Agent | undefined
  readonly signal: AbortSignal
  readonly idleMs?: number
}

/**
 * Gets an address without following redirects. The body fails when it makes no progress for `idleMs`. Rejects with
 * AnswerFault unless the answer is 200.
 */
export function get({ url, headers = {}, agent, signal, idleMs = IDLE_MS }: Get): Promise<IncomingMessage> {
  const open = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const request = open(url, { headers, signal, ...(agent ? { agent } : {}) }, (response) => {
      response.on('error', () => {})
      if (response.statusCode === 200) return resolve(response)
      response.destroy()
      reject(new AnswerFault(response.statusCode ?? 0))
    })
    request.setTimeout(idleMs, () => request.destroy(new Error('the transfer stood still')))
    request.on('error', reject)
    request.end()
  })
}
