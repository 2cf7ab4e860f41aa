import { destination, pino } from 'pino'
import type { DestinationStream } from 'pino'
import type { Log } from '../ports/log.ts'
import { terminalLine } from './terminal-lines.ts'

/**
 * Field names that never reach a log. Only the top level is searched, because fields are flat by convention: searching
 * nested names took a tenth of a request's CPU (measured).
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
 * our choice: lines are written in groups, because one write a line was a fifth of a request's CPU (measured). A killed
 * process may lose the lines of its last FLUSH_MS; what must not be lost is in the database.
 */
const BUFFER_BYTES = 4_096
const FLUSH_MS = 100

/**
 * The stream that lines go to: unchanged, or readable where stdout is a terminal (our choice: a few lines of code
 * instead of a package with sixteen others).
 */
function lines(): DestinationStream {
  if (process.stdout.isTTY) return { write: (line) => void process.stdout.write(terminalLine(line)) }
  const out = destination({ dest: 1, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS })
  process.on('exit', () => out.flushSync())
  return out
}

/** Makes a program's log on stdout: JSON lines, or readable ones in a terminal. `nodeId` is given by gateways alone. */
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
