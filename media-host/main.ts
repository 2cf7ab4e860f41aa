import { readMediaHostConfig } from '../src/config.ts'
import { failStart, onEnd } from '../src/process/child.ts'
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
  onEnd(() => void running.close().finally(() => process.exit(0)))
  const { mediaPort, controlPort } = running
  // As a child it tells its parent, which tells all ports in one line.
  if (process.send) process.send({ type: 'listening', mediaPort, controlPort })
  else log.info({ mediaPort, controlPort }, 'media host listens')
} catch (error) {
  failStart('The media host', error)
}
