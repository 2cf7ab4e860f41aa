import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openWindow } from './engine-window.ts'
import { Rest } from './rest.ts'

const ENGINE = fileURLToPath(new URL('../../engines/baileys', import.meta.url))

/** The engine and the offline network that it connects to. */
export interface EnginePrograms {
  /** The value of DEVICE_BRIDGE_URL for the gateway. */
  readonly bridgeUrl: string
  /**
   * The text of the code that the engine showed last, because the demo's phone has no camera; null before the first.
   */
  readonly code: () => string | null
  /** The authorization of each fetch of a received media file, in order; null for a fetch without one. */
  readonly fetchedBy: readonly (string | null)[]
  /** The control interface of the offline network. */
  readonly network: Rest
  readonly networkUrl: string
  stop(): void
}

/** The offline network, which runs as a program of its own. */
export interface NetworkProgram {
  readonly controlUrl: string
  readonly socketUrl: string
  /** The root key that it identifies itself with, in hexadecimal. */
  readonly rootKey: string
  /** Path of the certificate authority of its media host. */
  readonly caFile: string
  stop(): void
}

export interface EngineSettings {
  readonly dataDir: string
  readonly token: string
  readonly url: string
  /** More of its environment. */
  readonly env?: Readonly<Record<string, string>>
}

/** The engine, which runs as a program of its own. */
export interface EngineProgram {
  /** The port that it listens on, on loopback. */
  readonly port: number
  readonly pid: number
  stop(): void
  /** Kills the engine with SIGKILL; resolves once it is gone. */
  kill(): Promise<void>
  /** Ends the engine with SIGTERM; resolves to its exit code once it is gone. */
  end(): Promise<number | null>
}

function start(file: string, env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(ENGINE, file)], {
    // Both programs end when their input closes, which happens when this program ends.
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  return child
}

/** The first line of JSON that `read` accepts. */
async function told<T>(
  name: string,
  child: ChildProcess,
  read: (line: Record<string, unknown>) => T | null,
): Promise<T> {
  if (!child.stdout) throw new Error(`${name} has no output`)
  const lines = createInterface({ input: child.stdout })
  return await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
    lines.on('line', (line) => {
      const value = read(JSON.parse(line) as Record<string, unknown>)
      if (value !== null) resolve(value)
    })
  })
}

/** Installs the engine's packages when they are missing. */
export async function installEngine(): Promise<void> {
  const child = spawn(process.execPath, [join(ENGINE, '../install.ts')], { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('the engine could not be installed')
}

/** Starts the offline network on free ports. It ends with this program. */
export async function startNetworkProgram(): Promise<NetworkProgram> {
  const child = start('test/network/main.ts', { NETWORK_FOLLOW_STDIN: '1' })
  const addresses = await told(
    'the offline network',
    child,
    (line) => line as Record<'controlUrl' | 'socketUrl' | 'rootKey' | 'caFile', string>,
  )
  return { ...addresses, stop: () => void child.kill() }
}

/**
 * Starts the engine on a free port, with what an earlier engine left in `dataDir`. It trusts only the offline network.
 * `url` is where gateways reach it.
 */
export async function startEngineProgram(
  { socketUrl, rootKey, caFile }: NetworkProgram,
  { dataDir, token, url, env = {} }: EngineSettings,
): Promise<EngineProgram> {
  const child = start('test/engine-main.ts', {
    ENGINE_PORT: '0',
    ENGINE_TOKEN: token,
    ENGINE_DATA_DIR: dataDir,
    ENGINE_FOLLOW_STDIN: '1',
    ENGINE_SOCKET_URL: socketUrl,
    NETWORK_ROOT_KEY: rootKey,
    NODE_EXTRA_CA_CERTS: caFile,
    ENGINE_URL: url,
    ...env,
  })
  const port = await told('the engine', child, ({ msg, port: listening }) =>
    msg === 'engine listens' ? Number(listening) : null,
  )
  const gone = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
    return child.exitCode
  }
  return {
    port,
    pid: child.pid ?? 0,
    stop: () => void child.kill(),
    kill: async () => void (await gone('SIGKILL')),
    end: () => gone('SIGTERM'),
  }
}

/** Starts the offline network and the engine, on free ports. */
export async function startEngine(dataDir: string, bridgeToken: string): Promise<EnginePrograms> {
  const network = await startNetworkProgram()
  const window = await openWindow()
  const engine = await startEngineProgram(network, { dataDir, token: bridgeToken, url: `http://${window.host}` })
  window.leadTo(engine.port)
  return {
    bridgeUrl: `ws://${window.host}`,
    code: window.code,
    fetchedBy: window.fetchedBy,
    network: new Rest(network.controlUrl),
    networkUrl: network.controlUrl,
    stop() {
      window.close()
      engine.stop()
      network.stop()
    },
  }
}
