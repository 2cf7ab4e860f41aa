import type { z } from 'zod'
import { RefusalError, refuse } from '../../domain/errors.ts'
import { matchedRoute, payerOf } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import { HeavyWork } from '../request/heavy-work.ts'
import type { Route } from '../request/route.ts'
import { sentJson } from '../request/sent-json.ts'

/** our choice: nobody reads more faults than that, and a hostile body has as many as it has values. */
const MOST_DETAILS = 100

/** Runs the route's schemas: what a handler reads has passed them. Unknown fields are dropped ([rest.errors.5]). */
export function validated(heavy: HeavyWork): HttpMiddleware {
  return async (ctx, next) => {
    const route = matchedRoute(ctx)
    ctx.state.input = {
      params: check(route, 'params', ctx.state.params),
      query: check(route, 'query', queryOf(ctx)),
      body: route.rawBodyBytes === undefined ? await checkBody(ctx, route, heavy) : undefined,
    }
    return next()
  }
}

function checkBody(ctx: HttpContext, route: Route, heavy: HeavyWork): unknown {
  const json = sentJson(ctx)
  const run = () => check(route, 'body', json)
  return HeavyWork.isHeavy(ctx.state.rawBody) ? heavy.run(payerOf(ctx), run) : run()
}

/** The fields of the query: one given once is its text; one given twice is a list, which no schema takes. */
function queryOf(ctx: HttpContext): Record<string, string | string[]> {
  if (ctx.querystring === '') return {}
  const given = new URLSearchParams(ctx.querystring)
  const entries = [...new Set(given.keys())].map((name) => {
    const values = given.getAll(name)
    return [name, values.length === 1 ? (values[0] ?? '') : values] as const
  })
  return Object.fromEntries(entries)
}

function check(route: Route, part: 'params' | 'query' | 'body', value: unknown): unknown {
  const schema = route[part]
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  if (part === 'body' && value === undefined)
    throw new RefusalError(refuse('VALIDATION', 'This route needs a JSON body', [{ path: '', message: 'is needed' }]))
  throw new RefusalError(explain(route, part, result.error))
}

function explain(route: Route, part: 'params' | 'query' | 'body', error: z.ZodError): ReturnType<typeof refuse> {
  const details = error.issues
    .slice(0, MOST_DETAILS)
    .map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }))
  const first = details[0]
  const code = part === 'query' ? route.queryCodes?.[first?.path ?? ''] : undefined
  const where = first?.path ? `${first.path}: ` : ''
  return refuse(code ?? 'VALIDATION', `Invalid ${part}: ${where}${first?.message ?? 'not accepted'}`, details)
}
