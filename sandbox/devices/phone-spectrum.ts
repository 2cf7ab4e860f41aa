/** Finds the strongest frequency of mono samples. */

/** 256 ms at 16 kHz: bins 3.9 Hz apart, and interpolation between them is good to about half a hertz. */
const WINDOW_SAMPLES = 4_096
/** Lower frequencies are hum and offset, not voice or tone. */
const LOWEST_HZ = 40

/** In-place radix-2 transform of a complex signal whose length is a power of two. */
function transform(re: Float64Array, im: Float64Array): void {
  const n = re.length
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1
    for (; j & bit; bit >>= 1) j ^= bit
    j ^= bit
    if (i < j) {
      ;[re[i], re[j]] = [re[j] ?? 0, re[i] ?? 0]
    }
  }
  for (let size = 2; size <= n; size <<= 1) {
    for (let k = 0; k < size / 2; k++) {
      const angle = (-2 * Math.PI * k) / size
      butterflies(re, im, size, k, Math.cos(angle), Math.sin(angle))
    }
  }
}

function butterflies(re: Float64Array, im: Float64Array, size: number, k: number, cos: number, sin: number): void {
  const half = size / 2
  for (let top = k; top < re.length; top += size) {
    const low = top + half
    const lowRe = re[low] ?? 0
    const lowIm = im[low] ?? 0
    const turnedRe = lowRe * cos - lowIm * sin
    const turnedIm = lowRe * sin + lowIm * cos
    const topRe = re[top] ?? 0
    const topIm = im[top] ?? 0
    re[low] = topRe - turnedRe
    im[low] = topIm - turnedIm
    re[top] = topRe + turnedRe
    im[top] = topIm + turnedIm
  }
}

/** Adds up the power of samples, window by window. */
export class Spectrum {
  readonly #rateHz: number
  readonly #power = new Float64Array(WINDOW_SAMPLES / 2)
  #pending = new Float64Array(WINDOW_SAMPLES)
  #filled = 0

  constructor(rateHz: number) {
    this.#rateHz = rateHz
  }

  /** Adds 16-bit samples. */
  add(samples: Int16Array): void {
    for (const sample of samples) {
      this.#pending[this.#filled++] = sample
      if (this.#filled === WINDOW_SAMPLES) {
        accumulate(this.#pending, this.#filled, this.#power)
        this.#filled = 0
      }
    }
  }

  /** The frequency with the most power, one decimal, or null when nothing was heard. */
  dominantHz(): number | null {
    const power = this.#power.slice()
    if (this.#filled > 0) accumulate(this.#pending, this.#filled, power)
    const lowest = Math.ceil((LOWEST_HZ * WINDOW_SAMPLES) / this.#rateHz)
    let peak = lowest
    for (let bin = lowest; bin < power.length; bin++) {
      if ((power[bin] ?? 0) > (power[peak] ?? 0)) peak = bin
    }
    if ((power[peak] ?? 0) === 0) return null
    const bins = peak + parabolicOffset(power[peak - 1] ?? 0, power[peak] ?? 0, power[peak + 1] ?? 0)
    return Math.round((bins * this.#rateHz * 10) / WINDOW_SAMPLES) / 10
  }
}

/** Hann window over the first `filled` samples; the rest is zero. */
function accumulate(samples: Float64Array, filled: number, power: Float64Array): void {
  const re = new Float64Array(WINDOW_SAMPLES)
  const im = new Float64Array(WINDOW_SAMPLES)
  for (let i = 0; i < filled; i++) {
    re[i] = (samples[i] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / filled))
  }
  transform(re, im)
  for (let bin = 0; bin < power.length; bin++) {
    power[bin] = (power[bin] ?? 0) + (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2
  }
}

/** Place of the peak between three neighbouring bins, by a parabola through their logarithms: -0.5 to 0.5. */
function parabolicOffset(left: number, middle: number, right: number): number {
  const [a, b, c] = [Math.log(left + 1), Math.log(middle + 1), Math.log(right + 1)]
  const curve = a - 2 * b + c
  return curve === 0 ? 0 : Math.max(-0.5, Math.min(0.5, (a - c) / (2 * curve)))
}
