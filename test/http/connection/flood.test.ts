import test, { type ExecutionContext } from 'ava'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { BoundedServerNews } from '../../helpers/bounded-server.ts'
import { until, within } from '../../helpers/until.ts'

/**
 * In MiB. The application uses 60 at rest. If it kept one more document of 900 KB for each of 100 clients, the memory
 * would not suffice.
 */
const HEAP_MEBIBYTES = 128

interface Bounded {
  readonly child: ChildProcess
  readonly port: number
  readonly key: string
  /** The number of requests answered so far. */
  readonly answered: () => number
}

/** Starts the REST application in a process with little memory. */
async function start(t: ExecutionContext): Promise<Bounded> {
  const child = fork(new URL('../../helpers/bounded-server.ts', import.meta.url), [], {
    execArgv: [`--max-old-space-size=${HEAP_MEBIBYTES}`, '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  let answered = 0
  child.on('message', (news: BoundedServerNews) => {
    if ('answered' in news) answered = news.answered
  })
  const [first] = (await within('the server is there', once(child, 'message'))) as [
    Extract<BoundedServerNews, { port: number }>,
  ]
  return { child, port: first.port, key: first.key, answered: () => answered }
}

/** Opens connections that all send the same text and never read. */
function flood(t: ExecutionContext, port: number, connections: number, text: string): readonly Socket[] {
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.pause()
    socket.write(text)
    return socket
  })
  t.teardown(() => sockets.forEach((socket) => socket.destroy()))
  return sockets
}

test('a stranger with 240 connections who asks each for 8 documents, and reads none, is none the worse for others: the process has its memory and answers (security case 1)', async (t) => {
  const { child, port, answered } = await start(t)
  flood(t, port, 240, 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(8))
  await until(
    'each connection had an answer',
    () => answered() >= 240 || child.exitCode !== null || child.signalCode !== null,
  )
  t.is(child.exitCode ?? child.signalCode, null)
  t.is((await fetch(`http://127.0.0.1:${port}/health/live`)).status, 200)
})
