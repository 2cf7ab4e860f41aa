import { Readable } from 'node:stream'
import type { Access } from '../request/access.ts'
import { matchedRoute, payerOf, preferredLanguageOf } from '../request/context.ts'
import { cookieOf } from '../request/cookie.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import type { HeavyWork } from '../request/heavy-work.ts'
import type { RouteInput, Answer, Client } from '../request/route.ts'
import { sendFile } from '../request/sent-file.ts'
import { sendReady } from '../request/sent-ready.ts'

/** Runs the route's handler and writes its answer: the end of the chain. */
export function answered(heavy: HeavyWork): HttpMiddleware {
  return async (ctx) => {
    const answer = await matchedRoute(ctx).answerTo(inputOf(ctx, heavy))
    const hasPage = answer.page !== undefined || answer.leadsTo !== undefined
    if (hasPage) ctx.vary('accept')
    const isPageWanted = hasPage && ctx.accepts('json', 'html') === 'html'
    if (isPageWanted && answer.leadsTo !== undefined) return lead(ctx, answer.leadsTo)
    ctx.status = answer.status
    ctx.state.answeredWith = answer.status
    ctx.type = answer.type ?? 'application/json'
    for (const [name, value] of Object.entries(answer.headers ?? {})) {
      if (value === null) ctx.remove(name)
      else ctx.set(name, typeof value === 'string' ? value : [...value])
    }
    if (isPageWanted) {
      ctx.type = 'text/html; charset=utf-8'
      ctx.body = answer.page
      return
    }
    return writeBody(ctx, answer)
  }
}

/** Leads a browser to another page of this service. */
function lead(ctx: HttpContext, path: string): void {
  ctx.status = 302
  ctx.state.answeredWith = 302
  ctx.set('location', path)
  ctx.body = ''
}

/** What earlier middlewares found out about the request, in the form that the route's handler takes. */
function inputOf(ctx: HttpContext, heavy: HeavyWork): RouteInput<Access, unknown, unknown, unknown> {
  const { caller, agent, number, narrowedTo, session, embed, input, rawBody, sentFile, claim } = ctx.state
  const raw =
    matchedRoute(ctx).rawBodyBytes === undefined
      ? null
      : { bytes: rawBody ?? Buffer.alloc(0), header: (name: string) => ctx.get(name) || undefined }
  return {
    caller,
    agent,
    number,
    narrowedTo,
    session,
    embed: embed?.session,
    secretEndsAt: embed?.secretEndsAt,
    embedToken: embed?.token,
    ...input,
    raw,
    sentFile: sentFile ?? null,
    claim: claim ?? null,
    client: clientOf(ctx),
    inTurn: (work: () => unknown) => heavy.run(payerOf(ctx), work),
  } as RouteInput<Access, unknown, unknown, unknown>
}

/** Writes an answer that is not a page: pieces, a stream, a file, ready bytes, text of its own type, or JSON. */
function writeBody(ctx: HttpContext, answer: Answer): void | Promise<void> {
  if (answer.pieces) {
    ctx.state.piecesBytes = answer.pieces.bytes
    ctx.body = Readable.from(answer.pieces.texts)
    return
  }
  if (answer.stream) return handOver(ctx, answer.stream)
  if (answer.file) return sendFile(ctx, answer.file)
  if (answer.ready) return sendReady(ctx, answer.ready)
  if (answer.type === undefined) ctx.body = JSON.stringify(answer.body)
  else ctx.body = Buffer.isBuffer(answer.body) ? answer.body : String(answer.body)
}

function clientOf(ctx: HttpContext): Client {
  return {
    address: ctx.state.clientAddress,
    countedAddress: ctx.state.countedAddress,
    requestId: ctx.state.requestId,
    trace: ctx.state.trace ?? null,
    userAgent: ctx.get('user-agent') || null,
    preferredLanguage: preferredLanguageOf(ctx),
    cookie: (name) => cookieOf(ctx.headers.cookie, name),
    lastEventId: ctx.get('last-event-id'),
  }
}

/** Bypasses Koa for a stream, because Koa would treat a reader that leaves as a fault of the service. */
function handOver(ctx: HttpContext, stream: NonNullable<Answer['stream']>): void {
  ctx.respond = false
  ctx.res.statusCode = ctx.status
  stream(ctx.res)
  if (ctx.method === 'HEAD') ctx.res.end()
}
