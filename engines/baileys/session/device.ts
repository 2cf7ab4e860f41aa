import { initAuthCreds, jidDecode, type AuthenticationCreds } from 'baileys'
import { randomUUID } from 'node:crypto'

/** The device of a session: one that is linked, or is about to be. */
export class Device {
  /** Names the link to the gateway. */
  sessionId = ''
  /** Not stored before a phone scanned; null: there is no device. */
  creds: AuthenticationCreds | null = null
  /** A phone scanned. */
  isPaired = false

  /** One that nobody linked yet. */
  begin(sessionId: string = randomUUID()): void {
    this.creds = initAuthCreds()
    this.sessionId = sessionId
    this.isPaired = false
  }

  /** One that was stored when it was linked. */
  resume({ sessionId, creds }: { readonly sessionId: string; readonly creds: AuthenticationCreds }): void {
    this.creds = creds
    this.sessionId = sessionId
    this.isPaired = true
  }

  forget(): void {
    this.creds = null
    this.isPaired = false
  }

  /** Digits of the number that linked it. */
  get user(): string | undefined {
    return jidDecode(this.creds?.me?.id)?.user
  }
}
