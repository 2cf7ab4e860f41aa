import { hostname } from 'node:os'
import { readMediaHostConfig } from '../src/config.ts'
import { thrownFields } from '../src/domain/thrown.ts'
import { failStart, onEnd } from '../src/process/child.ts'
import { systemClock } from '../src/process/clock.ts'
import { createLog } from '../src/process/log.ts'
import { openTraces } from '../src/process/open-traces.ts'
import { createMetrics } from '../src/process/metrics.ts'
import { createEnding } from './ending.ts'
import { startMediaHost } from './start.ts'
import { workerCount } from '../src/process/workers.ts'
import { startWorkers } from './workers.ts'

type Config = ReturnType<typeof readMediaHostConfig>
type Log = ReturnType<typeof createLog>

/** The running host: itself, or the processes it consists of. */
interface Running {
  readonly listening: {
    readonly mediaPort: number
    readonly controlPort: number
    readonly controlPorts?: readonly number[]
  }
  drain(): Promise<void>
  close(): Promise<void>
}

async function startAlone(config: Config, log: Log): Promise<Running> {
  const recorder = { program: 'media-host', instance: `${hostname()}-${process.pid}` }
  const traces = await openTraces(config.traces, recorder, systemClock)
  const host = await startMediaHost(
    { ...config, publicUrl: ofOne(config.publicUrl), advertiseControl: ofOne(config.advertiseControl) },
    { log, metrics: createMetrics(), traces },
  )
  return {
    listening: { mediaPort: host.mediaPort, controlPort: host.controlPort },
    drain: () => host.drain(),
    close: () => host.close().then(() => traces.close()),
  }
}

/** The text for worker 0, which a process alone is. */
function ofOne(url: string | null): string | null {
  return url?.replaceAll('{worker}', '0') ?? null
}

async function startSeveral(config: Config, log: Log): Promise<Running> {
  const environment = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  const workers = await startWorkers(config, environment, systemClock, log)
  const [mediaPort = 0, controlPort = 0] = [workers.mediaPorts[0], workers.controlPorts[0]]
  return {
    listening: { mediaPort, controlPort, controlPorts: workers.controlPorts },
    drain: () => workers.drain(),
    close: () => workers.close(),
  }
}

/** Drains when told to end. Without a parent nobody waits for that, so it closes. */
function endWhenAsked({ drain, close }: Running, drainMs: number): void {
  const ending = createEnding({ clock: systemClock, drainMs, drain, close, exit: () => process.exit(0) })
  onEnd((reason) => (reason === 'parent gone' ? ending.now() : ending.asked()))
}

try {
  const config = readMediaHostConfig(process.env)
  const log = createLog('media-host', config.logLevel)
  process.on('uncaughtException', (error) => {
    log.error(thrownFields(error), 'the media host failed')
    process.exit(1)
  })
  const running = await (workerCount(config.workers) === 1 ? startAlone : startSeveral)(config, log)
  endWhenAsked(running, config.drainMs)
  // A child reports its ports to its parent, which logs all of them in one line.
  if (process.send) process.send({ type: 'listening', ...running.listening })
  else log.info({ ...running.listening }, 'media host listens')
} catch (error) {
  failStart('The media host', error)
}
