import { initAuthCreds, jidDecode, type AuthenticationCreds } from 'baileys'
import { randomUUID } from 'node:crypto'

/** The device of a session, which is linked or about to be. */
export class Device {
  /** The name of the link towards the gateway. */
  sessionId = ''
  /** Credentials, stored only once a phone scanned; null without a device. */
  creds: AuthenticationCreds | null = null
  /** True once a phone scanned. */
  isPaired = false

  /** Begins a device that nobody linked yet. */
  begin(sessionId: string = randomUUID()): void {
    this.creds = initAuthCreds()
    this.sessionId = sessionId
    this.isPaired = false
  }

  /** Resumes a stored device. */
  resume({ sessionId, creds }: { readonly sessionId: string; readonly creds: AuthenticationCreds }): void {
    this.creds = creds
    this.sessionId = sessionId
    this.isPaired = true
  }

  forget(): void {
    this.creds = null
    this.isPaired = false
  }

  /** Digits of the number that linked the device. */
  get user(): string | undefined {
    return jidDecode(this.creds?.me?.id)?.user
  }
}
