import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { phoneAsk } from '../../test/helpers/flow-phone.ts'
import { post, signedPost, steady, type Post } from '../posts.ts'
import { at, median, startServer, stopServer, type Installation } from '../programs.ts'
import type { FlowNumber } from './number.ts'

const PER_SECOND = 500
/** Requests that are made in advance and repeated; each has an encryption key of its own. */
const ASKS = 1_000
const ASKED = {
  version: '3.0',
  action: 'data_exchange',
  flow_token: 'ft_4711',
  screen: 'DAY',
  data: { day: '2026-01-12', notes: 'the bell is broken, please knock' },
}

/** Runs `npm run flows` beside the running gateway. */
async function desk({ dataDir }: Installation, ...args: string[]): Promise<any> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'src/flows.ts', ...args, '--json'],
    {
      cwd: new URL('../..', import.meta.url),
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
    },
  )
  return JSON.parse(stdout)
}

async function times(url: string, posts: readonly Post[], looks: number): Promise<number[]> {
  const took: number[] = []
  for (let i = 0; i < looks; i++) {
    const { body, headers } = posts[i % posts.length] ?? { body: Buffer.alloc(0), headers: {} }
    took.push(await post(url, body, headers))
  }
  return took
}

/**
 * Measures what a phone waits beyond the endpoint itself: one request at a time, in turns with unencrypted requests to
 * the endpoint; then PER_SECOND requests per second.
 */
export async function measureExchange(
  installation: Installation,
  { official, flowId }: FlowNumber,
  looks: number,
  seconds: number,
): Promise<void> {
  const endpoint = await startServer('flows/endpoint.ts', {})
  try {
    const { publicKey } = await desk(installation, 'key', 'create', '--number', official.id)
    await desk(installation, 'endpoint', 'set', '--flow', flowId, '--url', `http://127.0.0.1:${endpoint.port}/`)
    const url = `http://127.0.0.1:${installation.gateway.port}/flows/exchange/${flowId}`
    const asks = Array.from({ length: ASKS }, () => signedPost(official.appSecret, phoneAsk(publicKey, ASKED).body))
    const clear = [{ body: Buffer.from(JSON.stringify({ ...ASKED, flowId })), headers: {} }]
    await times(url, asks, Math.ceil(looks / 5))
    const took: { ours: number[]; alone: number[] } = { ours: [], alone: [] }
    for (let i = 0; i < 10; i++) {
      took.alone.push(...(await times(`http://127.0.0.1:${endpoint.port}/`, clear, Math.ceil(looks / 10))))
      took.ours.push(...(await times(url, asks, Math.ceil(looks / 10))))
    }
    const [ours, alone] = [median(took.ours), median(took.alone)]
    console.log(
      `exchange: p50 ${ours.toFixed(2)} ms, the endpoint alone ${alone.toFixed(2)} ms: added ${(ours - alone).toFixed(2)} ms (target 3)`,
    )
    let next = 0
    const sorted = await steady(
      { url, next: () => asks[next++ % asks.length] ?? { body: Buffer.alloc(0), headers: {} } },
      PER_SECOND,
      seconds,
    )
    console.log(
      `exchange at ${PER_SECOND}/s: p50 ${at(sorted, 0.5).toFixed(1)} ms, p99 ${at(sorted, 0.99).toFixed(1)} ms (target 50), max ${at(sorted, 1).toFixed(1)} ms`,
    )
  } finally {
    await stopServer(endpoint)
  }
}
