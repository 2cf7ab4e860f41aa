/**
 * Lines of JSON on stdout. The message is static text and data goes into fields; bodies, phone numbers, keys and tokens
 * are never logged.
 */
const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LEVELS)[number]
export const LOG_LEVELS: readonly string[] = LEVELS

export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  child(fields: object): Log
}

/** Makes a log; `write` gets complete lines. */
export function createLog(level: LogLevel, write: (line: string) => void, base: object = { program: 'engine' }): Log {
  const line =
    (of: LogLevel) =>
    (fields: object, message: string): void => {
      if (LEVELS.indexOf(of) < LEVELS.indexOf(level)) return
      write(`${JSON.stringify({ level: of, time: new Date().toISOString(), ...base, ...fields, msg: message })}\n`)
    }
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    child: (fields) => createLog(level, write, { ...base, ...fields }),
  }
}

/** A log whose errors count only until the signal aborts: every step of what they tell of fails then. */
export function untilAborted(log: Log, signal: AbortSignal): Log {
  return { ...log, error: (fields, text) => (signal.aborted ? log.debug(fields, text) : log.error(fields, text)) }
}

/** The fields of an error that may be logged: its name and code. Its text may name people. */
export function errorFields(error: unknown): { error: string; code?: string } {
  if (!(error instanceof Error)) return { error: 'unknown' }
  const code =
    'code' in error && (typeof error.code === 'string' || typeof error.code === 'number')
      ? { code: String(error.code) }
      : {}
  return { error: error.name, ...code }
}
