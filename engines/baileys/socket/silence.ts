/**
 * Takes what libraries print by themselves off the output: the one for ratchets prints whole sessions, keys and all,
 * when it closes one.
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
