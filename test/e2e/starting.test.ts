import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { systemClock } from '../../src/process/clock.ts'
import { lockDirectory } from '../../src/storage/engine/data-dir-lock.ts'
import { copyMigrated } from '../helpers/migrated-folder.ts'
import { signalGroup } from '../helpers/process-group.ts'
import { sized } from '../helpers/size.ts'
import { until, within } from '../helpers/until.ts'
import { NODE_ARGUMENTS } from '../helpers/short-lived.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const FREE = { PORT: '0', MEDIA_PORT: '0', MEDIA_CONTROL_PORT: '0', SANDBOX_PORT: '0', SHUTDOWN_DELAY_SECONDS: '0' }

/** Starts the gateway as a shell does, in a process group of its own. */
function start(t: ExecutionContext, env: Record<string, string>) {
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, MAIN], {
    env: { PATH: process.env['PATH'] ?? '', ...FREE, ...env },
    detached: true,
  })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    output.out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output.err += chunk.toString()
  })
  const closed = once(child, 'close') as Promise<[number | null]>
  const signal = (name: NodeJS.Signals): void => signalGroup(child.pid, name)
  t.teardown(() => {
    if (child.exitCode === null) signal('SIGKILL')
  })
  return { child, output, closed, signal }
}

async function folder(t: ExecutionContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cms-starting-'))
  t.teardown(() => rm(path, { recursive: true, force: true }))
  return path
}

async function takenPort(t: ExecutionContext): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return String((server.address() as AddressInfo).port)
}

/** The data directory of an earlier run, so that the start creates no tables. */
async function usedFolder(t: ExecutionContext): Promise<string> {
  const path = await folder(t)
  await copyMigrated(path)
  return path
}

async function failed(t: ExecutionContext, env: Record<string, string>): Promise<string> {
  const { output, closed } = start(t, { DATA_DIR: await usedFolder(t), ...env })
  const [code] = await within('the gateway ends', closed)
  t.is(code, 1)
  t.is(output.out, '', 'nothing else is said')
  return output.err
}

const PORTS = ['PORT', 'SANDBOX_PORT', 'MEDIA_PORT', 'MEDIA_CONTROL_PORT'].slice(0, sized(4, 1))

// [configuration.variables.1] [configuration.variables.7] [configuration.variables.13]
for (const variable of PORTS) {
  test.serial(
    `a start whose ${variable} is taken says so in one line, with the way out, and nothing else`,
    async (t) => {
      const port = await takenPort(t)
      t.is(
        await failed(t, { [variable]: port }),
        `${variable} ${port} is taken: stop the other program or set ${variable}\n`,
      )
    },
  )
}

// [nodes.sigterm.5]
test.serial(
  'a second SIGTERM ends a gateway that still drains at once, unless it comes within 2 s of the first',
  async (t) => {
    const { child, output, closed, signal } = start(t, {
      DATA_DIR: await usedFolder(t),
      SHUTDOWN_DELAY_SECONDS: '3600',
      DRAIN_SECONDS: '86400',
    })
    await until('it listens', () => output.out.includes('gateway listens'))
    const port = /"port":(\d+)/.exec(output.out)?.[1]
    const sinceMs = systemClock.monotonicMs()
    signal('SIGTERM')
    await until('it drains', () => output.out.includes('gateway stops'))
    t.is((await fetch(`http://127.0.0.1:${port}/health/ready`)).status, 503)
    await until('it ended', () => {
      if (child.exitCode === null) signal('SIGTERM')
      return child.exitCode !== null
    })
    t.true(systemClock.monotonicMs() - sinceMs > 2_000)
    t.deepEqual(await within('its output ends', closed), [1, null])
  },
)

test.serial('a start in a data directory that is in use, or that cannot be had, says so in one line', async (t) => {
  const path = await folder(t)
  const lock = await lockDirectory(path)
  t.teardown(() => lock.release())
  t.is(await failed(t, { DATA_DIR: path }), `${path} is in use by another process: stop it, or set another DATA_DIR\n`)
  t.regex(await failed(t, { DATA_DIR: join(path, 'lock', 'below a file') }), /^DATA_DIR: ENOTDIR[^\n]*\n$/)
})

test.serial('a start without its database says in one line which variable to correct', async (t) => {
  const secrets = { INTERNAL_SECRET: 'an internal secret', ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') }
  const told = await failed(t, { ...secrets, SANDBOX: 'on', DATABASE_URL: 'postgres://user:secret@127.0.0.1:9/none' })
  t.is(
    told,
    'DATABASE_URL: 127.0.0.1:9/none cannot be used, nothing listens there: start PostgreSQL or correct DATABASE_URL\n',
  )
})

test.serial(
  'a Redis that is away at the start is one warning, the service starts without it, and Ctrl-C, which reaches every program of the terminal, stops it quietly',
  async (t) => {
    const { output, closed, signal } = start(t, { DATA_DIR: await usedFolder(t), REDIS_URL: 'redis://127.0.0.1:9' })
    await until('it listens', () => output.out.includes('gateway listens'))
    signal('SIGINT')
    const [code] = await within('the gateway ends', closed)
    t.is(code, 0)
    t.is(output.err, '')
    const loud = loudLines(output.out)
    t.is(loud.length, 1, loud.join('\n'))
    t.regex(loud[0] ?? '', /REDIS_URL is not reachable/)
  },
)

test.serial('a terminal shows what a slow start is doing before the service listens', async (t) => {
  const command = [process.execPath, ...NODE_ARGUMENTS, MAIN].join(' ')
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', ...FREE, DATA_DIR: await usedFolder(t) },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let out = ''
  terminal.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  const closed = once(terminal, 'close')
  t.teardown(() => terminal.kill('SIGKILL'))
  await until('it listens', () => out.includes('gateway listens'))
  const stages = [...out.slice(0, out.indexOf('gateway listens')).matchAll(/^ {2}Starting: (.+) \.\.\.\r?$/gm)].map(
    ([, stage]) => stage,
  )
  t.deepEqual(stages, ['the database and its tables, the media host', 'queues, media hosts, pages'])
  // The character that Ctrl-C sends through a terminal.
  terminal.stdin.write('\u0003')
  await within('the gateway ends', closed)
})

/** The JSON lines of a log with level warn or higher. */
function loudLines(out: string): string[] {
  return out.split('\n').filter((line) => line.startsWith('{') && (JSON.parse(line) as { level: number }).level >= 40)
}

// [nodes.sigterm.1]
test.serial(
  'SIGTERM to the whole process group: requests are taken until balancers have seen that it is not ready, no child is started again, nothing alarming is logged',
  async (t) => {
    const { output, closed, signal } = start(t, { DATA_DIR: await usedFolder(t), SHUTDOWN_DELAY_SECONDS: '2' })
    const port = await until('it listens', () => /"port":(\d+)/.exec(output.out)?.[1])
    // Each request opens a connection of its own, because new connections must be accepted too.
    const answers: [ready: number, status: number][] = []
    const asking = (async () => {
      for (;;) {
        const [ready, live] = await Promise.all([
          statusOf(Number(port), '/health/ready'),
          statusOf(Number(port), '/health/live'),
        ])
        if (ready === null || live === null) return
        answers.push([ready, live])
        // A balancer removes a server after two failed checks.
        if (answers.filter(([seen]) => seen === 503).length === 2) return
      }
    })()
    await until('it is ready', () => answers.some(([ready]) => ready === 200))
    signal('SIGTERM')
    await asking
    const [code] = await within('the gateway ends', closed)
    t.is(code, 0)
    t.true(
      answers.some(([ready]) => ready === 503),
      'it said that it is not ready',
    )
    t.deepEqual(
      answers.filter(([, live]) => live !== 200),
      [],
      'and answered all the same',
    )
    t.is(output.err, '')
    t.deepEqual(loudLines(output.out), [])
  },
)

/** The status of an answer; null when the connection is refused. */
async function statusOf(port: number, path: string): Promise<number | null> {
  return await new Promise((resolve) => {
    get({ port, path, agent: false, host: '127.0.0.1' }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
    }).once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? null : -1))
  })
}

test.serial('a start by npm ends when npm alone is told to', async (t) => {
  const npm = spawn('npm', ['start'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      ...FREE,
      DATA_DIR: await usedFolder(t),
      NODE_OPTIONS: '',
    },
    detached: true,
  })
  let out = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
  const closed = once(npm, 'close')
  t.teardown(() => signalGroup(npm.pid, 'SIGKILL'))
  await until('it listens', () => out.includes('gateway listens'))
  npm.kill('SIGTERM')
  // The output closes only when the last of its programs has ended.
  await within('npm and all that it started end', closed)
  t.true(out.includes('gateway stops'), out)
})
