import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext, registerCompletionHandler } from 'ava'
import { startEngineProcess, TOKEN } from './helpers/engine-process.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import type { Network } from './network/network.ts'
import { networkFor } from './network/started.ts'

registerCompletionHandler(() => process.exit())

const PROGRAM = fileURLToPath(new URL('../../../tools/engine-check/engine-check.ts', import.meta.url))
const ANA = '5511999990001'
const BIA = '5511999990002'
/** Seconds. An overloaded machine still answers within this time. */
const PATIENCE_SECONDS = 120

interface Finding {
  readonly name: string
  readonly verdict: string
  readonly seen: string
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Serves a control route. A phone of the network scans the code that a request contains. */
async function scanRoute(t: ExecutionContext, network: Network): Promise<string> {
  const server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      const { number, qr } = JSON.parse(body) as { number: string; qr: string }
      await network.phone(number).scan(qr)
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/scan`
}

/** Runs the check as a program, as an operator does. */
async function check(
  t: ExecutionContext,
  args: readonly string[],
): Promise<{ findings: Finding[]; code: number | null; err: string }> {
  const child = spawn(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    PROGRAM,
    '--json',
    '--patience',
    String(PATIENCE_SECONDS),
    ...args,
  ])
  t.teardown(() => void child.kill('SIGKILL'))
  const written = { out: '', err: '' }
  child.stdout.on('data', (chunk) => void (written.out += String(chunk)))
  child.stderr.on('data', (chunk) => void (written.err += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return {
    findings: written.out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Finding),
    code,
    err: written.err,
  }
}

test('engine:check passes: pairing, resuming, sending once, messages told until they are acknowledged, logout; audio of calls is refused clearly', async (t) => {
  t.timeout(300_000)
  const network = await networkFor(t)
  const engine = await startEngineProcess(t, network, temporaryFolder(t))
  const bia = network.phone(BIA, 'Bia')
  const replied = bia
    .find(({ text }) => text?.includes('please write something back') === true, PATIENCE_SECONDS * 1_000)
    .then(() => bia.text(ANA, 'here I am'))
  replied.catch(() => {})
  const { findings, code, err } = await check(t, [
    '--url',
    `ws://127.0.0.1:${engine.port}`,
    '--token',
    TOKEN,
    '--number',
    ANA,
    '--scan-url',
    await scanRoute(t, network),
    '--peer',
    BIA,
    '--reply',
    '--calls',
  ])
  t.deepEqual(
    findings.filter(({ verdict }) => verdict !== 'holds' && verdict !== 'passed'),
    [],
    err,
  )
  t.is(code, 0)
  t.regex(findings.find(({ name }) => name === 'call.offer')?.seen ?? '', /^CALL_AUDIO_UNSUPPORTED/)
  t.is(network.devices(ANA).length, 0, 'the check leaves no linked device')
})
