/**
 * `npm run engine:check`: checks whether an engine speaks the device bridge protocol as a gateway needs it (see USAGE).
 */
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts'
import { systemClock } from '../../src/process/clock.ts'
import { createLog } from '../../src/process/log.ts'
import { isSound, lineOf, summaryOf, type Finding } from './finding.ts'
import { readOptions, USAGE, UsageError, type CheckOptions } from './options.ts'
import { runChecks } from './run.ts'

/** Whoever runs this chose the address of the control route, so no address is blocked. */
const ANYWHERE = ['0.0.0.0/0', '::/0']
/** Timers of the clock do not keep the process alive, and between two sockets nothing else may; this interval does. */
const ALIVE_MS = 60_000

function write(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function check(options: CheckOptions): Promise<boolean> {
  const log = createLog('engine-check', 'silent')
  const fetchUrl = createGuardedFetch({ egressAllow: ANYWHERE, clock: systemClock })
  const alive = setInterval(() => {}, ALIVE_MS)
  // With JSON output, stdout holds nothing but the findings.
  const tell = (text: string): void => void (options.isJson ? process.stderr.write(`${text}\n`) : write(text))
  const show = (finding: Finding): void => write(options.isJson ? JSON.stringify(finding) : lineOf(finding))
  try {
    const { findings, notAsked } = await runChecks({ options, clock: systemClock, log, fetchUrl, tell }, show)
    tell(summaryOf(findings, notAsked))
    return isSound(findings)
  } finally {
    clearInterval(alive)
    await fetchUrl.close()
  }
}

try {
  const options = readOptions(process.argv.slice(2))
  if (!options) process.stdout.write(USAGE)
  else if (!(await check(options))) process.exitCode = 1
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`${error.message}\n\n${USAGE}`)
  process.exitCode = 1
}
