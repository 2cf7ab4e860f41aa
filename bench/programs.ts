import { fork, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { generateApiKey } from '../src/domain/api-key.ts'

const ADMIN_URL =
  process.env['BENCH_DATABASE_URL'] ?? process.env['TEST_DATABASE_URL'] ?? 'postgres://root@127.0.0.1:5432/test'
/** proc(5): the kernel's ticks. */
export const TICKS_PER_SECOND = 100

/** Flags with which `npm start` starts a gateway. */
export const GATEWAY_FLAGS = ['--max-semi-space-size=64']

/** A program under test or its baseline: a process of its own, with the ports it reported. */
export interface Server {
  readonly child: ChildProcess
  readonly port: number
  readonly sandboxPort: number
}

/** Starts a program and waits until it listens. `file` is relative to this folder, `flags` are Node's. */
export async function startServer(
  file: string,
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<Server> {
  const child = fork(new URL(file, import.meta.url), [], {
    env: { PATH: process.env['PATH'] ?? '', SHUTDOWN_DELAY_SECONDS: '0', ...env },
    execArgv: ['--disable-warning=ExperimentalWarning', ...flags],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]): never => {
      throw new Error(`${file} ended with ${code} before it listened`)
    }),
  ])
  return { child, port: Number(message.port), sandboxPort: Number(message.sandboxPort) }
}

export async function stopServer({ child }: Server): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

/** The fields of `/proc/pid/stat` behind the name, from its state on (proc(5)). Throws when the process is gone. */
export function statOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
}

/** CPU time that a process has used, in ms (proc(5): utime and stime). */
export function cpuMsOf(pid: number): number {
  const fields = statOf(pid)
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

/** CPU time that a server has used, in ms. */
export function cpuMs({ child }: Server): number {
  return cpuMsOf(child.pid ?? 0)
}

/** Resident memory of a process, in KiB (proc(5): VmRSS). */
export function residentKib(pid: number | undefined): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
}

/** A gateway and its sandbox, with data of their own. */
export interface Installation {
  readonly gateway: Server
  readonly tenantKey: string
  /** The address of its PostgreSQL database; null when the database is embedded. */
  readonly databaseUrl: string | null
  readonly dataDir: string
  close(): Promise<void>
}

/**
 * Starts a gateway on a fresh PostgreSQL database (BENCH_DATABASE_URL or TEST_DATABASE_URL, default
 * postgres://root@127.0.0.1:5432/test), or on an embedded one.
 */
export async function install(
  kind: 'postgres' | 'embedded',
  env: Readonly<Record<string, string>> = {},
): Promise<Installation> {
  const database = kind === 'postgres' ? await createDatabase() : null
  const dataDir = await mkdtemp(join(tmpdir(), 'cms-bench-'))
  const tenantKey = generateApiKey()
  const gateway = await startServer(
    '../src/main.ts',
    {
      PORT: '0',
      MEDIA_PORT: '0',
      MEDIA_CONTROL_PORT: '0',
      SANDBOX_PORT: '0',
      SANDBOX: 'on',
      DATA_DIR: dataDir,
      INTERNAL_SECRET: randomBytes(24).toString('hex'),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      BOOTSTRAP_TENANT_KEY: tenantKey,
      REQUESTS_PER_MINUTE: '10000000',
      SENDS_PER_MINUTE: '10000000',
      ...(database ? { DATABASE_URL: database.url } : {}),
      ...env,
    },
    GATEWAY_FLAGS,
  )
  return {
    gateway,
    tenantKey,
    databaseUrl: database?.url ?? null,
    dataDir,
    async close() {
      await stopServer(gateway)
      await database?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Makes a database on the server of BENCH_DATABASE_URL or TEST_DATABASE_URL. */
export async function createDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `cms_bench_${randomBytes(4).toString('hex')}`
  const run = async (sql: string): Promise<void> => {
    const admin = new pg.Client({ connectionString: ADMIN_URL })
    await admin.connect()
    await admin.query(sql).finally(() => admin.end())
  }
  await run(`create database ${name}`)
  const url = new URL(ADMIN_URL)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) }
}

/** Posts JSON; throws with the text of the answer unless it is 2xx. */
export async function postJson<T = any>(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** The value below which `share` of the sorted values lie. */
export function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export function median(values: readonly number[]): number {
  return at(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}
