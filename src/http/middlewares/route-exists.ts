import { Router } from '@koa/router'
import { RefusalError, refuse } from '../../domain/errors.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import { isOfDashboard } from '../request/dashboard-paths.ts'
import type { Route } from '../request/route.ts'

/**
 * Finds the route, before any key is looked at: an unknown path is 404 with or without one ([rest.errors.10]), a known
 * path with another method is 405 with `allow` ([rest.errors.9]), or 204 to OPTIONS. A fixed path is itself and nothing
 * else: `GET /v1/messages/send` is 405, not the message `send`.
 */
export function routeExists(routes: readonly Route[]): HttpMiddleware {
  // Routes of the dashboard have a table of their own: they are as many as all others, which must not wait for their
  // compilation.
  const dashboard = tableOf(routes.filter(({ path }) => isOfDashboard(path)))
  const others = tableOf(routes.filter(({ path }) => !isOfDashboard(path)))
  return (ctx, next) => (isOfDashboard(ctx.path) ? dashboard : others)(ctx, next)
}

function tableOf(routes: readonly Route[]): HttpMiddleware {
  // Compiling the patterns takes longer than all else of a start, so it waits for the first path that no fixed route
  // has.
  let patterns: Router | null = null
  const byName = new Map(routes.map((route) => [route.name, route]))
  const fixed = byFixedPath(routes)
  return async (ctx, next) => {
    const methods = fixed.get(ctx.path)
    if (methods) {
      const route = methods.get(ctx.method === 'HEAD' ? 'GET' : ctx.method)
      if (!route) return refuseMethod(ctx, methods.has('GET') ? [...methods.keys(), 'HEAD'] : [...methods.keys()])
      ctx.state.route = route
      return next()
    }
    const found = (patterns ??= patternsOf(routes)).match(ctx.path, ctx.method)
    const layer = found.pathAndMethod[0]
    const route = layer && byName.get(layer.name ?? '')
    if (layer && route) {
      ctx.state.route = route
      ctx.state.params = layer.params(ctx.path, layer.captures(ctx.path))
      return next()
    }
    if (found.path.length === 0) throw new RefusalError(refuse('ROUTE_NOT_FOUND', 'No such route'))
    return refuseMethod(
      ctx,
      found.path.flatMap((layer) => layer.methods),
    )
  }
}

function patternsOf(routes: readonly Route[]): Router {
  const router = new Router({ sensitive: true })
  for (const route of routes) {
    router.register(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), [route.method], () => {}, { name: route.name })
  }
  return router
}

/**
 * Routes without parameters, which most requests ask for, by path and method. They are found without a walk over all
 * patterns.
 */
function byFixedPath(routes: readonly Route[]): Map<string, Map<string, Route>> {
  const fixed = new Map<string, Map<string, Route>>()
  for (const route of routes.filter(({ path }) => !path.includes('{'))) {
    const methods = fixed.get(route.path) ?? new Map<string, Route>()
    fixed.set(route.path, methods.set(route.method.toUpperCase(), route))
  }
  return fixed
}

function refuseMethod(ctx: HttpContext, methods: readonly string[]): void {
  const allowed = [...new Set(methods), 'OPTIONS'].sort()
  ctx.set('allow', allowed.join(', '))
  if (ctx.method !== 'OPTIONS')
    throw new RefusalError(refuse('METHOD_NOT_ALLOWED', `This route answers ${allowed.join(', ')}`))
  ctx.status = 204
}
