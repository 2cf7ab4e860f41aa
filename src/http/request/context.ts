import type Koa from 'koa'
import type { Caller } from '../../domain/caller.ts'
import type { Refusal, RefusalError } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { ChannelNumber, NumberRef } from '../../domain/number.ts'
import type { Trace } from '../../domain/trace.ts'
import type { IdempotentRequest } from '../../ports/stores/idempotency-store.ts'
import type { EmbedSession } from '../../domain/embed-session.ts'
import type { WebSession } from '../../domain/web-session.ts'
import type { Route, TakenFile } from './route.ts'

/** What is known about one request so far, in the order of the middlewares. */
export interface RequestState {
  requestId: string
  clientAddress: string
  /** What limits by address count: the client's address, or its network. */
  countedAddress: string
  /** True once some limit has counted the request. */
  isCounted?: boolean
  route?: Route
  /** Set while something is recorded of the request. */
  trace?: Trace
  /** Decoded path parameters. */
  params: Record<string, string>
  caller?: Caller
  /** Set on routes that are open to agents: the caller of tools, and so of the routes behind them. */
  agent?: Caller
  /**
   * True when the caller's key was replaced: it may get the first answer of its regeneration again, and nothing else.
   */
  isReplaced?: boolean
  /** The number that the request acts on; the whole row only when the path names it. */
  number?: NumberRef | ChannelNumber
  narrowedTo: NumberId | null
  /** The body's bytes, without the media that were taken out of it. */
  rawBody?: Buffer
  /** Why the body is no JSON, when that is known before validation; see `sentJson`. */
  bodyFault?: RefusalError
  /** The fingerprint of the body as it was sent, set when `rawBody` is not all of it. */
  fingerprint?: string
  /** The body parsed, not validated; see `sentJson`. */
  sent?: { readonly json: unknown }
  /** Set on routes that are open to sessions. */
  session?: WebSession
  /** Set on routes that are open to embed tokens. */
  embed?: { readonly session: EmbedSession; readonly secretEndsAt: Date; readonly token: string }
  /** Set on the paths of embeds: true when a page of ours asks. */
  isOwnOrigin?: boolean
  /** Set on routes with `takesFile`. */
  sentFile?: TakenFile
  /** Set on routes that keep their first answer themselves. */
  claim?: IdempotentRequest
  /** The refusal that was answered. */
  refusal?: Refusal
  /** The status that the route answered. */
  answeredWith?: number
  /** About how many bytes an answer in pieces has. */
  piecesBytes?: number
  /** How many bytes of a file are sent. */
  fileBytes?: number
  input?: { readonly params: unknown; readonly query: unknown; readonly body: unknown }
}

export type HttpContext = Koa.ParameterizedContext<RequestState>
export type HttpMiddleware = Koa.Middleware<RequestState>

/** Whom a request is charged to where work is bounded: its caller or session, else its address. */
export function payerOf({ state }: HttpContext): string {
  return (state.caller ?? state.agent)?.id ?? state.session?.id ?? state.embed?.session.id ?? state.countedAddress
}

/** Picks from the languages offered the one that the browser prefers; null when it wants none of them. */
export function preferredLanguageOf(ctx: HttpContext): (offered: readonly string[]) => string | null {
  return (offered) => ctx.acceptsLanguages([...offered]) || null
}

/** The matched route. Throws before `routeExists` has matched one. */
export function matchedRoute(ctx: HttpContext): Route {
  const { route } = ctx.state
  if (!route) throw new Error('asked for the route before one was matched')
  return route
}
