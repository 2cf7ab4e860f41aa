import { ConfigError, readSandboxConfig } from '../src/config.ts'
import { createLog } from '../src/process/log.ts'
import { startSandbox } from './start.ts'

try {
  const { port, bridgeToken, autopair, logLevel } = readSandboxConfig(process.env)
  const log = createLog('sandbox', logLevel)
  const sandbox = await startSandbox({ host: '127.0.0.1', port, bridgeToken, autopair, log })
  const stop = (): void => {
    void sandbox.close().finally(() => process.exit(0))
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  // As a child it serves its parent alone, and ends with it.
  process.once('disconnect', stop)
  process.send?.({ type: 'listening', port: sandbox.port })
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : `The sandbox did not start: ${String(error)}`}\n`)
  process.exit(1)
}
