import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import type { Network } from '../network/network.ts'
import { TOKEN } from './engine-process.ts'

const PROGRAM = fileURLToPath(new URL('../../../../tools/engine-check/engine-check.ts', import.meta.url))
/** In seconds: what the check waits for each answer. An overloaded machine still answers within this time. */
export const PATIENCE_SECONDS = 120

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

/** Serves a control route, which answers once it did what was posted; gives its address. */
export async function controlRoute<Posted>(
  t: Pick<ExecutionContext, 'teardown'>,
  act: (posted: Posted) => Promise<unknown>,
): Promise<string> {
  const server = createServer((request, response) => {
    void bodyOf(request)
      .then((body) => act(JSON.parse(body) as Posted))
      .then(
        () => response.end(),
        () => response.writeHead(500).end(),
      )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/act`
}

/** Serves the control route of phones: the number's phone scans the code that is posted. */
function scanRoute(t: Pick<ExecutionContext, 'teardown'>, network: Network): Promise<string> {
  return controlRoute<{ number: string; qr: string }>(t, ({ number, qr }) => network.phone(number).scan(qr))
}

/** Runs the check as a program, as an operator does. */
async function check(
  t: Pick<ExecutionContext, 'teardown'>,
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

export const ANA = '5511999990001'
export const BIA = '5511999990002'

/**
 * Checks the engine at `url` with the number ANA and its peer BIA, whose phones are simulated: all must hold that is
 * offered, and nothing stays linked. `also` are further arguments.
 */
export async function passes(
  t: ExecutionContext,
  { network, url, also }: { readonly network: Network; readonly url: string; readonly also: readonly string[] },
): Promise<Finding[]> {
  const scanUrl = await scanRoute(t, network)
  const args = ['--url', url, '--token', TOKEN, '--number', ANA, '--scan-url', scanUrl, '--peer', BIA, ...also]
  const { findings, code, err } = await check(t, args)
  t.deepEqual(
    findings.filter(({ verdict }) => verdict !== 'holds' && verdict !== 'passed'),
    [],
    err,
  )
  t.is(code, 0)
  t.is(network.devices(ANA).length, 0, 'the check leaves no linked device')
  return findings
}
