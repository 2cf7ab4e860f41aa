/** A new key of a send: 128 random bits as hex. `crypto.randomUUID` is not there on plain http. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
