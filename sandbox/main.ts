import { readSandboxConfig } from '../src/config.ts'
import { failStart, onEnd } from '../src/process/child.ts'
import { createLog } from '../src/process/log.ts'
import { startSandbox } from './start.ts'

try {
  const { port, bridgeToken, autopair, pageOrigin, logLevel } = readSandboxConfig(process.env)
  const log = createLog('sandbox', logLevel)
  const sandbox = await startSandbox({ host: '127.0.0.1', port, bridgeToken, autopair, pageOrigin, log })
  let ended: Promise<void> | null = null
  onEnd(() => {
    ended ??= sandbox.close().finally(() => process.exit(0))
  })
  // A child process tells its parent, which logs all ports in one line.
  if (process.send) process.send({ type: 'listening', port: sandbox.port })
  else log.info({ port: sandbox.port }, 'sandbox listens')
} catch (error) {
  failStart('The sandbox', error)
}
