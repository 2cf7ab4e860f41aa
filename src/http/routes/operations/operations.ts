import { z } from 'zod'
import type { HttpDeps } from '../../deps.ts'
import { docsPage, DOCS_POLICY } from '../../docs-page.ts'
import type { OpenApiDocument } from '../../openapi.ts'
import { route } from '../../route.ts'
import type { Route } from '../../route.ts'

type Deps = Pick<HttpDeps, 'readiness' | 'metricsText' | 'log'> & {
  /** The document of all routes, these included; asked for once they are all known. */
  readonly document: () => OpenApiDocument
}

const GROUP = 'Operations'

const health = z.object({ status: z.string(), checks: z.record(z.string(), z.string()) }).meta({ id: 'Health' })

/** Routes for those who run the service; no key (contract 1). */
export function operationRoutes(deps: Deps): Route[] {
  return [live(), ready(deps), ...(deps.metricsText ? [metrics(deps.metricsText)] : []), openApi(deps), docs(deps)]
}

function live(): Route {
  return route({
    method: 'get', path: '/health/live', name: 'getLiveness', group: GROUP, access: 'open', summary: 'Say that the process runs',
    answer: { status: 200, description: 'It runs', schema: health },
    handle: async () => ({ status: 200, body: { status: 'ok', checks: {} } }),
  })
}

function ready(deps: Deps): Route {
  return route({
    method: 'get', path: '/health/ready', name: 'getReadiness', group: GROUP, access: 'open', summary: 'Say whether requests can be served',
    answer: { status: 200, description: 'Ready', schema: health, unavailable: 'A check fails: `checks` says which' },
    async handle() {
      const { ok, checks } = await deps.readiness()
      return { status: ok ? 200 : 503, body: { status: ok ? 'ok' : 'unavailable', checks } }
    },
  })
}

function metrics(metricsText: () => Promise<string>): Route {
  const type = 'text/plain; version=0.0.4; charset=utf-8'
  return route({
    method: 'get', path: '/metrics', name: 'getMetrics', group: GROUP, access: 'open', summary: 'Read the metrics in the Prometheus text format',
    answer: { status: 200, description: 'All series', type: 'text/plain' },
    handle: async () => ({ status: 200, body: await metricsText(), type }),
  })
}

function openApi(deps: Deps): Route {
  return route({
    method: 'get', path: '/openapi.json', name: 'getOpenApi', group: GROUP, access: 'open', summary: 'Read this interface as an OpenAPI 3.1 document',
    answer: { status: 200, description: 'The document', schema: z.looseObject({ openapi: z.string() }) },
    handle: async () => ({ status: 200, body: deps.document() }),
  })
}

function docs(deps: Deps): Route {
  let page: string | null = null
  return route({
    method: 'get', path: '/docs', name: 'getDocs', group: GROUP, access: 'open', summary: 'Read this interface as a page',
    answer: { status: 200, description: 'The page', type: 'text/html' },
    async handle() {
      page ??= docsPage(deps.document())
      return { status: 200, body: page, type: 'text/html; charset=utf-8', headers: { 'content-security-policy': DOCS_POLICY } }
    },
  })
}
