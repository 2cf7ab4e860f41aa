/* oxlint-disable no-console -- the console is where the developer of the host page looks */

/** Says on the console what the page around this one said wrongly. Never with a token in it. */
export function warn(text: string): void {
  console.warn('[Channel]', text)
}
