import { destination, pino } from 'pino'
import type { DestinationStream } from 'pino'
import type { Log } from '../ports/log.ts'
import { terminalLine } from './terminal-lines.ts'

/**
 * Field names that never reach a log (style: Logs). Fields are flat by habit, so only the top level is looked at: with
 * nested names this net under the habit took a tenth of a request's CPU (measured).
 */
const SECRET_FIELDS = [
  'token',
  'key',
  'raw',
  'secret',
  'authorization',
  'credentials',
  'password',
  'number',
  'peerNumber',
  'text',
  'body',
]

/**
 * our choice: lines are written together, because one write a line was a fifth of a request's CPU (measured). A killed
 * process may lose the lines of this last stretch; what must not be lost is in the database.
 */
const BUFFER_BYTES = 4_096
const FLUSH_MS = 100

/**
 * Where lines go: as they are, or (our choice: a few lines of ours instead of a package with sixteen others) readable
 * where a person looks on.
 */
function lines(): DestinationStream {
  if (process.stdout.isTTY) return { write: (line) => void process.stdout.write(terminalLine(line)) }
  const out = destination({ dest: 1, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS })
  process.on('exit', () => out.flushSync())
  return out
}

/** Makes a program's log on stdout: JSON lines, readable ones in a terminal. `nodeId`: of a gateway. */
export function createLog(program: string, level: string, nodeId?: string): Log {
  return pino(
    {
      level,
      base: { program, ...(nodeId === undefined ? {} : { nodeId }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS, censor: '[redacted]' },
    },
    lines(),
  )
}
