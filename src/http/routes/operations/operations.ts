import { z } from 'zod'
import type { OpenApiDocument } from '../../openapi/document.ts'
import { REFERENCE_POLICY, referencePage } from '../../openapi/reference-page.ts'
import { readBundle } from '../../openapi/scalar-bundle.ts'
import { MENDING } from '../../openapi/scalar-mending.ts'
import { madeOnce } from '../../request/ready-bytes.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { WELCOME_LINKS, WELCOME_PAGE, WELCOME_POLICY } from './welcome-page.ts'

/** What a node has to do with (contract 20). */
export interface NodeView {
  readonly nodeId: string
  /** Numbers whose actors run here. */
  readonly numbers: number
  readonly liveCalls: number
  /** As this node sees them; their addresses are nobody's business. */
  readonly mediaHosts: readonly MediaHostShown[]
}

interface MediaHostShown {
  /** Null until it was connected once. */
  readonly hostId: string | null
  readonly connected: boolean
  readonly calls: number
  readonly draining: boolean
}

/** One named check of readiness, `ok` or what is wrong. */
export interface Readiness {
  readonly ok: boolean
  /** Requests are served, and something waits for an operator. */
  readonly isDegraded?: boolean
  readonly checks: Readonly<Record<string, string>>
  readonly node: NodeView
}

export interface OperationDeps {
  readonly readiness: () => Promise<Readiness>
  /** Null when /metrics is served on another port (contract 1, METRICS_PORT). */
  readonly metricsText: (() => Promise<string>) | null
}

const GROUP = 'Operations'

const health = z.object({ status: z.string(), checks: z.record(z.string(), z.string()) }).meta({ id: 'Health' })

const readiness = health
  .extend({
    nodeId: z.string(),
    numbers: z.int(),
    liveCalls: z.int(),
    mediaHosts: z.array(
      z.object({ hostId: z.string().nullable(), connected: z.boolean(), calls: z.int(), draining: z.boolean() }),
    ),
  })
  .meta({ id: 'Readiness' })

const NODE: NodeView = {
  nodeId: 'gateway-0',
  numbers: 240,
  liveCalls: 3,
  mediaHosts: [{ hostId: 'media-0', connected: true, calls: 3, draining: false }],
}

const READINESS = {
  Ready: {
    status: 'ok',
    checks: { database: 'ok', disk: 'ok', media: 'ok', redis: 'ok', node: 'ok', setAside: 'ok' },
    ...NODE,
  },
  Degraded: {
    status: 'degraded',
    checks: {
      database: 'ok',
      disk: 'ok',
      media: 'ok',
      redis: 'ok',
      node: 'ok',
      setAside: '1 item waits for an operator: npm run set-aside -- list',
    },
    ...NODE,
  },
  'Not ready': {
    status: 'unavailable',
    checks: { database: 'no answer within 2 s', disk: 'ok', media: 'ok', redis: 'down', node: 'ok', setAside: 'ok' },
    ...NODE,
  },
}

/** Routes for those who run the service; no key (contract 1). */
export function operationRoutes(deps: OperationDeps): Route[] {
  return [welcome(), live(), ready(deps), ...(deps.metricsText ? [metrics(deps.metricsText)] : [])]
}

/** Routes of the document that describes all routes, these included; it is asked for once they are all known. */
export function documentRoutes(document: () => OpenApiDocument, baseUrl: string): Route[] {
  return [openApi(document), docs(document, baseUrl), docsScript()]
}

function welcome(): Route {
  const body = { name: 'Channel messaging service', version: '1.0.0', ...WELCOME_LINKS }
  return route({
    method: 'get',
    path: '/',
    name: 'getWelcome',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'static',
    summary: 'Read where things are',
    description: 'Browsers are shown a page.',
    answer: {
      status: 200,
      description: 'Paths of this interface',
      schema: z.looseObject({ name: z.string(), docs: z.string(), openapi: z.string() }),
      example: body,
    },
    handle: async () => ({
      status: 200,
      body,
      page: WELCOME_PAGE,
      headers: { 'content-security-policy': WELCOME_POLICY },
    }),
  })
}

function live(): Route {
  return route({
    method: 'get',
    path: '/health/live',
    name: 'getLiveness',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    summary: 'Say that the process runs',
    answer: { status: 200, description: 'It runs', schema: health, example: { status: 'ok', checks: {} } },
    handle: async () => ({ status: 200, body: { status: 'ok', checks: {} } }),
  })
}

function ready(deps: OperationDeps): Route {
  return route({
    method: 'get',
    path: '/health/ready',
    name: 'getReadiness',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    summary: 'Say whether requests can be served',
    answer: {
      status: 200,
      description: 'Ready',
      schema: readiness,
      examples: READINESS,
      unavailable: 'A check fails: `checks` says which',
    },
    async handle() {
      const { ok, isDegraded, checks, node } = await deps.readiness()
      return {
        status: ok ? 200 : 503,
        body: { status: !ok ? 'unavailable' : isDegraded ? 'degraded' : 'ok', checks, ...node },
      }
    },
  })
}

function metrics(metricsText: () => Promise<string>): Route {
  const type = 'text/plain; version=0.0.4; charset=utf-8'
  return route({
    method: 'get',
    path: '/metrics',
    name: 'getMetrics',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    summary: 'Read the metrics in the Prometheus text format',
    answer: { status: 200, description: 'All series', type: 'text/plain' },
    handle: async () => ({ status: 200, body: await metricsText(), type }),
  })
}

function openApi(document: () => OpenApiDocument): Route {
  const made = madeOnce(() => JSON.stringify(document()))
  return route({
    method: 'get',
    path: '/openapi.json',
    name: 'getOpenApi',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'static',
    summary: 'Read this interface as an OpenAPI 3.1 document',
    answer: {
      status: 200,
      description: 'The document',
      schema: z.looseObject({ openapi: z.string() }),
      example: { openapi: '3.1.0', info: { title: 'Channel Messaging Service', version: '1.0.0' }, paths: {} },
    },
    handle: async () => ({
      status: 200,
      body: null,
      ready: await made(),
      type: 'application/json; charset=utf-8',
      headers: REVALIDATED,
    }),
  })
}

function docs(document: () => OpenApiDocument, baseUrl: string): Route {
  const made = madeOnce(() => referencePage(document(), baseUrl, SCRIPT))
  return route({
    method: 'get',
    path: '/docs',
    name: 'getDocs',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'static',
    summary: 'Read this interface as a page, and try it',
    answer: { status: 200, description: 'The page', type: 'text/html' },
    handle: async () => ({
      status: 200,
      body: null,
      ready: await made(),
      type: 'text/html; charset=utf-8',
      headers: { ...REVALIDATED, 'content-security-policy': REFERENCE_POLICY },
    }),
  })
}

/** Kept, and asked for again each time: what changes with an upgrade is seen at once, what did not costs no bytes. */
const REVALIDATED = { 'cache-control': 'no-cache' }

/** Relative to /docs. */
const SCRIPT = 'docs/reference.js'
/**
 * Our choice: a day; after an upgrade of the service it is read again within that time, and either version shows the
 * document.
 */
const SCRIPT_CACHE = 'public, max-age=86400'

function docsScript(): Route {
  const made = madeOnce(async () => (await readBundle()) + MENDING)
  return route({
    method: 'get',
    path: `/${SCRIPT}`,
    name: 'getDocsScript',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'static',
    summary: 'Read the script of the page',
    answer: { status: 200, description: 'The script', type: 'text/javascript' },
    handle: async () => ({
      status: 200,
      body: null,
      ready: await made(),
      type: 'text/javascript; charset=utf-8',
      headers: { 'cache-control': SCRIPT_CACHE },
    }),
  })
}
