import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ExecutionContext } from 'ava'
import { createUpstreamFetch } from '../../../src/net/upstream-fetch.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Log } from '../../../src/ports/log.ts'
import type { Metrics } from '../../../src/ports/metrics.ts'
import type { OfficialCredentials } from '../../../src/ports/official/credentials.ts'
import { lateClock } from '../../helpers/late-clock.ts'
import { createGraph } from '../../../src/providers/official/client/graph.ts'
import type { GraphOptions, GraphTuning } from '../../../src/providers/official/client/graph.ts'
import { noMetrics, silentLog } from '../../helpers/silent.ts'
import { PATIENCE_MS } from '../../helpers/until.ts'

export interface Asked {
  readonly method: string
  /** The path after the version segment. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>> | null
  /** The fields of a form: texts as they are, files as `{name, type, text}`. */
  readonly form: Readonly<Record<string, unknown>> | null
  /** Path and query as they were in the request, after the version segment. */
  readonly target: string
  /** The raw body. */
  readonly sent: Buffer
}

type ScriptedAnswer =
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly json?: unknown
      readonly text?: string
      readonly bytes?: Uint8Array
    }
  /** The request is accepted and never answered. */
  | 'silence'
  /** The connection breaks. */
  | 'drop'

/** An answer, or a function that makes one from the request. */
export type Scripted = ScriptedAnswer | ((asked: Asked) => ScriptedAnswer)

/** An error answer in the platform's form. */
export function graphError(code: number, status = 400, more: Readonly<Record<string, unknown>> = {}): ScriptedAnswer {
  return {
    status,
    json: { error: { message: `(#${code}) Title`, type: 'OAuthException', code, fbtrace_id: 'trace', ...more } },
  }
}

/** A Graph server with scripted answers. Each is given once; the last one of a path repeats. */
export class ScriptedGraph {
  readonly asked: Asked[] = []
  readonly #script = new Map<string, Scripted[]>()
  readonly #server: Server
  #waiting: (() => void)[] = []
  #isHeld = false

  constructor() {
    this.#server = createServer(
      { keepAliveTimeout: PATIENCE_MS },
      (request, response) => void this.#answer(request, response),
    )
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v24.0`
  }

  /** `at` is a method and a path, such as `POST /1001/calls`. */
  on(at: string, ...answers: Scripted[]): this {
    this.#script.set(at, answers)
    return this
  }

  /** From now on requests are counted but wait for release(). */
  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
    for (const go of this.#waiting.splice(0)) go()
  }

  async stop(): Promise<void> {
    this.release()
    const closed = once(this.#server, 'close')
    // The server closes first, because it would wait for a connection that arrives between the two calls.
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://graph')
    const path = url.pathname.replace(/^\/v24\.0/, '')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sent = Buffer.concat(chunks)
    const isForm = request.headers['content-type']?.startsWith('multipart/form-data') === true
    const form = isForm ? await readForm(sent, request.headers['content-type'] ?? '') : null
    const isJson = request.headers['content-type'] === 'application/json'
    const asked: Asked = {
      method: request.method ?? '',
      path,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: isJson ? (JSON.parse(sent.toString('utf8')) as Record<string, unknown>) : null,
      form,
      target: request.url?.replace(/^\/v24\.0/, '') ?? '',
      sent,
    }
    this.asked.push(asked)
    if (this.#isHeld) await new Promise<void>((go) => this.#waiting.push(go))
    const answers = this.#script.get(`${request.method} ${path}`) ?? []
    const scripted = (answers.length > 1 ? answers.shift() : answers[0]) ?? graphError(100, 400, { error_subcode: 33 })
    const answer = typeof scripted === 'function' ? scripted(asked) : scripted
    if (answer === 'silence') return
    if (answer === 'drop') {
      request.socket.destroy()
      return
    }
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
    response.end(answer.bytes ?? answer.text ?? JSON.stringify(answer.json ?? { success: true }))
  }
}

/** Node's own reader parses the form, so that the test does not depend on ours. */
async function readForm(body: Uint8Array, type: string): Promise<Record<string, unknown>> {
  const form = await new Response(Uint8Array.from(body), { headers: { 'content-type': type } }).formData()
  const read: Record<string, unknown> = {}
  for (const [name, value] of form)
    read[name] = typeof value === 'string' ? value : { name: value.name, type: value.type, text: await value.text() }
  return read
}

export const CREDENTIALS: OfficialCredentials = {
  phoneId: '1001',
  accountId: '2002',
  accessToken: 'EAAGsecrettoken',
  appId: '3003',
  appSecret: 'app-secret',
}

export interface RigOptions {
  readonly clock?: Clock
  readonly log?: Log
  readonly metrics?: Metrics
  readonly onMark?: GraphOptions['onMark']
  readonly totalMs?: number
  readonly tuning?: Partial<GraphTuning>
}

/** In ms: longer than a busy machine can delay the tries of a read. */
const NEVER_MS = 600_000

/** Options for requests that are repeated until they are answered, however slow the machine is. */
export const PATIENT = { totalMs: NEVER_MS, tuning: { retryUntilMs: NEVER_MS } }

/** A client of a scripted server; its retries wait one millisecond. */
export async function rig(t: ExecutionContext, options: RigOptions = {}) {
  const { clock = lateClock, log = silentLog, metrics = noMetrics, onMark, totalMs, tuning } = options
  const server = new ScriptedGraph()
  const apiUrl = await server.start()
  const fetch = createUpstreamFetch({ clock, connectMs: PATIENCE_MS, ...(totalMs === undefined ? {} : { totalMs }) })
  t.teardown(async () => {
    await fetch.close()
    await server.stop()
  })
  const graph = createGraph({
    apiUrl,
    fetch,
    clock,
    log,
    metrics,
    ...(onMark ? { onMark } : {}),
    // A test without a clock of its own does not test time limits.
    tuning: { backoffMs: [1, 1, 1], ...(options.clock ? {} : { retryUntilMs: NEVER_MS }), ...tuning },
  })
  return { server, graph, apiUrl }
}
