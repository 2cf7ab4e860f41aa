import { isLoopback } from '../domain/loopback.ts'
import type { Core } from './core.ts'
import { loginDesk } from './login-desk.ts'
import type { LoginDeskDeps } from './login-desk.ts'

/**
 * A login link for a gateway on the operator's own machine ([sessions.login-links.2]: while HOST is loopback, for the
 * oldest tenant). Null elsewhere, and without a tenant.
 */
export async function firstLoginUrl(
  { config, log }: Core,
  deps: Omit<LoginDeskDeps, 'isDashboardOn'>,
): Promise<string | null> {
  const { isDashboardOn, host } = config
  if (!isDashboardOn || !isLoopback(host)) return null
  try {
    return (await loginDesk({ ...deps, isDashboardOn }).mint(null)).url
  } catch (error) {
    // The gateway starts without a link too: `npm run login` makes more.
    log.info({ reason: error instanceof Error ? error.message : String(error) }, 'no login link was made')
    return null
  }
}
