import { matchedRoute } from '../context.ts'
import type { HttpMiddleware } from '../context.ts'
import type { RouteInput, Access } from '../route.ts'
import { sendFile } from '../sent-file.ts'

/** Runs the route's handler and writes its answer: the end of the chain. */
export function answered(): HttpMiddleware {
  return async (ctx) => {
    const { caller, number, narrowedTo, input, rawBody, claim } = ctx.state
    const route = matchedRoute(ctx)
    const raw = route.rawBodyBytes === undefined ? null : { bytes: rawBody ?? Buffer.alloc(0), header: (name: string) => ctx.get(name) || undefined }
    const answer = await route.answerTo({ caller, number, narrowedTo, ...input, raw, claim: claim ?? null } as RouteInput<Access, unknown, unknown, unknown>)
    ctx.status = answer.status
    ctx.type = answer.type ?? 'application/json'
    for (const [name, value] of Object.entries(answer.headers ?? {})) ctx.set(name, value)
    if (answer.file) return sendFile(ctx, answer.file)
    ctx.body = answer.type === undefined ? JSON.stringify(answer.body) : String(answer.body)
  }
}
