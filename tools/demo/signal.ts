/** Generates test signals and recognises them. Samples are PCM16 mono. */

export function sine(frequencyHz: number, ms: number, rateHz: number, level = 0.3): Int16Array {
  const samples = new Int16Array(Math.round((rateHz * ms) / 1000))
  for (let i = 0; i < samples.length; i++) {
    samples[i] = Math.round(Math.sin((2 * Math.PI * frequencyHz * i) / rateHz) * level * 32_767)
  }
  return samples
}

/** Root mean square, 0 to 1 of full scale. */
export function rms(samples: Int16Array): number {
  let sum = 0
  for (const sample of samples) sum += (sample / 32_768) ** 2
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length)
}

/** Power at one frequency (Goertzel). */
function powerAt(samples: Int16Array, frequencyHz: number, rateHz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * frequencyHz) / rateHz)
  let previous = 0
  let beforePrevious = 0
  for (const sample of samples) {
    const next = sample + coefficient * previous - beforePrevious
    beforePrevious = previous
    previous = next
  }
  return previous ** 2 + beforePrevious ** 2 - coefficient * previous * beforePrevious
}

/** The strongest frequency between 100 and 3,000 Hz, to 10 Hz. */
export function dominantHz(samples: Int16Array, rateHz: number): number {
  let best = 0
  let bestPower = 0
  for (let frequency = 100; frequency <= 3_000; frequency += 10) {
    const power = powerAt(samples, frequency, rateHz)
    if (power > bestPower) {
      best = frequency
      bestPower = power
    }
  }
  return best
}

/** First sample of the first 20 ms window louder than `level`, or -1. */
export function soundStart(samples: Int16Array, rateHz: number, level = 0.05): number {
  const window = rateHz / 50
  for (let from = 0; from + window <= samples.length; from += window) {
    if (rms(samples.subarray(from, from + window)) > level) return from
  }
  return -1
}

/** A WAV file of PCM16 mono samples. */
export function wavFile(samples: Int16Array, rateHz: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.byteLength, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rateHz, 24)
  header.writeUInt32LE(rateHz * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)])
}
