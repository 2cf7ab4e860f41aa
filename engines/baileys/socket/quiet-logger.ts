import type { ILogger } from 'baileys/lib/Utils/logger.js'

function nothing(): void {}

/** A log for the library that drops everything, because its lines carry credentials, stanzas and numbers. */
export const QUIET: ILogger = {
  level: 'silent',
  child: () => QUIET,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
}
