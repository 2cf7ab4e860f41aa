import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Signs texts of addresses with a secret of its own, so that nobody else can make one. */
export class AddressSigner {
  readonly #secret = randomBytes(32)

  sign(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url')
  }

  isSigned(text: string, signature: string): boolean {
    const [shown, expected] = [Buffer.from(signature), Buffer.from(this.sign(text))]
    return shown.length === expected.length && timingSafeEqual(shown, expected)
  }
}
