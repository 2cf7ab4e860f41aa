import type { ExecutionContext } from 'ava'
import Koa from 'koa'
import { Turns } from '../../src/domain/turns.ts'
import type { HttpMiddleware, RequestState } from '../../src/http/request/context.ts'
import { startHttp } from '../../src/http/listen.ts'
import { createHttpApp } from '../../src/http/server.ts'
import type { RestDeps } from '../../src/http/server.ts'
import type { Changes } from './http-nouns.ts'
import { ask } from './patient-fetch.ts'

/** A world to serve: its dependencies, some of them replaced. */
export interface Served {
  deps(changes: Changes): RestDeps
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: any
}

export interface Request {
  readonly key?: string | undefined
  readonly headers?: Record<string, string>
  /** The body, sent as JSON unless it is a text or bytes, which are sent unchanged. */
  readonly body?: unknown
}

export interface Client {
  readonly url: string
  send(method: string, path: string, request?: Request): Promise<Reply>
}

/**
 * Our choice: how many applications a thread serves at once. All of its tests begin at the same time and an application
 * takes 0.6 MB; a thousand of them cost a fifth of the CPU for garbage collection.
 */
const turns = new Turns(16)
const served = new WeakSet<Pick<ExecutionContext<any>, 'teardown'>>()

/** Serves the real application over the world on a free port, until the test ends. */
export async function serve(
  t: Pick<ExecutionContext<any>, 'teardown'>,
  world: Served,
  changes: Changes = {},
): Promise<Client> {
  await turnOf(t)
  return await serveApp(t, createHttpApp(world.deps(changes)))
}

/** Waits for the test's turn; a test that serves a second application already has it. */
async function turnOf(t: Pick<ExecutionContext<any>, 'teardown'>): Promise<void> {
  if (served.has(t)) return
  served.add(t)
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  void turns.run(() => {
    begun.resolve()
    return ended.promise
  })
  await begun.promise
  t.teardown(() => ended.resolve())
}

/** Serves middlewares on a free port, until the test ends. */
export function serveSteps(t: ExecutionContext<any>, steps: readonly HttpMiddleware[]): Promise<Client> {
  const app = new Koa<RequestState>()
  app.silent = true
  for (const step of steps) app.use(step)
  return serveApp(t, app)
}

/** How many times longer requests of tests may take, because a busy machine is no fault of the tests. */
export const PATIENCE = 30

async function serveApp(t: Pick<ExecutionContext<any>, 'teardown'>, app: Koa<RequestState>): Promise<Client> {
  const listener = await startHttp(app, { host: '127.0.0.1', port: 0, patience: PATIENCE })
  t.teardown(() => listener.close(0))
  return clientOf(`http://127.0.0.1:${listener.port}`)
}

/** A client of the service at an address, without a trailing slash. */
export function clientOf(url: string): Client {
  return { url, send: (method, path, request = {}) => send(url + path, method, request) }
}

async function send(url: string, method: string, { key, headers = {}, body }: Request): Promise<Reply> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const sent = {
    ...(key ? { 'x-api-key': key } : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }
  const told = await ask(url, method, sent, body === undefined || isRaw ? body : JSON.stringify(body))
  const isJson = told.headers.get('content-type')?.includes('json') && told.text !== ''
  return { ...told, body: isJson ? JSON.parse(told.text) : null }
}
