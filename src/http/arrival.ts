import type { Log } from '../ports/log.ts'
import { agentOrigins } from './middlewares/agent-origins.ts'
import type { AgentOriginDeps } from './middlewares/agent-origins.ts'
import { clientKnown } from './middlewares/client-known.ts'
import type { ClientDeps } from './middlewares/client-known.ts'
import { embedCors } from './middlewares/embed-cors.ts'
import { errorsAnswered } from './middlewares/errors-answered.ts'
import { oauthCors } from './middlewares/oauth-cors.ts'
import { pathReadable } from './middlewares/path-readable.ts'
import { pathServedHere } from './middlewares/path-served-here.ts'
import { refusalsDrawn } from './middlewares/refusals-drawn.ts'
import { requestId } from './middlewares/request-id.ts'
import { requestMeasured } from './middlewares/request-measured.ts'
import type { MeasuredDeps } from './middlewares/request-measured.ts'
import { securityHeaders } from './middlewares/security-headers.ts'
import { strangersCounted } from './middlewares/strangers-counted.ts'
import type { StrangerDeps } from './middlewares/strangers-counted.ts'
import type { HttpMiddleware } from './request/context.ts'

export interface ArrivalDeps extends MeasuredDeps, ClientDeps, AgentOriginDeps, StrangerDeps {
  readonly log: Log
  /** Public base URLs of the service and of its embeddable pages, without a trailing slash. */
  readonly baseUrl: string
  readonly chatEmbedUrl: string
  readonly connectEmbedUrl: string
  readonly serviceName: string
}

/**
 * What happens to every request before a route is looked for: it gets an id, a client address, a timing and the headers
 * of every answer; strangers are counted; addresses that are unreadable or not served on this host and pages of foreign
 * origins are refused.
 */
export function arrival(deps: ArrivalDeps): HttpMiddleware[] {
  return [
    requestId(),
    clientKnown(deps),
    requestMeasured(deps),
    securityHeaders(deps.baseUrl),
    refusalsDrawn(deps),
    errorsAnswered(deps.log),
    strangersCounted(deps),
    pathReadable(),
    pathServedHere(deps.baseUrl, [deps.chatEmbedUrl, deps.connectEmbedUrl]),
    embedCors(deps),
    oauthCors(),
    agentOrigins(deps),
  ]
}
