import { Router } from '@koa/router'
import { RefusalError, refuse } from '../../domain/errors.ts'
import type { HttpMiddleware } from '../context.ts'
import type { Route } from '../route.ts'

/**
 * Finds the route, before any key is looked at: an unknown path is 404 with or without one
 * (contract 2), a known path with another method is 405 with `allow`, or 204 to OPTIONS.
 * Routes match in the order given, so `/v1/calls/settings` stands before `/v1/calls/{callId}`.
 */
export function routeExists(routes: readonly Route[]): HttpMiddleware {
  const router = new Router({ sensitive: true })
  const byName = new Map(routes.map((route) => [route.name, route]))
  for (const route of routes) {
    router.register(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), [route.method], () => {}, { name: route.name })
  }
  return async (ctx, next) => {
    const found = router.match(ctx.path, ctx.method)
    const layer = found.pathAndMethod[0]
    const route = layer && byName.get(layer.name ?? '')
    if (layer && route) {
      ctx.state.route = route
      ctx.state.params = layer.params(ctx.path, layer.captures(ctx.path))
      return next()
    }
    if (found.path.length === 0) throw new RefusalError(refuse('ROUTE_NOT_FOUND', 'No such route'))
    const allowed = [...new Set(found.path.flatMap((layer) => layer.methods)), 'OPTIONS'].sort()
    ctx.set('allow', allowed.join(', '))
    if (ctx.method !== 'OPTIONS') throw new RefusalError(refuse('METHOD_NOT_ALLOWED', `This route answers ${allowed.join(', ')}`))
    ctx.status = 204
  }
}
