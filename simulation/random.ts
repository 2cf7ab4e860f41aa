/** Numbers that follow from a seed alone, by xorshift32 (Marsaglia, "Xorshift RNGs", 2003). */
export class Random {
  #state: number

  /** Any integer is a seed. It is mixed first (MurmurHash3's finalizer), so that neighbours give unlike numbers. */
  constructor(seed: number) {
    let mixed = seed ^ 0x9e_37_79_b9
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85_eb_ca_6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35)
    this.#state = mixed ^ (mixed >>> 16) || 1
  }

  #next(): number {
    let next = this.#state
    next ^= next << 13
    next ^= next >>> 17
    next ^= next << 5
    this.#state = next
    return next >>> 0
  }

  /** From 0 to 1, without 1. */
  fraction(): number {
    return this.#next() / 2 ** 32
  }

  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.fraction() * (to - from + 1))
  }

  /** True so many times out of a hundred. */
  chance(percent: number): boolean {
    return this.fraction() * 100 < percent
  }

  /** One of some things, of which there must be one. */
  pick<T>(things: readonly T[]): T {
    const thing = things[this.between(0, things.length - 1)]
    if (thing === undefined) throw new Error('nothing to pick from')
    return thing
  }

  bytes(count: number): Buffer<ArrayBuffer> {
    return Buffer.from(Array.from({ length: count }, () => this.between(0, 255)))
  }

  /** Another source that follows from this one, so that more draws of one part change no draw of another. */
  branch(): Random {
    return new Random(this.#next())
  }
}
