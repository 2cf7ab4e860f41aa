import { isBelow } from './request/below.ts'
import type { Route } from './request/route.ts'

/**
 * Every route of /v1 once more below /api, where a session of the dashboard takes the place of a key (contract 19):
 * same handler, same checks in the same order. No part of the document.
 */
export function sessionRoutesOf(routes: readonly Route[]): Route[] {
  return routes
    .filter(({ path }) => isBelow(path, '/v1'))
    .map((route) => ({
      ...route,
      path: `/api${route.path}`,
      name: `${route.name}BySession`,
      isForSessions: true,
      isHidden: true,
    }))
}
