import type Koa from 'koa'
import type { Caller } from '../../domain/caller.ts'
import type { Refusal, RefusalError } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { ChannelNumber, NumberRef } from '../../domain/number.ts'
import type { IdempotentRequest } from '../../ports/stores/idempotency-store.ts'
import type { EmbedSession } from '../../domain/embed-session.ts'
import type { WebSession } from '../../domain/web-session.ts'
import type { Route, TakenFile } from './route.ts'

/** What one request has established so far, in the order of the chain. */
export interface RequestState {
  requestId: string
  clientAddress: string
  /** What limits by address count: the address, or its network. */
  countedAddress: string
  /** Some limit has taken note of the request. */
  isCounted?: boolean
  route?: Route
  /** Decoded path parameters. */
  params: Record<string, string>
  caller?: Caller
  /** On routes with `access: 'agent'`: who calls tools, and so the routes that they are. */
  agent?: Caller
  /** The caller's key was replaced: it may be given its first answer again, and nothing else. */
  isReplaced?: boolean
  /** The whole row only where the path names the number. */
  number?: NumberRef | ChannelNumber
  narrowedTo: NumberId | null
  /** Without the media that came along, where those were taken out. */
  rawBody?: Buffer
  /** Why the body is no JSON, where that is known already; see `sentJson`. */
  bodyFault?: RefusalError
  /** Of the body as it was sent, where `rawBody` is not all of it. */
  fingerprint?: string
  /** The body parsed, not validated; see `sentJson`. */
  sent?: { readonly json: unknown }
  /** On routes with `access: 'session'`. */
  session?: WebSession
  /** On routes with `access: 'embed'`. */
  embed?: { readonly session: EmbedSession; readonly secretEndsAt: Date; readonly token: string }
  /** On the paths of embeds: a page of ours asks. */
  isOwnOrigin?: boolean
  /** On routes with `takesFile`. */
  sentFile?: TakenFile
  /** On routes that keep their first answer themselves. */
  claim?: IdempotentRequest
  /** What it was refused with. */
  refusal?: Refusal
  /** The status that the route answered. */
  answeredWith?: number
  /** What an answer in pieces comes to, about. */
  piecesBytes?: number
  /** How much of a file is sent. */
  fileBytes?: number
  input?: { readonly params: unknown; readonly query: unknown; readonly body: unknown }
}

export type HttpContext = Koa.ParameterizedContext<RequestState>
export type HttpMiddleware = Koa.Middleware<RequestState>

/**
 * Whose share of what is bounded a request takes: its caller's or its session's, or its address's where none is known.
 */
export function payerOf({ state }: HttpContext): string {
  return (state.caller ?? state.agent)?.id ?? state.session?.id ?? state.embed?.session.id ?? state.countedAddress
}

/** What the browser would rather have of the languages that are offered. */
export function preferredLanguageOf(ctx: HttpContext): (offered: readonly string[]) => string | null {
  return (offered) => ctx.acceptsLanguages([...offered]) || null
}

/** The matched route; only middlewares behind `routeExists` may ask. */
export function matchedRoute(ctx: HttpContext): Route {
  const { route } = ctx.state
  if (!route) throw new Error('asked for the route before one was matched')
  return route
}
