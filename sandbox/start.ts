import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Clock } from '../src/ports/clock.ts'
import type { Log } from '../src/ports/log.ts'
import { systemClock } from '../src/process/clock.ts'
import { createRouter } from './control/router.ts'
import { controlRoutes } from './control/routes.ts'
import { createBridgeServer } from './devices/bridge-server.ts'
import { DeviceNetwork } from './devices/network.ts'
import { createFaults } from './faults.ts'
import { createLedger } from './ledger.ts'
import { listenBounded } from './listening.ts'
import { ServedMedia } from './media/served-media.ts'
import { GraphServer } from './official/graph-server.ts'
import { OfficialPlatform } from './official/platform/platform.ts'

/** Our choice, ms: a client that was busy for minutes must not use a connection that is being closed. */
const KEEP_ALIVE_MS = 600_000

export interface SandboxOptions {
  /** The sandbox has no keys, so that it only listens on a loopback address. */
  readonly host: '127.0.0.1'
  /** Port; 0 picks a free one. */
  readonly port: number
  /** Token that gateways show on the device bridge; null admits any. */
  readonly bridgeToken: string | null
  /** True when the phone of each number scans every code 1 s after it is shown. */
  readonly autopair: boolean
  /** Origin whose pages may use the control API, beside those of the sandbox itself; null for none. */
  readonly pageOrigin?: string | null
  readonly clock?: Clock
  readonly log: Log
}

export interface Sandbox {
  readonly port: number
  /** Ends calls, closes sockets and the listener. Idempotent. */
  close(): Promise<void>
}

/**
 * Starts the simulated upstreams: the device bridge under `/devices`, the official platform under `/official`, files of
 * peers under `/media`, and `/control` to play the world around them.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host, port, bridgeToken, autopair, pageOrigin = null, clock = systemClock, log } = options
  const faults = createFaults()
  const ledger = createLedger()
  const served = new ServedMedia()
  const network = await DeviceNetwork.open({ clock, bridgeToken, autopair })
  const official = await OfficialPlatform.open(clock)
  const graph = new GraphServer({ platform: official, faults, ledger, clock, log })
  const bridge = createBridgeServer({ network, faults, ledger, clock, log, bridgeToken })

  function reset(): void {
    network.reset()
    official.reset()
    served.clear()
    faults.clear()
    ledger.clear()
  }

  const control = createRouter(
    controlRoutes({ network, official, faults, ledger, served, clock, reset }),
    pageOrigin,
    log,
  )
  const server = createServer((request, response) => {
    const { url = '/' } = request
    if (url.startsWith('/media/')) served.answer(url, response)
    else void (url.startsWith('/official') ? graph.listen(request, response) : control(request, response))
  })
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.on('upgrade', bridge.upgrade)
  const listeningPort = await listenBounded(server, { host, port, clock })
  return {
    port: listeningPort,
    async close() {
      if (!server.listening) return
      reset()
      bridge.close()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
