import { z } from 'zod'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'

/** What a node serves now ([nodes.readiness.1]). */
export interface NodeView {
  readonly nodeId: string
  /** Numbers whose actors run here. */
  readonly numbers: number
  readonly liveCalls: number
  /** The media hosts as this node sees them, without their addresses, because this route needs no key. */
  readonly mediaHosts: readonly MediaHostShown[]
  /** The engines of QR-paired numbers in the register, without their addresses likewise. */
  readonly engines: readonly EngineShown[]
}

interface EngineShown {
  readonly engineId: string
  /** Sessions of this node that are connected to it. */
  readonly connected: number
  /** Its sessions, those of all nodes. */
  readonly sessions: number
  readonly capacity: number
  readonly draining: boolean
}

interface MediaHostShown {
  /** Null until this node has been connected to the host once. */
  readonly hostId: string | null
  readonly connected: boolean
  readonly calls: number
  readonly draining: boolean
}

/** The readiness of a node. Each named check is `ok` or says what is wrong. */
export interface Readiness {
  readonly ok: boolean
  /** True when requests are served, and something waits for an operator. */
  readonly isDegraded?: boolean
  readonly checks: Readonly<Record<string, string>>
  readonly node: NodeView
}

export interface OperationDeps {
  readonly readiness: () => Promise<Readiness>
  /** The metrics as text, null when another port serves them ([configuration.variables.20]). */
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
    engines: z.array(
      z.object({
        engineId: z.string(),
        connected: z.int(),
        sessions: z.int(),
        capacity: z.int(),
        draining: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'Readiness' })

const NODE: NodeView = {
  nodeId: 'gateway-0',
  numbers: 240,
  liveCalls: 3,
  mediaHosts: [{ hostId: 'media-0', connected: true, calls: 3, draining: false }],
  engines: [{ engineId: 'engine-0', connected: 80, sessions: 240, capacity: 2_000, draining: false }],
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

/** Routes for operators, without a key ([configuration.open-routes.3]). */
export function operationRoutes(deps: OperationDeps): Route[] {
  return [welcome(), live(), ready(deps), ...(deps.metricsText ? [metrics(deps.metricsText)] : [])]
}

/** Where things are, for whoever asks for JSON at the address of the service. */
const WELCOME = {
  name: 'Channel messaging service',
  version: '1.0.0',
  dashboard: '/dashboard',
  docs: '/docs',
  openapi: '/openapi.json',
  asyncapi: '/asyncapi.json',
  live: '/health/live',
  ready: '/health/ready',
} as const

function welcome(): Route {
  return route({
    method: 'get',
    path: '/',
    name: 'getWelcome',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'static',
    summary: 'Read where things are',
    description: 'Browsers are led to the dashboard.',
    answer: {
      status: 200,
      description: 'Paths of this interface',
      schema: z.looseObject({ name: z.string(), docs: z.string(), openapi: z.string() }),
      example: WELCOME,
    },
    handle: async () => ({ status: 200, body: WELCOME, leadsTo: WELCOME.dashboard }),
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
