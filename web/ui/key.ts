/** Makes a new key for a send: 128 random bits as hex. `crypto.randomUUID` does not exist on plain http. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
