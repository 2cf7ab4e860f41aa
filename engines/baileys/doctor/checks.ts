import { DEFAULT_CONNECTION_CONFIG, DEFAULT_ORIGIN, fetchLatestWaWebVersion } from 'baileys'
import { request as requestHttp } from 'node:http'
import { request as requestHttps, type Agent } from 'node:https'
import { WebSocket } from 'ws'
import { systemClock } from '../../../src/process/clock.ts'
import { StartFault, type Config } from '../process/config.ts'
import { createLog } from '../process/log.ts'
import { tunnel } from '../socket/proxy-agent.ts'
import { openStore, type StoreConfig, type StoreParts } from '../store/open-store.ts'

/** The finding of a check, and what to do about it. `warning` means that the engine runs, but not as it should. */
export interface Finding {
  readonly name: string
  readonly outcome: 'ok' | 'warning' | 'failed'
  readonly seen: string
  readonly todo?: string
}

/** our choice: how long a check waits for the other side, in ms. */
const WAIT_MS = 10_000
/** our choice: with a greater difference in ms, certificates are refused and messages get wrong times. */
const CLOCK_MS = 60_000

/** The address of the chat network's socket in this configuration. */
function networkUrl({ socketUrl }: Pick<Config, 'socketUrl'>): URL {
  return new URL(socketUrl ?? DEFAULT_CONNECTION_CONFIG.waWebSocketUrl)
}

/** A check holds no number, so it has nothing to tell. */
const LOOKER: StoreParts = { engineId: 'doctor', clock: systemClock, log: createLog('silent', () => {}) }

/** Checks that the store opens, and that its key is the one it was sealed with. */
export async function checkStore(config: StoreConfig): Promise<Finding> {
  const name = 'store'
  // The address is not told, because a password may stand in it.
  const place = config.databaseUrl === null ? config.dataDir : 'ENGINE_DATABASE_URL'
  try {
    const store = await openStore(config, LOOKER)
    try {
      const linked = await store.check()
      return { name, outcome: 'ok', seen: `${place}: ${linked} linked ${linked === 1 ? 'number' : 'numbers'}` }
    } catch {
      return {
        name,
        outcome: 'failed',
        seen: `${place}: what is in it cannot be opened`,
        todo: 'set ENGINE_KEY to the key it was sealed with, or restore engine.key beside it',
      }
    } finally {
      await store.close()
    }
  } catch (error) {
    const isRunning = error instanceof StartFault && /in use/.test(error.message)
    if (isRunning)
      return {
        name,
        outcome: 'warning',
        seen: `${place}: a running engine holds it`,
        todo: 'nothing, if that is this engine; to look inside, stop it first',
      }
    return {
      name,
      outcome: 'failed',
      seen: `${place}: cannot be opened`,
      todo: error instanceof Error ? error.message : 'make it a folder that this user may write',
    }
  }
}

/** Checks that the network's socket opens. */
export function checkNetwork(config: Config, agent: Agent | null): Promise<Finding> {
  const url = networkUrl(config)
  const name = 'network'
  const todo = `let this machine reach ${url.host}, or set ENGINE_PROXY`
  return new Promise((resolve) => {
    const ws = new WebSocket(url, {
      origin: DEFAULT_ORIGIN,
      handshakeTimeout: WAIT_MS,
      ...(agent && url.protocol === 'wss:' ? { agent } : {}),
    })
    ws.once('open', () => {
      ws.terminate()
      resolve({ name, outcome: 'ok', seen: `${url.host} opens its socket` })
    })
    ws.once('unexpected-response', (_request, { statusCode }) => {
      ws.terminate()
      resolve({
        name,
        outcome: 'failed',
        seen: `${url.host} answered ${statusCode}`,
        todo: statusCode === 429 ? 'wait a quarter of an hour: this address is throttled' : todo,
      })
    })
    ws.once('error', (error: Error & { code?: string }) =>
      resolve({ name, outcome: 'failed', seen: `${url.host}: ${error.code ?? error.message}`, todo }),
    )
  })
}

/** Checks that the clock agrees with that of the network's HTTP server. `now` gives ms since the epoch. */
export async function checkClock(config: Config, agent: Agent | null, now: () => number): Promise<Finding> {
  const url = networkUrl(config)
  const name = 'clock'
  const theirs = await dateAt(new URL(`${url.protocol === 'ws:' ? 'http' : 'https'}://${url.host}/`), agent)
  if (theirs === null)
    return {
      name,
      outcome: 'warning',
      seen: 'nobody told the time to compare with',
      todo: 'see that the clock is set (timedatectl, or NTP)',
    }
  const offsetS = Math.round((now() - theirs) / 1_000)
  if (Math.abs(offsetS) * 1_000 <= CLOCK_MS)
    return { name, outcome: 'ok', seen: `${Math.abs(offsetS)} s from the network's` }
  return {
    name,
    outcome: 'failed',
    seen: `${Math.abs(offsetS)} s ${offsetS > 0 ? 'ahead of' : 'behind'} the network's`,
    todo: 'set the clock: turn on NTP',
  }
}

/** `Date` of an answer (RFC 9110 section 6.6.1) in ms; null without one. */
function dateAt(url: URL, agent: Agent | null): Promise<number | null> {
  return new Promise((resolve) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp
    const request = open(
      url,
      { method: 'HEAD', timeout: WAIT_MS, ...(agent && url.protocol === 'https:' ? { agent } : {}) },
      (response) => {
        response.resume()
        const date = Date.parse(response.headers.date ?? '')
        resolve(Number.isNaN(date) ? null : date)
      },
    )
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(null))
    request.end()
  })
}

/** Compares the client build that the engine shows with the newest one. */
export async function checkBuild({ version, socketUrl }: Pick<Config, 'version' | 'socketUrl'>): Promise<Finding> {
  const name = 'client build'
  const own = (version ?? DEFAULT_CONNECTION_CONFIG.version).join('.')
  if (socketUrl !== null)
    return { name, outcome: 'ok', seen: `${own}; ENGINE_SOCKET_URL names a network whose builds nobody publishes` }
  const latest = await fetchLatestWaWebVersion({ signal: AbortSignal.timeout(WAIT_MS) })
  if (!latest.isLatest)
    return {
      name,
      outcome: 'warning',
      seen: `${own}; the newest one could not be asked for`,
      todo: 'nothing, unless the network refuses it (close code 405)',
    }
  const newest = latest.version.join('.')
  if (newest === own) return { name, outcome: 'ok', seen: `${own}, the newest` }
  return {
    name,
    outcome: 'warning',
    seen: `${own}; the newest is ${newest}`,
    todo: `nothing, unless the network refuses it (close code 405): then ENGINE_VERSION=${newest}`,
  }
}

/** Checks that the proxy opens a connection to the network. */
export async function checkProxy(config: Config): Promise<Finding> {
  const name = 'proxy'
  if (config.proxy === null) return { name, outcome: 'ok', seen: 'none' }
  const proxy = new URL(config.proxy)
  const url = networkUrl(config)
  try {
    const socket = await tunnel(config.proxy, { host: url.hostname, port: Number(url.port || 443) })
    socket.destroy()
    return { name, outcome: 'ok', seen: `${proxy.host} opens a way to ${url.hostname}` }
  } catch (error) {
    return {
      name,
      outcome: 'failed',
      seen: `${proxy.host}: ${error instanceof Error ? error.message : 'failed'}`,
      todo: 'see that ENGINE_PROXY names a proxy that lets CONNECT through, with its user and password',
    }
  }
}

/** Checks the token, because whoever reaches the bridge controls every number. */
export function checkToken({ token, host }: Pick<Config, 'token' | 'host'>): Finding {
  const name = 'token'
  if (token !== null) return { name, outcome: 'ok', seen: 'set' }
  return {
    name,
    outcome: 'warning',
    seen: `not set; every program that reaches ${host} may use every number`,
    todo: 'set ENGINE_TOKEN here, and DEVICE_BRIDGE_TOKEN to the same at the gateway',
  }
}
