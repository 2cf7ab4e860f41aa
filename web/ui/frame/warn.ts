/* oxlint-disable no-console -- the console is where the developer of the host page looks */

/** Warns on the console of a wrong message from the host page. The text contains no token. */
export function warn(text: string): void {
  console.warn('[Channel]', text)
}
