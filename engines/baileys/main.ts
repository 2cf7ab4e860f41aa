/**
 * The engine for QR-paired numbers: `node main.ts`; `node main.ts doctor` checks what it needs, and `node main.ts move`
 * carries its store between SQLite and PostgreSQL. Its environment is described in process/config.ts.
 */
import { shrinkBufferPool } from './process/buffer-pool.ts'
import { hostname } from 'node:os'
import { onEnd } from '../../src/process/child.ts'
import { systemClock } from '../../src/process/clock.ts'
import { openTraces } from '../../src/process/open-traces.ts'
import { type Config, readConfig, StartFault } from './process/config.ts'
import { runDoctor } from './doctor/doctor.ts'
import { createLog, errorFields, type Log } from './process/log.ts'
import { startWorkers } from './process/workers.ts'
import { shareStorages } from './socket/one-storage.ts'
import { silenceLibraries } from './socket/silence.ts'
import { startEngine } from './start.ts'

/** our choice: ms that a stop may take beyond the time of DRAIN_SECONDS before the process ends anyway. */
const STOP_MS = 20_000

async function run(): Promise<void> {
  silenceLibraries()
  shareStorages()
  shrinkBufferPool()
  // The reader of the log may go; the engine stays.
  process.stdout.on('error', () => {})
  const config = readConfig(process.env)
  if (process.argv[2] === 'doctor') process.exit(await runDoctor(config, printLine))
  if (process.argv[2] === 'move') process.exit(await move(config, process.argv.slice(3)))
  const log = createLog(config.logLevel, (line) => void process.stdout.write(line))
  if (config.workers !== 1) return await runWorkers(config, log)
  const recorder = { program: 'engine', instance: `${hostname()}-${process.pid}` }
  const traces = await openTraces(config.traces, recorder, systemClock)
  const engine = await startEngine(config, log, traces)
  log.info({ host: config.host, port: engine.port }, 'engine listens')
  process.send?.({ type: 'listening', port: engine.port })
  endWith(config, async () => {
    await engine.drain().catch((error: unknown) => log.error(errorFields(error), 'numbers were not handed over'))
    await engine.close()
    await traces.close()
  })
}

async function runWorkers(config: Config, log: Log): Promise<void> {
  // Workers that listen may be told to end before all of them do.
  const starting = startWorkers(config, process.env, log)
  endWith(config, async () => (await starting).stop())
  log.info({ host: config.host, ports: (await starting).ports }, 'engines listen')
}

/** Ends the process in order when it is told to; told once more, it goes on. */
function endWith({ drainMs }: Config, end: () => Promise<void>): void {
  let isEnding = false
  onEnd(() => {
    if (isEnding) return
    isEnding = true
    setTimeout(() => process.exit(1), drainMs + STOP_MS).unref()
    void end().then(() => process.exit(0))
  })
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function move(config: Config, words: readonly string[]): Promise<number> {
  // Loaded only where it is used, with its client of PostgreSQL.
  const { runMove } = await import('./move/command.ts')
  return runMove(config, words, printLine)
}

run().catch((error: unknown) => {
  const line = error instanceof StartFault ? error.message : String(error instanceof Error ? error.stack : error)
  if (process.send) process.send({ type: 'failed', line }, () => process.exit(1))
  else {
    process.stderr.write(`${line}\n`)
    process.exit(1)
  }
})
