import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { runGuide } from '../helpers/guide.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'
import { shownSecrets } from '../helpers/shown-secrets.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const WRITTEN = ['openai', 'pipeline', 'ivr'].map((name) => `${ROOT}/${name}-call.wav`)
const OF_LIVEKIT = `${ROOT}/livekit-call.wav`
/** Blocks that install, that stay, or that need a Python of their own. Other tests run what they start. */
const STAYING = ['npm ci', 'npm run example -- browser', 'python3 -m venv']

/** What test/examples/nextjs.test.ts runs: two builds cannot share the folder. */
const ELSEWHERE = ['npm run example -- nextjs']

test.after.always(() => [...WRITTEN, OF_LIVEKIT].forEach((path) => rmSync(path, { force: true })))

test('every line of docs/voice-bots.md does what it says', async (t) => {
  const { base, dataDir, ports } = await joinService()
  const { calls, output } = await runGuide({
    document: 'docs/voice-bots.md',
    instead: { 'localhost:3000': base.replace('http://', ''), 'localhost:3002': `127.0.0.1:${ports['sandboxPort']}` },
    env: { DATA_DIR: dataDir, SANDBOX: 'on', PORT: '0' },
    without: STAYING,
  })
  t.true(calls.length > 4)
  t.deepEqual(
    calls.filter(({ status }) => status === 0 || status >= 400),
    [],
    output.slice(-4_000),
  )
  for (const name of ['openai', 'pipeline', 'ivr'])
    t.regex(output, new RegExp(`The peer heard \\d+\\.\\d s of the call: ${name}-call\\.wav`))
  t.deepEqual(WRITTEN.map(existsSync), [true, true, true])
  t.regex(output, /model says "Hello[^]*key 9[^]*the call is over/)
  // A login link is printed to be opened.
  t.deepEqual(shownSecrets(output.replaceAll(/#lt_\S+/g, '')), [])
})

test('every line of docs/frameworks.md does what it says', async (t) => {
  const { output } = await runGuide({
    document: 'docs/frameworks.md',
    instead: { 'npm ci\n': '' },
    env: {},
    without: ELSEWHERE,
  })
  t.regex(output, /^The agent says: 5511990000005 answered: Are you open on Saturday\?$/m, output.slice(-4_000))
  t.regex(output, /The peer heard \d+\.\d s of the call: livekit-call\.wav/)
  t.true(existsSync(OF_LIVEKIT))
})

test('an example that is not there is answered with those that are', async (t) => {
  const child = spawn(process.execPath, ['examples/run.ts', 'toString'], { cwd: ROOT })
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  t.is(code, 1)
  t.regex(said, /usage: npm run example -- openai\|pipeline\|vonage\|ivr\|python\|livekit\|browser\|langchain\|nextjs/)
})

test('an example answers a paired number of a gateway that runs, until it ends', async (t) => {
  const service = await joinService()
  const number = await service.pairNumber()
  const child = spawn(process.execPath, ['examples/run.ts', 'pipeline'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], BASE: service.base, KEY: service.tenantKey, NUMBER_ID: number.id },
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += String(chunk)))
  const ended = once(child, 'exit')
  t.teardown(() => child.kill())
  await until('it says what to call', () => said.includes(`Call ${number.digits} from another phone`))
  const { status } = await service.control('POST', '/peers/5511990000001/calls', { to: number.digits })
  t.is(status, 201)
  await until('it hears the caller', () => said.includes('the caller speaks'))
  child.kill('SIGINT')
  t.deepEqual(await ended, [0, null])
  t.is((await service.api('GET', `/v1/numbers/${number.id}`, service.tenantKey)).body.voice, null)
})
