import { ServerResponse } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import Koa from 'koa'
import type { Caller } from '../../domain/caller.ts'
import { countedAddress } from '../../domain/counted-address.ts'
import { RefusalError, refuse } from '../../domain/errors.ts'
import type { Log } from '../../ports/log.ts'
import { errorsAnswered } from '../middlewares/errors-answered.ts'
import type { HttpContext, HttpMiddleware, RequestState } from '../request/context.ts'
import { requireCleanJson } from '../request/json-text.ts'
import { numberIn, requestOf } from './arguments.ts'
import type { Arguments } from './arguments.ts'
import { onlyNumber } from './reach.ts'
import { isOfNumber } from './registry.ts'
import type { Tool } from './tool.ts'

/** A call of a tool by a proved caller. */
export interface ToolCall {
  readonly tool: Tool
  readonly args: Arguments
  readonly caller: Caller
  /** The header `x-channel-number-id` of the request around the call; null when it is absent. */
  readonly namedNumber: string | null
  readonly clientAddress: string
  readonly requestId: string
}

/** The answer of the route. */
export interface RouteAnswer {
  readonly status: number
  /** The body as JSON. */
  readonly body: string
  /** Seconds to wait, as text; null when the answer names none. */
  readonly retryAfter: string | null
}

export type RunTool = (call: ToolCall) => Promise<RouteAnswer>

/**
 * Runs routes within the process, with the same middlewares that a request to them passes once its caller is known:
 * `admitted`, which decide whether the caller may, and `executed`, which follow the body ([tools.calls.1]). Nothing is
 * sent: request and response exist only for the middlewares to read and write.
 */
export function createToolRunner(
  admitted: readonly HttpMiddleware[],
  executed: readonly HttpMiddleware[],
  log: Log,
): RunTool {
  const app = new Koa<RequestState>()
  return async (call) => {
    const ctx = contextOf(app, call)
    const steps = [errorsAnswered(log), numberNamed(call), ...admitted, argumentsTaken(call), ...executed]
    await through(steps, ctx)
    return {
      status: ctx.status,
      body: ctx.body instanceof Readable ? await text(ctx.body) : String(ctx.body),
      retryAfter: ctx.response.get('retry-after') || null,
    }
  }
}

function contextOf(
  app: Koa<RequestState>,
  { tool: { route }, caller, clientAddress, requestId }: ToolCall,
): HttpContext {
  const request = {
    method: route.method.toUpperCase(),
    url: route.path,
    headers: {},
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    socket: { remoteAddress: clientAddress },
  } as unknown as IncomingMessage
  const ctx = app.createContext(request, new ServerResponse(request)) as HttpContext
  ctx.state = {
    requestId,
    clientAddress,
    countedAddress: countedAddress(clientAddress),
    route,
    params: {},
    narrowedTo: null,
    caller,
  }
  return ctx
}

/**
 * Puts the number that the arguments name, or a grant's only one, where the header would be. Two that differ are
 * refused ([tools.calls.3]).
 */
function numberNamed({ tool: { route }, args, caller, namedNumber }: ToolCall): HttpMiddleware {
  return (ctx, next) => {
    const named = numberIn(args)
    if (named !== null && namedNumber !== null && named !== namedNumber) {
      throw new RefusalError(
        refuse('NUMBER_MISMATCH', 'channelNumberId and x-channel-number-id name different numbers'),
      )
    }
    const wanted = named ?? namedNumber ?? (isOfNumber(route) ? onlyNumber(caller) : null)
    if (wanted !== null) ctx.req.headers['x-channel-number-id'] = wanted
    return next()
  }
}

/** Checks the arguments where the body of a request would be: after every check that does not depend on them. */
function argumentsTaken({ tool, args }: ToolCall): HttpMiddleware {
  return (ctx, next) => {
    requireCleanJson(args)
    const { params, query, body, idempotencyKey } = requestOf(tool, args)
    ctx.state.params = { ...params }
    ctx.url = `${pathOf(tool.route.path, params)}${query === '' ? '' : `?${query}`}`
    if (idempotencyKey !== null) ctx.req.headers['idempotency-key'] = idempotencyKey
    if (body !== undefined) {
      ctx.state.rawBody = Buffer.from(JSON.stringify(body))
      ctx.state.sent = { json: body }
    }
    return next()
  }
}

function pathOf(pattern: string, params: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

async function through(steps: readonly HttpMiddleware[], ctx: HttpContext): Promise<void> {
  const from = (at: number): Promise<unknown> =>
    Promise.resolve(steps[at]?.(ctx as Parameters<HttpMiddleware>[0], () => from(at + 1)))
  await from(0)
}
