import test from 'ava'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Receiver, verified } from '../helpers/receiver.ts'
import { startFileHost } from '../helpers/file-host.ts'
import { until, within } from '../helpers/until.ts'
import { NODE_ARGUMENTS } from '../helpers/short-lived.ts'

const PROGRAM = fileURLToPath(new URL('../../tools/listen/listen.ts', import.meta.url))
const EVENT = {
  id: `evt_${'0'.repeat(26)}`,
  event: 'number.connected',
  channelNumberId: 'num_1',
  timestamp: '2026-01-02T03:04:05.000Z',
  data: { name: 'Sales' },
}

function run(args: readonly string[]) {
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, PROGRAM, ...args])
  const written = { out: '', err: '' }
  child.stdout.on('data', (chunk) => void (written.out += String(chunk)))
  child.stderr.on('data', (chunk) => void (written.err += String(chunk)))
  return { child, written, ended: once(child, 'close').then(([code]) => code as number | null) }
}

test('it shows events as JSON lines, forwards them signed with a secret it made, and names the last one at its end', async (t) => {
  const host = await startFileHost(t, (request, response) => {
    const isFirst = !String(request.url).includes('after=')
    response.end(JSON.stringify({ events: isFirst ? [EVENT] : [] }))
  })
  const receiver = await Receiver.open()
  t.teardown(() => receiver.close())
  const { child, written, ended } = run([
    '--key',
    'cms_x',
    '--url',
    host.origin,
    '--all',
    '--json',
    '--forward',
    receiver.endpoint('/hook'),
  ])
  t.teardown(() => child.kill('SIGKILL'))
  await until('the forwarded event is told of', () => written.err.includes('forwarded evt_'))
  child.kill('SIGINT')
  t.is(await within('the program ends', ended), 0)
  t.deepEqual(
    written.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
    [EVENT],
  )
  const [arrival] = receiver.arrivals
  const secret = /whsec_\S+/.exec(written.err)?.[0] ?? ''
  if (arrival) t.deepEqual(verified(arrival, secret), EVENT)
  t.true(written.err.includes(`--after ${EVENT.id}`))
})

test('a wrong command line ends with 1 and says how it goes, --help with 0', async (t) => {
  const wrong = run(['--key', 'nonsense'])
  t.is(await within('the program ends', wrong.ended), 1)
  t.regex(wrong.written.err, /begins with cms_[^]*usage: npm run listen/)
  const help = run(['--help'])
  t.is(await within('the program ends', help.ended), 0)
  t.regex(help.written.out, /^usage: npm run listen/)
})
