import test from 'ava'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { NODE_ARGUMENTS } from '../helpers/short-lived.ts'
import { within } from '../helpers/until.ts'
import { SmallEngine, TOKEN } from './small-engine.ts'

const PROGRAM = fileURLToPath(new URL('../../tools/engine-check/engine-check.ts', import.meta.url))

async function run(args: readonly string[]) {
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, PROGRAM, ...args])
  const written = { out: '', err: '' }
  child.stdout.on('data', (chunk) => void (written.out += String(chunk)))
  child.stderr.on('data', (chunk) => void (written.err += String(chunk)))
  const [code] = (await within('the program ends', once(child, 'close'))) as [number | null]
  return { ...written, code }
}

// [engines.conformance.3]
test('it draws the code to scan, tells each check in lines, and ends with 0 when all hold', async (t) => {
  const engine = new SmallEngine()
  t.teardown(() => engine.close())
  const { out, code } = await run([
    '--url',
    await engine.listen(),
    '--token',
    TOKEN,
    '--number',
    '5511988887777',
    '--patience',
    '200',
  ])
  t.is(code, 0, out)
  t.regex(
    out,
    /^ok +handshake\.none +An upgrade without a bearer token is refused with 401 \[bridge\.socket\.2\]\.\n +seen: HTTP 401\n/,
  )
  t.regex(out, /█[^]*scan this with the phone\n/)
  t.regex(out, /\d+ hold, 0 fail, 0 not reached, 2 passed over, not asked for: [^]*--peer[^]*\n$/)
  t.false(out.includes('linked-'), 'credentials are not shown')
})

test('where something does not hold it ends with 1; as JSON each check is a line', async (t) => {
  const engine = new SmallEngine()
  t.teardown(() => engine.close())
  const { out, err, code } = await run([
    '--url',
    await engine.listen(),
    '--token',
    'another',
    '--json',
    '--patience',
    '200',
  ])
  t.is(code, 1)
  const findings = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { name: string; verdict: string; seen: string })
  t.deepEqual(
    findings.find(({ name }) => name === 'handshake.right'),
    {
      name: 'handshake.right',
      says: 'The right bearer token opens a WebSocket at /sessions/{numberId} [bridge.socket.2].',
      seen: 'the upgrade was refused: HTTP 401',
      verdict: 'fails',
    } as never,
  )
  t.regex(err, /1 fail, 2 not reached/)
})

test('a wrong command line ends with 1 and says how it goes, --help with 0', async (t) => {
  const wrong = await run(['--url', 'nonsense'])
  t.is(wrong.code, 1)
  t.regex(wrong.err, /--token is missing|--url takes[^]*usage: npm run engine:check/)
  const help = await run(['--help'])
  t.is(help.code, 0)
  t.regex(help.out, /^usage: npm run engine:check/)
})
