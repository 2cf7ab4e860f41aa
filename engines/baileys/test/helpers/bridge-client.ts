import type { ExecutionContext } from 'ava'
import { WebSocket } from 'ws'
import { until } from '../../../../test/helpers/until.ts'
import { TOKEN } from './engine-process.ts'

export interface ClientEvent {
  readonly ev: string
  readonly seq: number
  readonly [field: string]: any
}

interface Answer {
  readonly ok: boolean
  readonly result?: any
  readonly error?: { readonly code: string; readonly retryable: boolean }
}

/** A gateway's end of the bridge for one number. */
export interface BridgeClient {
  readonly events: ClientEvent[]
  /** The engine's answer; rejects when the socket closes first. */
  ask(op: string, fields?: object): Promise<Answer>
  start(fields: { number: string; credentials: unknown; [field: string]: unknown }): Promise<Answer>
  /** Resolves with the first event that fits, now or later. */
  find(fits: (event: ClientEvent) => boolean, timeoutMs?: number): Promise<ClientEvent>
  state(state: string, timeoutMs?: number): Promise<ClientEvent>
  ack(seq: number): void
  /** Acknowledges each event when it comes. */
  ackAll(): void
  /** Resolves with the close code. */
  readonly closed: Promise<number>
  close(): void
  onEvent(hear: (event: ClientEvent) => void): void
}

/** our choice, in ms: longer than a slow machine needs, shorter than the time of the test itself. */
const PATIENCE_MS = 60_000

/** our choice, in ms: who waits for a process that stands still tries another one. */
const HANDSHAKE_MS = 20_000

/** Connects to an engine; rejects when it refuses. */
export async function connectBridge(
  t: Pick<ExecutionContext, 'teardown'>,
  port: number,
  numberId: string,
  token: string = TOKEN,
): Promise<BridgeClient> {
  const ws = new WebSocket(`ws://127.0.0.1:${port}/sessions/${numberId}`, {
    headers: { authorization: `Bearer ${token}` },
    // A process that stands still has its connections taken, and answers nothing.
    handshakeTimeout: HANDSHAKE_MS,
  })
  t.teardown(() => ws.terminate())
  const closed = new Promise<number>((resolve) => ws.on('close', (code) => resolve(code)))
  const events: ClientEvent[] = []
  const asked = new Map<string, (answer: Answer) => void>()
  let hearers: ((event: ClientEvent) => void)[] = []
  ws.on('message', (bytes) => {
    const frame = JSON.parse(String(bytes)) as ClientEvent & Answer & { re?: string }
    if (frame.re !== undefined) return asked.get(frame.re)?.(frame)
    events.push(frame)
    for (const hear of hearers) hear(frame)
  })
  await new Promise<void>((resolve, reject) => {
    ws.once('open', () => resolve())
    ws.once('error', reject)
  })
  ws.on('error', () => ws.terminate())
  let lastId = 0

  const client: BridgeClient = {
    events,
    closed,
    ask(op, fields = {}) {
      const id = `q${++lastId}`
      return new Promise((resolve, reject) => {
        asked.set(id, resolve)
        void closed.then(() => reject(new Error(`${op}: the socket closed`)))
        ws.send(JSON.stringify({ ...fields, id, op }))
      })
    },
    start: (fields) => client.ask('session.start', { settings: {}, historyImport: false, ...fields }),
    find(fits, timeoutMs = PATIENCE_MS) {
      const known = events.find(fits)
      if (known) return Promise.resolve(known)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () =>
            reject(
              new Error(
                `no such event came; came: ${events
                  .map((event) => `${event.ev} ${event['state'] ?? ''}`)
                  .slice(-10)
                  .join(', ')}`,
              ),
            ),
          timeoutMs,
        )
        const hear = (event: ClientEvent): void => {
          if (!fits(event)) return
          clearTimeout(timer)
          hearers = hearers.filter((other) => other !== hear)
          resolve(event)
        }
        hearers.push(hear)
      })
    },
    state: (state, timeoutMs) =>
      client.find((event) => event.ev === 'session.state' && event['state'] === state, timeoutMs),
    ack: (seq) => {
      // What is true for seconds alone has no number ([engines.bridge.14]).
      if (seq !== undefined && ws.readyState === ws.OPEN) ws.send(JSON.stringify({ ack: seq }))
    },
    ackAll() {
      for (const event of events) client.ack(event.seq)
      client.onEvent((event) => client.ack(event.seq))
    },
    close: () => ws.terminate(),
    onEvent: (hear) => void hearers.push(hear),
  }
  return client
}

/** Connects to the first of these engines that takes the number; one that refuses it is asked again. */
export async function connectToAny(
  t: Pick<ExecutionContext, 'teardown'>,
  ports: readonly number[],
  numberId: string,
): Promise<BridgeClient> {
  let tries = 0
  return await until('an engine takes the number', () =>
    connectBridge(t, ports[tries++ % ports.length] ?? 0, numberId).catch(() => null),
  )
}
