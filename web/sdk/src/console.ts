/* oxlint-disable no-console -- the console of the host page is where its developer looks */
const NAME = '[Channel]'

/** What the developer of the host page is told. Never with a token in it. */
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
 * Calls what the host page gave. What that throws is the page's own error, and told as one; nothing here stops of it.
 */
export function callHost<A extends unknown[]>(callback: ((...values: A) => void) | undefined, ...values: A): void {
  try {
    callback?.(...values)
  } catch (error) {
    reportError(error)
  }
}
