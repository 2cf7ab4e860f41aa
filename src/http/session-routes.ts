import { isOfAccount, opensTo } from './request/access.ts'
import type { Access } from './request/access.ts'
import { isBelow } from './request/below.ts'
import type { Route } from './request/route.ts'

/**
 * Each route with its doors: a route of /v1 that is open to sessions of the dashboard exists once more below /api/v1
 * ([sessions.second-door.1]), where the session takes the place of a key, with the same handler and the same checks in
 * the same order. The document leaves the second one out ([sessions.second-door.5]).
 */
export function doorsOf(declared: readonly Route[]): Route[] {
  const hasTwo = (route: Route): boolean => isBelow(route.path, '/v1') && opensTo(route, 'session')
  return [...declared.map((route) => (hasTwo(route) ? atV1(route) : route)), ...declared.filter(hasTwo).map(atApi)]
}

function atV1(route: Route): Route {
  return { ...route, access: withoutSession(route.access) }
}

function withoutSession(access: Access): Access {
  if (isOfAccount(access)) return { ...access, by: opensTo({ access }, 'grant') ? ['key', 'grant'] : ['key'] }
  return access.of === 'link' ? { ...access, by: ['link'] } : access
}

function atApi(route: Route): Route {
  return {
    ...route,
    access: bySession(route.access),
    path: `/api${route.path}`,
    name: `${route.name}BySession`,
    isHidden: true,
  }
}

function bySession(access: Access): Access {
  return isOfAccount(access) || access.of === 'link' ? { by: ['session'], of: access.of } : access
}
