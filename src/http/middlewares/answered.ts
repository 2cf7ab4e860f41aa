import { matchedRoute } from '../request/context.ts'
import type { HttpMiddleware } from '../request/context.ts'
import type { RouteInput, Access } from '../request/route.ts'
import { sendFile } from '../request/sent-file.ts'
import { sendPacked } from '../request/sent-packed.ts'

/** Runs the route's handler and writes its answer: the end of the chain. */
export function answered(): HttpMiddleware {
  return async (ctx) => {
    const { caller, number, narrowedTo, input, rawBody, claim } = ctx.state
    const route = matchedRoute(ctx)
    const raw = route.rawBodyBytes === undefined ? null : { bytes: rawBody ?? Buffer.alloc(0), header: (name: string) => ctx.get(name) || undefined }
    const answer = await route.answerTo({ caller, number, narrowedTo, ...input, raw, claim: claim ?? null } as RouteInput<Access, unknown, unknown, unknown>)
    ctx.status = answer.status
    if (answer.page !== undefined) ctx.vary('accept')
    const isPageWanted = answer.page !== undefined && ctx.accepts('json', 'html') === 'html'
    ctx.type = answer.type ?? 'application/json'
    for (const [name, value] of Object.entries(answer.headers ?? {})) ctx.set(name, value)
    if (isPageWanted) {
      ctx.type = 'text/html; charset=utf-8'
      ctx.body = answer.page
      return
    }
    if (answer.file) return sendFile(ctx, answer.file)
    if (answer.packed) return sendPacked(ctx, answer.packed)
    ctx.body = answer.type === undefined ? JSON.stringify(answer.body) : String(answer.body)
  }
}
