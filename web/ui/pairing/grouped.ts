/**
 * A pairing code as it is read and typed: in two halves ([pages.states.3], `ABCD-EFGH`). One that is in parts already
 * stays as it is. Pure.
 */
export function grouped(code: string): string {
  return /^[0-9A-Z]{8}$/i.test(code) ? `${code.slice(0, 4)}-${code.slice(4)}` : code
}
