/** The neighbour, a process of its own that sends hostile bodies, several at once, until it is told to stop. */
import { Agent, request } from 'node:http'
import { SHAPES } from './bodies.ts'

export interface HostileOrder {
  readonly url: string
  readonly key: string
  readonly bytes: readonly number[]
  readonly parallel: number
  /** Names of `SHAPES`, sent in turn, each in all sizes. */
  readonly shapes: readonly string[]
  /** The number of bodies to send; null means until told to stop. */
  readonly count: number | null
}

export interface HostileReport {
  readonly statuses: Readonly<Record<string, number>>
  readonly bytes: number
}

const stop = new AbortController()
const statuses: Record<string, number> = {}
let sentBytes = 0

function post({ url, key }: HostileOrder, body: Buffer, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent,
        headers: { 'x-api-key': key, 'content-type': 'application/json', 'content-length': body.length },
      },
      (response) => {
        response.resume().once('close', () => resolve(String(response.statusCode)))
      },
    )
    sent.once('error', () => resolve('cut'))
    sent.end(body)
  })
}

async function run(order: HostileOrder): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: order.parallel })
  const bodies = order.shapes.flatMap((shape) => order.bytes.map((bytes) => Buffer.from(SHAPES[shape]?.(bytes) ?? '')))
  process.send?.({ type: 'ready' })
  let next = 0
  await Promise.all(
    Array.from({ length: order.parallel }, async () => {
      while (!stop.signal.aborted && next < (order.count ?? Infinity)) {
        const body = bodies[next++ % bodies.length] ?? Buffer.alloc(0)
        const status = await post(order, body, agent)
        statuses[status] = (statuses[status] ?? 0) + 1
        sentBytes += body.length
      }
    }),
  )
  process.send?.({ type: 'done', report: { statuses, bytes: sentBytes } satisfies HostileReport })
  agent.destroy()
  process.disconnect()
}

process.on('message', (message: HostileOrder | 'stop') => {
  if (message === 'stop') stop.abort()
  else void run(message)
})
