/**
 * An authenticated `GET /v1/calls/{id}` on the real gateway against a bare Koa route with one bare query on the same
 * database, in turns in the same run. Needs PostgreSQL: BENCH_DATABASE_URL, default postgres://root@127.0.0.1:5432/test.
 *
 *   node bench/http/bench.ts [seconds a turn]
 */
import { fork, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { generateApiKey } from '../../src/domain/api-key.ts'

interface Load {
  readonly non2xx: number
  readonly requests: { readonly total: number, readonly average: number }
  readonly latency: { readonly p50: number, readonly p99: number }
}

/** autocannon carries no types of its own. */
const autocannon = createRequire(import.meta.url)('autocannon') as
  (options: { url: string, connections: number, duration: number, headers: Record<string, string> }) => Promise<Load>

const ADMIN_URL = process.env['BENCH_DATABASE_URL'] ?? 'postgres://root@127.0.0.1:5432/test'
const SECONDS = Number(process.argv[2] ?? 5)
const TURNS = 3
const CONNECTIONS = 32
const TICKS_PER_SECOND = 100

interface Server {
  readonly child: ChildProcess
  readonly port: number
}

async function startServer(file: string, env: Record<string, string>): Promise<Server> {
  const child = fork(new URL(file, import.meta.url), [], {
    env: { PATH: process.env['PATH'] ?? '', ...env }, execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]): never => { throw new Error(`${file} ended with ${code} before it listened`) }),
  ])
  return { child, port: Number(message.port) }
}

/** CPU the process has used, ms (proc(5): utime and stime). */
function cpuMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 1000 / TICKS_PER_SECOND
}

async function turn(server: Server, path: string, headers: Record<string, string>) {
  const before = cpuMs(server.child.pid)
  const load = await autocannon({ url: `http://127.0.0.1:${server.port}${path}`, connections: CONNECTIONS, duration: SECONDS, headers })
  if (load.non2xx > 0) throw new Error(`${load.non2xx} answers were not 2xx`)
  return { perSecond: load.requests.average, cpuUs: (cpuMs(server.child.pid) - before) * 1000 / load.requests.total, p50: load.latency.p50, p99: load.latency.p99 }
}

type Turn = Awaited<ReturnType<typeof turn>>

function median(turns: readonly Turn[], pick: (turn: Turn) => number): number {
  return turns.map(pick).toSorted((a, b) => a - b)[Math.floor(turns.length / 2)] ?? 0
}

async function insertCall(databaseUrl: string): Promise<{ callId: string, numberId: string }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows: [number] } = await client.query('select id, tenant_id from channel_numbers limit 1')
  const callId = `call_${'0'.repeat(26)}`
  await client.query(
    `insert into calls (id, tenant_id, number_id, provider, direction, status, peer_number, from_number, external_call_id, started_at, created_at, updated_at)
     values ($1, $2, $3, 'UNOFFICIAL', 'OUTBOUND', 'COMPLETED', '5511990000001', '5511988887777', 'X1', now(), now(), now())`,
    [callId, number.tenant_id, number.id],
  )
  await client.end()
  return { callId, numberId: number.id }
}

async function main(): Promise<void> {
  const name = `cms_bench_${randomBytes(4).toString('hex')}`
  const admin = new pg.Client({ connectionString: ADMIN_URL })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(ADMIN_URL)
  url.pathname = `/${name}`
  const dataDir = await mkdtemp(join(tmpdir(), 'cms-bench-'))
  const tenantKey = generateApiKey()
  const gateway = await startServer('../../src/main.ts', {
    PORT: '0', MEDIA_PORT: '0', MEDIA_CONTROL_PORT: '0', SANDBOX_PORT: '0', SANDBOX: 'on', DATABASE_URL: url.href, DATA_DIR: dataDir,
    INTERNAL_SECRET: randomBytes(24).toString('hex'), ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    BOOTSTRAP_TENANT_KEY: tenantKey, REQUESTS_PER_MINUTE: '10000000',
  })
  const bare = await startServer('bare.ts', { BARE_DATABASE_URL: url.href })
  try {
    const created = await fetch(`http://127.0.0.1:${gateway.port}/v1/numbers`, {
      method: 'POST', headers: { 'x-api-key': tenantKey, 'content-type': 'application/json' }, body: JSON.stringify({ name: 'Bench', number: '5511988887777' }),
    })
    const { apiKey } = await created.json() as { apiKey: { key: string } }
    const { callId } = await insertCall(url.href)
    const path = `/v1/calls/${callId}`
    const headers = { 'x-api-key': apiKey.key }
    await turn(bare, path, headers)
    await turn(gateway, path, headers)
    const ours: Turn[] = []
    const theirs: Turn[] = []
    for (let i = 0; i < TURNS; i++) {
      theirs.push(await turn(bare, path, headers))
      ours.push(await turn(gateway, path, headers))
    }
    for (const [label, turns] of [['gateway', ours], ['bare', theirs]] as const) {
      console.log(`${label.padEnd(8)} GET /v1/calls/{id}: ${median(turns, (t) => t.perSecond).toFixed(0)}/s, ${median(turns, (t) => t.cpuUs).toFixed(0)} us CPU, p50 ${median(turns, (t) => t.p50)} ms, p99 ${median(turns, (t) => t.p99)} ms`)
    }
    console.log(`ratio of requests a second: ${(median(ours, (t) => t.perSecond) / median(theirs, (t) => t.perSecond)).toFixed(2)} (target 0.60)`)
  } finally {
    gateway.child.kill('SIGTERM')
    bare.child.kill('SIGTERM')
    await once(gateway.child, 'exit').catch(() => {})
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
    await rm(dataDir, { recursive: true, force: true })
  }
}

await main()
