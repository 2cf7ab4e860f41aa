import type { OfficialPlatform } from '../official/platform/platform.ts'
import { adRoutes } from './ads.ts'
import { leadRoutes } from './leads.ts'
import { pageRoutes } from './pages.ts'
import type { Route } from './router.ts'

/** Routes about Pages, leads and ads. */
export function leadAdRoutes(official: OfficialPlatform): Route[] {
  return [...pageRoutes(official), ...leadRoutes(official), ...adRoutes(official)]
}
