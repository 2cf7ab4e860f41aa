import { pino } from 'pino'
import type { Log } from '../ports/log.ts'

/** Field names that never reach a log, wherever they stand (style: Logs). */
const SECRET_FIELDS = ['token', 'key', 'raw', 'secret', 'authorization', 'credentials', 'password', 'number', 'peerNumber', 'text', 'body']
const REDACTED = SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

/** Makes a program's log: JSON lines on stdout. */
export function createLog(program: string, level: string): Log {
  return pino({
    level,
    base: { program },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED, censor: '[redacted]' },
  })
}
