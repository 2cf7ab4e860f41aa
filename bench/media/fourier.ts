/**
 * The power of the first half of a signal's spectrum, bins 0 to n / 2. `length` is a power of two; a shorter signal is
 * padded with zeros (Cooley and Tukey, radix 2).
 */
export function powerSpectrum(signal: Float64Array, length: number): Float64Array {
  const re = new Float64Array(length)
  const im = new Float64Array(length)
  const bits = Math.log2(length)
  for (let i = 0; i < signal.length; i++) re[reversed(i, bits)] = signal[i] ?? 0
  for (let size = 2; size <= length; size *= 2) {
    for (let start = 0; start < length; start += size) butterflies(re, im, start, size)
  }
  return Float64Array.from({ length: length / 2 + 1 }, (_, bin) => (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2)
}

function reversed(index: number, bits: number): number {
  let result = 0
  for (let bit = 0; bit < bits; bit++) result |= ((index >> bit) & 1) << (bits - 1 - bit)
  return result
}

const turns = new Map<number, readonly [cos: Float64Array, sin: Float64Array]>()

function turnsOf(size: number): readonly [cos: Float64Array, sin: Float64Array] {
  const known = turns.get(size)
  if (known) return known
  const angles = Float64Array.from({ length: size / 2 }, (_, k) => (-2 * Math.PI * k) / size)
  const made = [angles.map(Math.cos), angles.map(Math.sin)] as const
  turns.set(size, made)
  return made
}

function butterflies(re: Float64Array, im: Float64Array, start: number, size: number): void {
  const [cosines, sines] = turnsOf(size)
  const half = size / 2
  for (let k = 0; k < half; k++) {
    const [cos, sin] = [cosines[k] ?? 0, sines[k] ?? 0]
    const a = start + k
    const b = a + half
    const x = (re[b] ?? 0) * cos - (im[b] ?? 0) * sin
    const y = (re[b] ?? 0) * sin + (im[b] ?? 0) * cos
    re[b] = (re[a] ?? 0) - x
    im[b] = (im[a] ?? 0) - y
    re[a] = (re[a] ?? 0) + x
    im[a] = (im[a] ?? 0) + y
  }
}
