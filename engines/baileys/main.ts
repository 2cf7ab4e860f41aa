/**
 * The engine for QR-paired numbers: `node main.ts`; `node main.ts doctor` checks what it needs. Its environment is
 * described in process/config.ts.
 */
import { readConfig, StartFault } from './process/config.ts'
import { runDoctor } from './doctor/doctor.ts'
import { createLog } from './process/log.ts'
import { shareStorages } from './socket/one-storage.ts'
import { silenceLibraries } from './socket/silence.ts'
import { startEngine } from './start.ts'

/** our choice: ms that a stop may take before the process ends anyway. */
const STOP_MS = 10_000

async function run(): Promise<void> {
  silenceLibraries()
  shareStorages()
  // The reader of the log may go; the engine stays.
  process.stdout.on('error', () => {})
  const config = readConfig(process.env)
  if (process.argv[2] === 'doctor')
    process.exit(await runDoctor(config, (line) => void process.stdout.write(`${line}\n`)))
  const log = createLog(config.logLevel, (line) => void process.stdout.write(line))
  const engine = await startEngine(config, log)
  log.info({ host: config.host, port: engine.port }, 'engine listens')
  const stop = (): void => {
    setTimeout(() => process.exit(1), STOP_MS).unref()
    void engine.close().then(() => process.exit(0))
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

run().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof StartFault ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  )
  process.exit(1)
})
