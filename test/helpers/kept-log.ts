import type { Log } from '../../src/ports/log.ts'

/** A log that keeps its lines. */
export class KeptLog implements Log {
  readonly lines: {
    readonly level: 'debug' | 'info' | 'warn' | 'error'
    readonly fields: object
    readonly message: string
  }[] = []

  readonly debug = (fields: object, message: string): void => void this.lines.push({ level: 'debug', fields, message })
  readonly info = (fields: object, message: string): void => void this.lines.push({ level: 'info', fields, message })
  readonly warn = (fields: object, message: string): void => void this.lines.push({ level: 'warn', fields, message })
  readonly error = (fields: object, message: string): void => void this.lines.push({ level: 'error', fields, message })
  readonly child = (): Log => this

  text(): string {
    return JSON.stringify(this.lines)
  }
}
