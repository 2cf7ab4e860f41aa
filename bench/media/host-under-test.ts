import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import type { MediaAnswer, MediaOp, MediaOps } from '../../src/ports/media-control.ts'

/** The length of a clock tick in /proc: Linux fixes 100 a second for user space. */
const TICK_MS = 10
const SECRET = 'bench-secret-bench-secret-bench!'

/** What is asked of whatever carries the calls. */
export type AskedOp = Extract<MediaOp, 'offer' | 'connect' | 'status' | 'mint'>

/** What carries the calls: a media host, or a process that only forwards. */
export interface CarrierUnderTest {
  ask<O extends AskedOp>(op: O, fields: MediaOps[O]['fields']): Promise<MediaOps[O]['value']>
  readonly pid: number
  /** CPU time since the process started, in ms. */
  cpuMs(): Promise<number>
  rssBytes(): Promise<number>
  tickLateP99Ms(): Promise<number>
  stop(): Promise<void>
}

export interface HostUnderTest extends CarrierUnderTest {
  ask<O extends MediaOp>(op: O, fields: MediaOps[O]['fields']): Promise<MediaOps[O]['value']>
}

/** Starts the media host as in production, in a process of its own, and opens its control socket. */
export async function startHost(): Promise<HostUnderTest> {
  const dataDir = await mkdtemp(join(tmpdir(), 'media-bench-'))
  const child = fork(new URL('../../media-host/main.ts', import.meta.url), [], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {
      PATH: process.env['PATH'] ?? '',
      INTERNAL_SECRET: SECRET,
      MEDIA_PORT: '0',
      MEDIA_CONTROL_PORT: '0',
      RTP_ADDRESS: '127.0.0.1',
      EGRESS_ALLOW: '127.0.0.0/8',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '0',
    },
  })
  const controlPort = await listening(child)
  const socket = new WebSocket(`ws://127.0.0.1:${controlPort}/control`, {
    headers: { authorization: `Bearer ${SECRET}`, 'x-node-id': 'node_bench' },
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  const ask = asker(socket)
  await ask('sync', { calls: [] })
  return {
    ask,
    ...figuresOf(child),
    tickLateP99Ms: async () => {
      const health: unknown = await (await fetch(`http://127.0.0.1:${controlPort}/health`)).json()
      return typeof health === 'object' && health !== null && 'tickLateP99Ms' in health
        ? Number(health.tickLateP99Ms)
        : NaN
    },
    stop: async () => {
      socket.close()
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.kill('SIGTERM')
      await ended
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** What the system counts of a process. */
export function figuresOf({ pid = NaN }: ChildProcess): Pick<CarrierUnderTest, 'pid' | 'cpuMs' | 'rssBytes'> {
  return {
    pid,
    cpuMs: async () => {
      const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) * TICK_MS
    },
    rssBytes: async () =>
      Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024,
  }
}

function listening(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('message', (message: { controlPort: number }) => resolve(message.controlPort))
    child.once('exit', (code) => reject(new Error(`the media host ended with ${code}`)))
  })
}

function asker(socket: WebSocket): HostUnderTest['ask'] {
  let lastId = 0
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  socket.on('message', (text: Buffer) => {
    const message = JSON.parse(text.toString()) as MediaAnswer | { n: number }
    if ('n' in message) return socket.send(JSON.stringify({ ack: message.n }))
    const asked = waiting.get(message.re)
    waiting.delete(message.re)
    if (message.ok) asked?.resolve(message.value)
    else asked?.reject(new Error(`${message.error.code}: ${message.error.message}`))
  })
  return (op, fields) =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      waiting.set(id, { resolve: (value) => resolve(value as never), reject })
      socket.send(JSON.stringify({ id, op, ...fields }))
    })
}
