import { randomness } from './randomness.ts'

/** Our choice: 192 bits, written in characters that any form takes. */
const BYTES = 24

/** Makes the token by which upstream proves that it verifies a callback of the service. */
export function makeVerifyToken(): string {
  return randomness().bytes(BYTES).toString('base64url')
}
