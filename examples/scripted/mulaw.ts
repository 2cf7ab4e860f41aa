/** Mu-law of ITU-T G.711: one byte a sample, 8,000 of them a second. Samples are PCM16. */

/** The byte that is silence. */
export const SILENCE = 0xff

/** What is added to a magnitude before its leading bit is sought (G.711, in 16 bits). */
const BIAS = 132
const LOUDEST = 32_767 - BIAS

const SAMPLES = Int16Array.from({ length: 256 }, (_, byte) => {
  const bits = ~byte & 0xff
  const magnitude = ((((bits & 0x0f) << 3) + BIAS) << ((bits >> 4) & 0x07)) - BIAS
  return bits & 0x80 ? -magnitude : magnitude
})

export function decodeMulaw(bytes: Uint8Array): Int16Array {
  return Int16Array.from(bytes, (byte) => SAMPLES[byte] ?? 0)
}

export function encodeMulaw(samples: Int16Array): Uint8Array {
  return Uint8Array.from(samples, (sample) => {
    const magnitude = Math.min(Math.abs(sample), LOUDEST) + BIAS
    const exponent = 24 - Math.clz32(magnitude)
    return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff
  })
}
