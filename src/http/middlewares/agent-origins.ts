import { RefusalError, refuse } from '../../domain/errors.ts'
import type { HttpMiddleware } from '../request/context.ts'
import { otherAddress } from '../request/other-address.ts'

export interface AgentOriginDeps {
  readonly baseUrl: string
  /** Origins of pages that may call tools beside our own, `*` for any ([configuration.variables.26]). */
  readonly mcpAllowedOrigins: readonly string[]
}

const PATH = '/mcp'
/** What clients of tools may send. A day is the longest time for which browsers keep a preflight. */
const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'authorization, content-type, x-api-key, x-api-key-id, x-channel-number-id, x-request-id, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id',
  'access-control-max-age': '86400',
}

/**
 * Keeps pages of other origins off the tools ([tools.credentials.4]). A browser names the origin of the page that asks;
 * a foreign one is refused before anything is looked at, unless it is allowed. An allowed page may read the answer,
 * without credentials of the browser.
 */
export function agentOrigins({ baseUrl, mcpAllowedOrigins }: AgentOriginDeps): HttpMiddleware {
  const own = new URL(baseUrl).origin
  const isAny = mcpAllowedOrigins.includes('*')
  return (ctx, next) => {
    const origin = ctx.get('origin')
    if (ctx.path !== PATH) return next()
    ctx.vary('origin')
    if (origin === '' || origin === own) return next()
    if (!isAny && !mcpAllowedOrigins.includes(origin))
      throw new RefusalError(
        refuse(
          'ORIGIN_NOT_ALLOWED',
          otherAddress(ctx.headers, own)
            ?? 'Pages of this origin may not call tools: MCP_ALLOWED_ORIGINS names those that may',
        ),
      )
    ctx.set('access-control-allow-origin', origin)
    if (ctx.method === 'OPTIONS') {
      ctx.set(PREFLIGHT)
      ctx.status = 204
      return
    }
    ctx.set('access-control-expose-headers', 'www-authenticate, retry-after, x-request-id')
    return next()
  }
}
