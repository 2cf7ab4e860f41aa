import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { ExecutionContext } from 'ava'
import type { Network } from '../network/network.ts'

export const TOKEN = 'token-of-the-tests'

/** An engine in a process of its own, started as in service except for the network it trusts. */
export interface EngineProcess {
  readonly port: number
  readonly pid: number
  /** Kills the engine with SIGKILL; resolves once it is gone. */
  kill(): Promise<void>
  /** Ends the engine with SIGTERM; resolves to its exit code. */
  stop(): Promise<number | null>
  /** Resolves to its exit code once it is gone. */
  readonly gone: Promise<number | null>
  /** The messages of its log. */
  readonly said: readonly string[]
}

const ENTRY = new URL('../engine-main.ts', import.meta.url).pathname

/**
 * Starts an engine on a folder and a free port. It is killed when the test is over, and ends with this process or
 * thread however that ends.
 */
export async function startEngineProcess(
  t: Pick<ExecutionContext, 'teardown'>,
  network: Pick<Network, 'socketUrl' | 'rootKey'>,
  dataDir: string,
  env: Record<string, string> = {},
): Promise<EngineProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ENTRY], {
    env: {
      PATH: process.env['PATH'],
      ENGINE_PORT: '0',
      ENGINE_TOKEN: TOKEN,
      ENGINE_DATA_DIR: dataDir,
      ENGINE_SOCKET_URL: network.socketUrl,
      NETWORK_ROOT_KEY: network.rootKey,
      ENGINE_FOLLOW_STDIN: '1',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.teardown(() => void child.kill('SIGKILL'))
  const said: string[] = []
  const port = await portOf(child, said)
  const exit = once(child, 'exit') as Promise<[number | null]>
  return {
    said,
    gone: exit.then(([code]) => code),
    port,
    pid: child.pid ?? 0,
    async kill() {
      child.kill('SIGKILL')
      await exit
    },
    async stop() {
      child.kill('SIGTERM')
      return (await exit)[0]
    },
  }
}

async function portOf(child: ChildProcess, said: string[]): Promise<number> {
  const lines = createInterface({ input: child.stdout! })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the engine ended with ${code}`)))
    lines.on('line', (line) => {
      if (process.env['TEST_ENGINE_LOG'] === '1') process.stderr.write(`${line}\n`)
      const parsed = JSON.parse(line) as { msg?: string; port?: number }
      said.push(parsed.msg ?? '')
      if (parsed.msg === 'engine listens') resolve(parsed.port ?? 0)
    })
  })
}
