/* oxlint-disable no-console -- the console of the host page is where its developer looks */
const NAME = '[Channel]'

/** Messages to the developer of the host page. None contains a token. */
export const say = {
  isDebugging: false,
  debug(text: string): void {
    if (this.isDebugging) console.debug(NAME, text)
  },
  warn(text: string): void {
    console.warn(NAME, text)
  },
  error(text: string): void {
    console.error(NAME, text)
  },
}

/**
 * Calls a callback of the host page. An error that it throws is the page's own: it is reported as one and stops nothing
 * here.
 */
export function callHost<A extends unknown[]>(callback: ((...values: A) => void) | undefined, ...values: A): void {
  try {
    callback?.(...values)
  } catch (error) {
    reportError(error)
  }
}
