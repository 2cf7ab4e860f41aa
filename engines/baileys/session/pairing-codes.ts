export interface PairingCodesDeps {
  /** Asks for a code to type, which makes the phone show where to type it; null when there is none. Never rejects. */
  typed(): Promise<string | null>
  /** Tells the gateway the codes. `pairingCode` is null without a code to type. */
  show(qr: string, pairingCode: string | null, expiresInMs: number): Promise<void>
  /** Ms since the epoch. */
  now(): number
}

/** The codes of a session that pairs: one to scan, and one to type when it is wanted. */
export class PairingCodes {
  isTypedWanted = false
  readonly #deps: PairingCodesDeps
  /** The code to scan that is shown for the present socket; null without one. */
  #shown: { readonly text: string; readonly endsAtMs: number } | null = null
  /** The code to type of the present socket, which has one for all its codes to scan; null until it was asked for. */
  #typed: Promise<string | null> | null = null

  constructor(deps: PairingCodesDeps) {
    this.#deps = deps
  }

  /** Shows a code to scan in place of the previous one. */
  async show(qr: string, expiresInMs: number): Promise<void> {
    this.#shown = { text: qr, endsAtMs: this.#deps.now() + expiresInMs }
    const pairingCode = this.isTypedWanted ? await (this.#typed ??= this.#deps.typed()) : null
    // A newer code is shown by now, or none.
    if (this.#shown?.text !== qr) return
    await this.#deps.show(qr, pairingCode, expiresInMs)
  }

  /** Shows the present code again with one to type, unless that was already asked for. */
  async addTyped(): Promise<void> {
    const shown = this.#shown
    if (shown !== null && this.#typed === null) await this.show(shown.text, shown.endsAtMs - this.#deps.now())
  }

  /** Forgets the codes, because none is shown any more. */
  forget(): void {
    this.#shown = null
    this.#typed = null
  }
}
