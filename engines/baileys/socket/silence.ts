/**
 * Stops libraries from printing by themselves: the one for ratchets prints whole sessions with their keys when it
 * closes one.
 */
export function silenceLibraries(): void {
  const nothing = (): void => {}
  Object.assign(globalThis.console, {
    log: nothing,
    info: nothing,
    debug: nothing,
    warn: nothing,
    error: nothing,
    trace: nothing,
    dir: nothing,
  })
}
