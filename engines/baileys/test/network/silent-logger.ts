/** A logger that says nothing: what the library tells of its inside is not ours to print. */
type Logger = { level: string; child(fields: Record<string, unknown>): Logger } & Record<
  'trace' | 'debug' | 'info' | 'warn' | 'error',
  (fields: unknown, text?: string) => void
>

const nothing = (): void => undefined

export const silent: Logger = {
  level: 'silent',
  child: () => silent,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
}

/** Silences what libsignal writes to the console by itself: whole sessions, private keys among them. */
export function silenceConsole(): void {
  Object.assign(globalThis.console, { info: nothing, warn: nothing, error: nothing })
}
