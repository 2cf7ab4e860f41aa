/**
 * The offline network as a process of its own: `node engines/baileys/test/network/main.ts`. When it listens it prints
 * one line of JSON: {controlUrl, socketUrl, rootKey, caFile}. The engine is started by test/engine-main.ts with
 * ENGINE_SOCKET_URL=socketUrl, NETWORK_ROOT_KEY=rootKey, NODE_EXTRA_CA_CERTS=caFile. It ends with SIGTERM, or when its
 * standard input ends (NETWORK_FOLLOW_STDIN=1).
 */
import { openControl } from './control.ts'
import { openNetwork } from './network.ts'
import { silenceConsole } from './silent-logger.ts'

silenceConsole()
const network = await openNetwork()
const control = await openControl(network, Number(process.env['NETWORK_CONTROL_PORT'] ?? 0))
const { socketUrl, rootKey, caFile } = network

async function stop(): Promise<void> {
  await Promise.all([control.close(), network.close()])
  process.exit(0)
}

process.once('SIGTERM', () => void stop())
process.once('SIGINT', () => void stop())
if (process.env['NETWORK_FOLLOW_STDIN'] === '1') process.stdin.once('end', () => void stop()).resume()
process.stdout.write(`${JSON.stringify({ controlUrl: control.url, socketUrl, rootKey, caFile })}\n`)
