/**
 * A pairing code in two halves, as it is read and typed ([pages.states.3], `ABCD-EFGH`). A code that has parts already
 * stays unchanged. Pure.
 */
export function grouped(code: string): string {
  return /^[0-9A-Z]{8}$/i.test(code) ? `${code.slice(0, 4)}-${code.slice(4)}` : code
}
