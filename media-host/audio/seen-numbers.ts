/** Our choice: so many numbers back a packet that comes again is known. */
const KNOWN = 128

/** The numbers of the packets that came lately. A packet that comes again says nothing of the network. */
export class SeenNumbers {
  /** The latest number of each remainder. */
  readonly #latest = new Float64Array(KNOWN).fill(Number.NaN)

  /** Notes an unwrapped number. False when it came before. */
  note(sequence: number): boolean {
    const at = ((sequence % KNOWN) + KNOWN) % KNOWN
    if (this.#latest[at] === sequence) return false
    this.#latest[at] = sequence
    return true
  }

  forget(): void {
    this.#latest.fill(Number.NaN)
  }
}
