/** A sine at `hz` that continues where the last frame ended; `amplitude` is of 32,767. */
export function toneSource(rateHz: number, hz: number, amplitude: number = 8_000): (count: number) => Int16Array {
  let n = 0
  return (count) =>
    Int16Array.from({ length: count }, () => Math.round(amplitude * Math.sin((2 * Math.PI * hz * n++) / rateHz)))
}

/** A sine in words of `samples`, each with the next of the amplitudes. */
export function wordSource(
  rateHz: number,
  hz: number,
  { samples, amplitudes }: { readonly samples: number; readonly amplitudes: readonly number[] },
): (count: number) => Int16Array {
  const next = toneSource(rateHz, hz, 32_767)
  let n = 0
  return (count) =>
    next(count).map((sample) => (sample * (amplitudes[Math.floor(n++ / samples) % amplitudes.length] ?? 0)) / 32_767)
}

/** A signal like a voice: a gliding fundamental with harmonics, in syllables. It is the same every time. */
export function voiceSource(rateHz: number): (count: number) => Int16Array {
  let n = 0
  let phase = 0
  return (count) =>
    Int16Array.from({ length: count }, () => {
      const seconds = n++ / rateHz
      phase += (2 * Math.PI * (140 + 30 * Math.sin(2 * Math.PI * 0.7 * seconds))) / rateHz
      const envelope = 0.4 + 0.6 * Math.abs(Math.sin(2 * Math.PI * 1.3 * seconds))
      return Math.round(
        envelope
          * (4_000 * Math.sin(phase)
            + 2_500 * Math.sin(3 * phase)
            + 1_500 * Math.sin(7 * phase)
            + 700 * Math.sin(12 * phase)),
      )
    })
}

/** Root mean square. */
export function rmsOf(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length))
}

/** The amplitude of the signal at `hz` (Goertzel). */
export function amplitudeAt(samples: Int16Array, rateHz: number, hz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / rateHz)
  let a = 0
  let b = 0
  for (const sample of samples) {
    const next = sample + coefficient * a - b
    b = a
    a = next
  }
  return (2 * Math.sqrt(Math.max(0, a * a + b * b - coefficient * a * b))) / samples.length
}

/** The strongest frequency from 50 Hz to 3,500 Hz, to 10 Hz. */
export function dominantHz(samples: Int16Array, rateHz: number): number {
  let best = { hz: 0, amplitude: 0 }
  for (let hz = 50; hz <= Math.min(3_500, rateHz / 2 - 50); hz += 10) {
    const amplitude = amplitudeAt(samples, rateHz, hz)
    if (amplitude > best.amplitude) best = { hz, amplitude }
  }
  return best.hz
}

/** Stretches of at least `leastMs` in which no sample is louder than `limit`. */
export function gapsIn(
  samples: Int16Array,
  rateHz: number,
  leastMs: number = 5,
  limit: number = 60,
): { atMs: number; ms: number }[] {
  const gaps: { atMs: number; ms: number }[] = []
  let start = 0
  for (let i = 0; i <= samples.length; i++) {
    if (i < samples.length && Math.abs(samples[i] ?? 0) <= limit) continue
    const ms = ((i - start) * 1_000) / rateHz
    if (ms >= leastMs) gaps.push({ atMs: (start * 1_000) / rateHz, ms })
    start = i + 1
  }
  return gaps
}

/** The signal-to-noise ratio of `heard` against `wanted`, in dB. */
export function snrDb(wanted: Int16Array, heard: Int16Array): number {
  let signal = 0
  let noise = 0
  wanted.forEach((sample, i) => {
    signal += sample * sample
    noise += (sample - (heard[i] ?? 0)) ** 2
  })
  return 10 * Math.log10(signal / Math.max(1, noise))
}

/** Joins frames into one array. */
export function joined(frames: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(frames.reduce((sum, frame) => sum + frame.length, 0))
  let at = 0
  for (const frame of frames) {
    all.set(frame, at)
    at += frame.length
  }
  return all
}
