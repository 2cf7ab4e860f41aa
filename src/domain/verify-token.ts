import { randomBytes } from 'node:crypto'

/** Our choice: 192 bits, in characters that any form takes. */
const BYTES = 24

/** Makes the token by which upstream shows that it verifies a callback of ours. */
export function makeVerifyToken(): string {
  return randomBytes(BYTES).toString('base64url')
}
