import { randomUUID } from 'node:crypto'
import type { HttpMiddleware } from '../request/context.ts'

/** our choice: an id is echoed when its text is safe in a header, a log line and a file name. */
const ECHOED = /^[\w.-]{1,128}$/

/** Gives every response `x-request-id`: the one sent, else a new one ([rest.errors.2]). */
export function requestId(): HttpMiddleware {
  return (ctx, next) => {
    const sent = ctx.get('x-request-id')
    ctx.state.requestId = ECHOED.test(sent) ? sent : randomUUID()
    ctx.state.params = {}
    ctx.state.narrowedTo = null
    ctx.set('x-request-id', ctx.state.requestId)
    return next()
  }
}
