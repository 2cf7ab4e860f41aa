import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { BridgeAnswer, BridgeEvent, SequencedBridgeEvent } from '../../src/domain/device-bridge.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { startSandbox, type Sandbox } from '../../sandbox/start.ts'
import { silentLog } from '../helpers/silent.ts'
import { until, within } from '../helpers/until.ts'

export const GATEWAY_NUMBER = '551130000000'
const SETTINGS = {
  rejectCall: null,
  msgRejectCall: null,
  alwaysOnline: null,
  readMessages: null,
  ignoreGroups: null,
  ignoreStatus: null,
}

type EventOf<Name extends BridgeEvent['ev']> = Extract<BridgeEvent, { ev: Name }> & { seq: number }

/** A gateway's end of the session of one device. */
export class BridgeClient {
  readonly events: SequencedBridgeEvent[] = []
  closeCode: number | null = null
  readonly #ws: WebSocket
  readonly #answers = new Map<string, (answer: BridgeAnswer) => void>()
  #lastId = 0

  constructor(ws: WebSocket) {
    this.#ws = ws
    ws.on('close', (code) => {
      this.closeCode = code
    })
    ws.on('message', (bytes) => {
      const message = JSON.parse(String(bytes))
      if ('re' in message) this.#answers.get(message.re)?.(message)
      else this.events.push(message)
    })
  }

  static async open(port: number, numberId: string, token: string | null = null): Promise<BridgeClient> {
    const ws = new WebSocket(
      `ws://127.0.0.1:${port}/devices/sessions/${numberId}`,
      token === null ? {} : { headers: { authorization: `Bearer ${token}` } },
    )
    const client = new BridgeClient(ws)
    await within('the bridge opens', once(ws, 'open'))
    return client
  }

  ask(op: string, fields: object = {}): Promise<BridgeAnswer> {
    const id = `r${++this.#lastId}`
    const answered = new Promise<BridgeAnswer>((resolve) => this.#answers.set(id, resolve))
    this.#ws.send(JSON.stringify({ id, op, ...fields }))
    return within(`${op} is answered`, answered)
  }

  /** The result of a request that must succeed. */
  async result<T = any>(op: string, fields: object = {}): Promise<T> {
    const answer = await this.ask(op, fields)
    if (!answer.ok) throw new Error(`${op} was refused: ${answer.error.code}`)
    return answer.result as T
  }

  /** The error code of a request that must fail. */
  async refusal(op: string, fields: object = {}): Promise<string> {
    const answer = await this.ask(op, fields)
    return answer.ok ? 'no error' : answer.error.code
  }

  start(
    credentials: string | null = null,
    settings: object = {},
    number: string = GATEWAY_NUMBER,
  ): Promise<BridgeAnswer> {
    return this.ask('session.start', {
      number,
      credentials,
      settings: { ...SETTINGS, ...settings },
      historyImport: false,
    })
  }

  async event<Name extends BridgeEvent['ev']>(
    ev: Name,
    accepts: (event: EventOf<Name>) => boolean = () => true,
  ): Promise<EventOf<Name>> {
    return await until(`${ev} came`, () => this.all(ev).find(accepts))
  }

  all<Name extends BridgeEvent['ev']>(ev: Name): EventOf<Name>[] {
    return this.events.filter((event): event is EventOf<Name> => event.ev === ev)
  }

  ack(seq: number): void {
    this.#ws.send(JSON.stringify({ ack: seq }))
  }

  raw(text: string): void {
    this.#ws.send(text)
  }

  closed(): Promise<number> {
    return until('the socket closed', () => this.closeCode)
  }

  close(): void {
    this.#ws.terminate()
  }
}

/** A running sandbox, with functions for its control API. */
export interface Playground {
  readonly sandbox: Sandbox
  readonly get: (path: string) => Promise<any>
  readonly post: (path: string, body?: object) => Promise<{ status: number; body: any }>
  /** Links a new number; resolves to its session. */
  readonly link: (number: string) => Promise<{ client: BridgeClient; credentials: string; numberId: string }>
}

let numbers = 0

export async function startPlayground(
  options: { clock?: Clock; bridgeToken?: string; autopair?: boolean; pageOrigin?: string } = {},
): Promise<Playground> {
  const { clock, bridgeToken = null, autopair = false, pageOrigin = null } = options
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    bridgeToken,
    autopair,
    pageOrigin,
    log: silentLog,
    ...(clock ? { clock } : {}),
  })
  const base = `http://127.0.0.1:${sandbox.port}`

  async function post(path: string, body?: object): Promise<{ status: number; body: any }> {
    const response = await fetch(base + path, { method: 'POST', ...(body ? { body: JSON.stringify(body) } : {}) })
    return { status: response.status, body: await response.json() }
  }

  return {
    sandbox,
    get: async (path) => (await fetch(base + path)).json(),
    post,
    async link(number) {
      const numberId = `num_${++numbers}`
      const client = await BridgeClient.open(sandbox.port, numberId, bridgeToken)
      await client.start(null, {}, number)
      await client.event('session.qr')
      await post(`/control/devices/${number}/scan`)
      const { credentials } = await client.event('session.credentials')
      await client.event('session.state', ({ state }) => state === 'OPEN')
      return { client, credentials, numberId }
    },
  }
}
