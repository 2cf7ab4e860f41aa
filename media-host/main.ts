import { ConfigError, readMediaHostConfig } from '../src/config.ts'
import { createLog } from '../src/process/log.ts'
import { createMetrics } from '../src/process/metrics.ts'
import { startMediaHost } from './start.ts'

try {
  const config = readMediaHostConfig(process.env)
  const log = createLog('media-host', config.logLevel)
  process.on('uncaughtException', (error) => {
    log.error({ name: error.name, stack: error.stack }, 'the media host failed')
    process.exit(1)
  })
  const running = await startMediaHost(config, log, createMetrics())
  const stop = (): void => {
    void running.close().finally(() => process.exit(0))
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  // As a child it serves its parent alone, and ends with it.
  process.once('disconnect', stop)
  process.send?.({ type: 'listening', mediaPort: running.mediaPort, controlPort: running.controlPort })
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : `The media host did not start: ${String(error)}`}\n`)
  process.exit(1)
}
