/**
 * Encrypts secrets at rest (raw keys, device state, replayed answers). `context` names what the text belongs to (for
 * example `api-key:key_...`) and is authenticated with it: a cipher text moved to another row does not open.
 */
export interface Cipher {
  seal(plain: string, context: string): string
  /** Throws when the text was tampered with, moved, or sealed by another key. */
  open(sealed: string, context: string): string
  /** True when the key that seals now opens it; otherwise it must be sealed anew. */
  isCurrent(sealed: string, context: string): boolean
  /**
   * Makes 32 bytes that are always the same for the same text and context, and tell nothing of the text to those
   * without the key.
   */
  token(text: string, context: string): Uint8Array
}
