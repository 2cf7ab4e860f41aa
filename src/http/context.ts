import type Koa from 'koa'
import type { NumberId } from '../domain/ids.ts'
import type { Caller, ChannelNumber, NumberRef } from '../domain/number.ts'
import type { IdempotentRequest } from '../ports/stores/idempotency-store.ts'
import type { Route } from './route.ts'

/** What one request has established so far, in the order of the chain. */
export interface RequestState {
  requestId: string
  route?: Route
  /** Decoded path parameters. */
  params: Record<string, string>
  caller?: Caller
  /** The whole row only where the path names the number. */
  number?: NumberRef | ChannelNumber
  narrowedTo: NumberId | null
  rawBody?: Buffer
  /** The body parsed, not validated; see `sentJson`. */
  sent?: { readonly json: unknown }
  /** On routes that keep their first answer themselves. */
  claim?: IdempotentRequest
  input?: { readonly params: unknown, readonly query: unknown, readonly body: unknown }
}

export type HttpContext = Koa.ParameterizedContext<RequestState>
export type HttpMiddleware = Koa.Middleware<RequestState>

/** The matched route; only middlewares behind `routeExists` may ask. */
export function matchedRoute(ctx: HttpContext): Route {
  const { route } = ctx.state
  if (!route) throw new Error('asked for the route before one was matched')
  return route
}
