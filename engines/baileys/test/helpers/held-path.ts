import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { ExecutionContext } from 'ava'
import type { Network } from '../network/network.ts'

/** The way of an engine to the network, on which words can be held up. */
export interface HeldPath {
  /** The network as the engine finds it. */
  readonly network: Pick<Network, 'socketUrl' | 'rootKey'>
  /** Holds what comes over the connections of now from the engine; the network hears only that one is gone. */
  hold(): void
}

/** Opens a way to the network; it is closed when the test is over. */
export async function heldPath(t: Pick<ExecutionContext, 'teardown'>, network: Network): Promise<HeldPath> {
  const target = new URL(network.socketUrl)
  const open = new Map<Socket, Socket>()
  const server = createServer((engine) => {
    const onwards = connect(Number(target.port), target.hostname)
    open.set(engine, onwards)
    engine.on('data', (bytes) => onwards.write(bytes))
    onwards.pipe(engine)
    for (const socket of [engine, onwards]) {
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        engine.destroy()
        onwards.destroy()
        open.delete(engine)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.close()
    for (const engine of open.keys()) engine.destroy()
  })
  const url = new URL(network.socketUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    network: { socketUrl: url.href, rootKey: network.rootKey },
    hold() {
      for (const engine of open.keys()) engine.removeAllListeners('data').on('data', () => {})
    },
  }
}
