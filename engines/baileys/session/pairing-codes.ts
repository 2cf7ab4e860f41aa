export interface PairingCodesDeps {
  /** Asks for a code to type, which makes the phone show where to type it; null: there is none. Never rejects. */
  typed(): Promise<string | null>
  /** Tells the gateway of the codes. `pairingCode` null: there is none to type. */
  show(qr: string, pairingCode: string | null, expiresInMs: number): Promise<void>
  /** Ms since 1970. */
  now(): number
}

/** The codes of a session that pairs: one to scan, and one to type where it is wanted. */
export class PairingCodes {
  isTypedWanted = false
  readonly #deps: PairingCodesDeps
  /** The code to scan that is on show, of the socket at hand. */
  #shown: { readonly text: string; readonly endsAtMs: number } | null = null
  /** The code to type of the socket at hand, once it was asked for: one for all codes of a socket. */
  #typed: Promise<string | null> | null = null

  constructor(deps: PairingCodesDeps) {
    this.#deps = deps
  }

  /** Shows a code to scan in the place of the one before. */
  async show(qr: string, expiresInMs: number): Promise<void> {
    this.#shown = { text: qr, endsAtMs: this.#deps.now() + expiresInMs }
    const pairingCode = this.isTypedWanted ? await (this.#typed ??= this.#deps.typed()) : null
    // Asking took a while: a newer code is on show, or none any more.
    if (this.#shown?.text !== qr) return
    await this.#deps.show(qr, pairingCode, expiresInMs)
  }

  /** Shows the one on show again, with one to type, unless that was asked for already. */
  async addTyped(): Promise<void> {
    const shown = this.#shown
    if (shown !== null && this.#typed === null) await this.show(shown.text, shown.endsAtMs - this.#deps.now())
  }

  /** None is on show any more. */
  forget(): void {
    this.#shown = null
    this.#typed = null
  }
}
