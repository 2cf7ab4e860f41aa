import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Clock } from '../../../src/ports/clock.ts'
import { PATIENCE_MS, until } from '../../helpers/until.ts'
import { startPlayground, type Playground } from '../bridge-client.ts'

export const BUSINESS = '551140000000'
export const USER = '55119900'
export const VERIFY_TOKEN = 'verify me'

interface Posted {
  readonly raw: Buffer
  readonly body: any
  readonly signature: string
  readonly headers: Record<string, unknown>
  /** The status that the receiver answered with. */
  readonly status: number
}

/** The receiver of webhooks: an HTTP server that records posts with their raw bytes. */
export class Receiver {
  readonly posts: Posted[] = []
  readonly challenges: URLSearchParams[] = []
  /** The statuses of the next answers; 200 when there are none. */
  readonly statuses: number[] = []
  verifyToken = VERIFY_TOKEN
  /** A text before the challenge, as of a page that greets every visitor with 200. */
  challengePrefix = ''
  url = ''
  readonly #server = createServer({ keepAliveTimeout: PATIENCE_MS }, (request, response) => {
    const url = new URL(request.url ?? '/', 'http://receiver')
    if (request.method === 'GET') {
      this.challenges.push(url.searchParams)
      const isKnown = url.searchParams.get('hub.verify_token') === this.verifyToken
      response
        .writeHead(isKnown ? 200 : 403)
        .end(isKnown ? this.challengePrefix + (url.searchParams.get('hub.challenge') ?? '') : 'no')
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      const status = this.statuses.shift() ?? 200
      this.posts.push({
        raw,
        body: JSON.parse(raw.toString()),
        signature: String(request.headers['x-hub-signature-256']),
        headers: request.headers,
        status,
      })
      response.writeHead(status).end()
    })
  })

  static async open(): Promise<Receiver> {
    const receiver = new Receiver()
    receiver.#server.listen(0, '127.0.0.1')
    await once(receiver.#server, 'listening')
    const address = receiver.#server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    receiver.url = `http://127.0.0.1:${address.port}/hook`
    return receiver
  }

  /** All accepted changes, with their parsed values. */
  changes(field?: string): any[] {
    const changes = this.posts
      .filter(({ status }) => status === 200)
      .flatMap(({ body }) => body.entry.flatMap((entry: any) => entry.changes))
    return field === undefined ? changes : changes.filter((change) => change.field === field)
  }

  /** The events of a call in order, such as `RINGING` and `connect`. */
  story(callId: string): string[] {
    return this.changes('calls').flatMap(({ value }) => [
      ...(value.statuses ?? []).filter(({ id }: any) => id === callId).map(({ status }: any) => status),
      ...(value.calls ?? []).filter(({ id }: any) => id === callId).map(({ event }: any) => event),
    ])
  }

  async callEvent(callId: string, event: 'connect' | 'terminate'): Promise<any> {
    return await until(`${event} came`, () =>
      this.changes('calls')
        .flatMap(({ value }) => (value.calls ?? []).map((call: any) => ({ ...call, value })))
        .find((call) => call.id === callId && call.event === event),
    )
  }

  async callStatus(callId: string, status: string): Promise<any> {
    return await until(`${status} came`, () =>
      this.changes('calls')
        .flatMap(({ value }) => value.statuses ?? [])
        .find((item) => item.id === callId && item.status === status),
    )
  }

  /** The messages from users. */
  messages(): any[] {
    return this.changes('messages').flatMap(({ value }) => value.messages ?? [])
  }

  replies(): any[] {
    return this.messages()
      .map(({ interactive }) => interactive?.call_permission_reply)
      .filter(Boolean)
  }

  statusesOf(messageId: string): any[] {
    return this.changes('messages')
      .flatMap(({ value }) => value.statuses ?? [])
      .filter(({ id }: any) => id === messageId)
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

/** The signature, computed independently of the sandbox. */
export function signatureOf(raw: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`
}

export interface Graph {
  readonly status: number
  readonly body: any
  readonly headers: Headers
}

export interface OfficialPlayground extends Playground {
  readonly receiver: Receiver
  readonly base: string
  /** A number that the control API created. */
  readonly seeded: any
  readonly graph: (method: string, path: string, body?: object, token?: string | null) => Promise<Graph>
  readonly control: (method: string, path: string, body?: object) => Promise<{ status: number; body: any }>
  readonly subscribe: () => Promise<Graph>
  readonly advance: (ms: number) => Promise<void>
  readonly permit: (user: string, response?: string, isPermanent?: boolean) => Promise<{ status: number; body: any }>
  readonly close: () => Promise<void>
}

/** A sandbox with one OFFICIAL number and a receiver. */
export async function startOfficial(seed: object = {}, options: { clock?: Clock } = {}): Promise<OfficialPlayground> {
  const playground = await startPlayground(options)
  const base = `http://127.0.0.1:${playground.sandbox.port}`
  const receiver = await Receiver.open()

  async function control(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
    const response = await fetch(`${base}/control${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
    return { status: response.status, body: await response.json() }
  }

  const { body: seeded } = await control('POST', '/official/numbers', { number: BUSINESS, ...seed })

  async function graph(
    method: string,
    path: string,
    body?: object,
    token: string | null = seeded.accessToken,
  ): Promise<Graph> {
    const response = await fetch(`${base}/official/v24.0/${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: await response.json(), headers: response.headers }
  }

  return {
    ...playground,
    receiver,
    base,
    seeded,
    graph,
    control,
    subscribe: () =>
      graph('POST', `${seeded.accountId}/subscribed_apps`, {
        override_callback_uri: receiver.url,
        verify_token: VERIFY_TOKEN,
      }),
    advance: async (ms) => void (await control('POST', '/official/clock', { advanceMs: ms })),
    permit: (user, response = 'accept', isPermanent = false) =>
      control('POST', `/peers/${user}/permissions`, { to: BUSINESS, response, isPermanent }),
    async close() {
      receiver.close()
      await playground.sandbox.close()
    },
  }
}

/** The same, with a subscription and calling enabled. */
export async function startCallable(seed: object = {}, options: { clock?: Clock } = {}): Promise<OfficialPlayground> {
  const official = await startOfficial(seed, options)
  await official.subscribe()
  await official.graph('POST', `${official.seeded.phoneId}/settings`, { calling: { status: 'ENABLED' } })
  return official
}
