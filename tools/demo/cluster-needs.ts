import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import pg from 'pg'
import { withUser } from '../../src/process/database-url.ts'
import { eventually } from './eventually.ts'

/** The database and Redis that the nodes of a cluster share, and how to stop what was started for it. */
export interface ClusterNeeds {
  readonly databaseUrl: string
  readonly redisUrl: string
  stop(): Promise<void>
}

/** our choice, in ms: a program on this machine answers within this time or does not run. */
const LOOK_MS = 3_000
/** our choice: a database of its own, so that no other data is touched. */
const DATABASE = 'channel_cluster'
const REDIS_URL = 'redis://127.0.0.1:6379'

/** The message says, line by line, what is missing and what to do. */
export class Missing extends Error {}

async function isListening(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(LOOK_MS) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

function isThere(address: string, defaultPort: number): Promise<boolean> {
  const { hostname, port } = new URL(address)
  return isListening(hostname.replaceAll(/^\[|\]$/g, ''), Number(port || defaultPort))
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a Redis on this machine that stores nothing, for as long as the cluster runs; null when none is installed. */
async function startRedis(
  env: NodeJS.ProcessEnv,
): Promise<{ readonly url: string; readonly program: ChildProcess } | null> {
  const port = await freePort()
  const program = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore', env },
  )
  const isStarted = await once(program, 'spawn').then(
    () => true,
    () => false,
  )
  if (!isStarted) return null
  const url = `redis://127.0.0.1:${port}`
  const isThereYet = async (): Promise<true | null> => (await isThere(url, port)) || null
  return await eventually('Redis answers', isThereYet, LOOK_MS).then(
    () => ({ url, program }),
    () => {
      program.kill()
      return null
    },
  )
}

async function redisOf(
  env: NodeJS.ProcessEnv,
  usual: string,
): Promise<{ readonly url: string; readonly program: ChildProcess | null } | string> {
  const given = env['REDIS_URL']
  if (given)
    return (await isThere(given, 6379))
      ? { url: given, program: null }
      : `Redis: nothing answers at REDIS_URL ${new URL(given).host}. Start it, or leave REDIS_URL out: one of this machine is found or started.`
  if (await isThere(usual, 6379)) return { url: usual, program: null }
  return (
    (await startRedis(env))
    ?? `Redis: none answers at ${new URL(usual).host} and \`redis-server\` is not installed. Install it (apt install redis-server, brew install redis), or name one: REDIS_URL=redis://HOST:6379`
  )
}

/** Creates the database if it does not exist. Resolves to why it cannot be used; null when it can. */
async function databaseFaultOf(url: string): Promise<string | null> {
  const name = new URL(url).pathname.slice(1)
  const fault = await ask(url, 'select 1')
  if (fault?.code !== '3D000') return fault === null ? null : fault.message || String(fault.code)
  const made = await ask(
    Object.assign(new URL(url), { pathname: '/postgres' }).href,
    `create database ${pg.escapeIdentifier(name)}`,
  )
  return made === null ? null : made.message || String(made.code)
}

async function ask(
  connectionString: string,
  sql: string,
): Promise<{ readonly code?: string; readonly message: string } | null> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: LOOK_MS })
  try {
    await client.connect()
    await client.query(sql)
    return null
  } catch (error) {
    return error instanceof AggregateError ? error.errors[0] : (error as Error)
  } finally {
    await client.end().catch(() => {})
  }
}

async function databaseOf(env: NodeJS.ProcessEnv): Promise<{ readonly url: string } | string> {
  const given = env['DATABASE_URL']
  const url = new URL(withUser(given || `postgres://127.0.0.1:5432/${DATABASE}`, env['PGUSER']) ?? '')
  const fault = await databaseFaultOf(url.href)
  if (fault === null) return { url: url.href }
  const way = given
    ? 'Start it or correct DATABASE_URL'
    : 'Install and start it (apt install postgresql, brew install postgresql), or name one: DATABASE_URL=postgres://USER:PASSWORD@HOST/AN_EMPTY_DATABASE'
  return `PostgreSQL: ${url.host}${url.pathname} cannot be used (${fault}). ${way}.`
}

/**
 * Finds or starts what the cluster needs; `usualRedis` is tried when no Redis is named. Throws Missing with one line
 * for each thing that is not there.
 */
export async function clusterNeeds(env: NodeJS.ProcessEnv, usualRedis = REDIS_URL): Promise<ClusterNeeds> {
  const [database, redis] = await Promise.all([databaseOf(env), redisOf(env, usualRedis)])
  const stop = async (): Promise<void> => {
    if (typeof redis === 'string' || redis.program === null) return
    redis.program.kill()
    if (redis.program.exitCode === null) await once(redis.program, 'exit')
  }
  const missing = [database, redis].filter((one) => typeof one === 'string')
  if (typeof database === 'string' || typeof redis === 'string') {
    await stop()
    throw new Missing(missing.map((line) => `  ${line}`).join('\n'))
  }
  return { databaseUrl: database.url, redisUrl: redis.url, stop }
}
