/** The gateway as a process: its environment, its signals, its end. */
import { readConfig } from './config.ts'
import { createCore } from './gateway/core.ts'
import { openGateway } from './gateway/gateway.ts'
import { nodeNameOf } from './gateway/node-name.ts'
import { welcomeCard } from './gateway/welcome-card.ts'
import { failStart, onEnd } from './process/child.ts'
import { boundHeapGrowth } from './process/heap-growth.ts'
import { systemClock } from './process/clock.ts'
import { createLog } from './process/log.ts'
import { openTraces } from './process/open-traces.ts'
import { faultLine } from './process/start-fault.ts'

/** A second signal this much later ends the process at once; sooner it is the same wish said twice. */
const IMPATIENT_MS = 2_000

async function main(): Promise<void> {
  boundHeapGrowth()
  const config = readConfig(process.env)
  const nodeId = await nodeNameOf(config)
  const log = createLog('gateway', config.logLevel, nodeId)
  const recorder = { program: 'gateway', instance: nodeId }
  const traces = await openTraces(config.traces, recorder, systemClock)
  const core = createCore(config, { nodeId, log, traces }, (line) => {
    process.stderr.write(`${line}\n`)
    void stop(line, 1)
  })
  core.closing.add('traces', () => traces.close())
  let stoppingSinceMs: number | null = null

  async function stop(reason: string, code = 0): Promise<void> {
    if (stoppingSinceMs !== null) {
      if (core.clock.monotonicMs() - stoppingSinceMs > IMPATIENT_MS) process.exit(1)
      return
    }
    stoppingSinceMs = core.clock.monotonicMs()
    log.info({ reason }, 'gateway stops')
    setTimeout(() => process.exit(1), config.drainMs).unref()
    // Ctrl-C comes from a terminal, which no balancer stands before.
    await core.closing.run({ isGentle: reason === 'SIGTERM' || reason === 'parent' })
    process.exit(code)
  }

  onEnd((reason) => void stop(reason))
  process.on('unhandledRejection', (error) =>
    log.error({ error: String(error) }, 'a promise was rejected and nothing handled it: a fault of the service'),
  )
  try {
    const opened = await openGateway(core, (stage) => {
      if (process.stderr.isTTY) process.stderr.write(`  Starting: ${stage} ...\n`)
    })
    const { listening } = opened
    process.stdout.write(welcomeCard(opened, process.stdout.isTTY))
    log.info({ ...listening }, 'gateway listens')
    process.send?.({ type: 'listening', ...listening })
  } catch (error) {
    // What a start trips over that is being ended is no fault.
    if (stoppingSinceMs !== null) return
    if (faultLine(error) === null)
      log.error({ error: error instanceof Error ? error.stack : String(error) }, 'gateway could not start')
    await core.closing.run()
    failStart('The gateway', error)
  }
}

try {
  await main()
} catch (error) {
  failStart('The gateway', error)
}
