import { readSandboxConfig } from '../src/config.ts'
import { createLog } from '../src/process/log.ts'
import { startSandbox } from './start.ts'

const { port, bridgeToken, autopair, logLevel } = readSandboxConfig(process.env)
const log = createLog('sandbox', logLevel)
const sandbox = await startSandbox({ host: '127.0.0.1', port, bridgeToken, autopair, log })

async function stop(): Promise<void> {
  await sandbox.close()
  process.exit(0)
}

process.once('SIGTERM', stop)
process.once('SIGINT', stop)
// As a child it lives no longer than its parent.
process.once('disconnect', stop)
process.send?.({ type: 'listening', port: sandbox.port })
