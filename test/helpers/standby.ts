import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

/** A PostgreSQL server and its standby, each a process with files of its own. */
export interface Standby {
  readonly primaryUrl: string
  readonly standbyUrl: string
  /** Kills the standby at once. */
  killStandby(): Promise<void>
  close(): Promise<void>
}

interface User {
  readonly uid?: number
  readonly gid?: number
}

/** The user that runs the servers, because they refuse to run as root; null when there is no such user. */
function runsAs(): User | null {
  if (process.getuid?.() !== 0) return {}
  try {
    const [uid, gid] = ['-u', '-g'].map((which) =>
      Number(execFileSync('id', [which, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] })),
    )
    return uid === undefined || gid === undefined ? null : { uid, gid }
  } catch {
    return null
  }
}

/** The folder of the newest PostgreSQL programs on this machine; null when there are none. */
function findPrograms(): string | null {
  const folders = [...globSync('/usr/lib/postgresql/*/bin').toSorted(), ...(process.env['PATH'] ?? '').split(':')]
  return (
    folders.findLast((folder) =>
      ['initdb', 'postgres', 'pg_basebackup'].every((name) => existsSync(join(folder, name))),
    ) ?? null
  )
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    client.connection.stream.destroy()
  }
}

/** Starts both servers; null when PostgreSQL is not installed. */
export async function startStandby(): Promise<Standby | null> {
  const [user, programs] = [runsAs(), findPrograms()]
  if (user === null || programs === null) return null
  const folder = mkdtempSync(join(tmpdir(), 'cms-standby-'))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const [primary, standby] = [join(folder, 'primary'), join(folder, 'standby')]
  const run = (program: string, ...given: string[]) =>
    execFileSync(join(programs, program), given, { ...user, cwd: folder, stdio: 'ignore', timeout: 120_000 })
  const servers: ChildProcess[] = []
  const stop = async (server: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
  const start = async (data: string): Promise<string> => {
    const port = await freePort()
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    servers.push(
      spawn(
        join(programs, 'postgres'),
        [
          '-D',
          data,
          '-p',
          String(port),
          '-c',
          'listen_addresses=127.0.0.1',
          '-c',
          'unix_socket_directories=',
          '-c',
          'fsync=off',
        ],
        { ...user, cwd: folder, stdio: 'ignore' },
      ),
    )
    await until('the server answers', () => answers(url))
    return url
  }
  // The servers are stopped immediately, because their data is discarded.
  const close = async (): Promise<void> => {
    for (const server of servers.toReversed()) await stop(server, 'SIGQUIT')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    run('initdb', '-D', primary, '-A', 'trust', '-U', 'postgres', '--no-sync')
    const primaryUrl = await start(primary)
    run('pg_basebackup', '-d', primaryUrl, '-D', standby, '-R', '-X', 'stream', '-c', 'fast', '--no-sync')
    const standbyUrl = await start(standby)
    return { primaryUrl, standbyUrl, close, killStandby: () => stop(servers[1], 'SIGQUIT') }
  } catch (error) {
    await close()
    throw error
  }
}
