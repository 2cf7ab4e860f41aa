/** Samples of speech at other rates. Pure; plain enough for scripted speech, which has nothing above 4,000 Hz. */

/** PCM16 at so many times the rate, on straight lines between the samples that are there. */
export function raised(samples: Int16Array, times: number): Buffer {
  const more = Int16Array.from({ length: samples.length * times }, (_, at) => {
    const from = Math.floor(at / times)
    const [one = 0, next = one] = samples.subarray(from, from + 2)
    return one + Math.trunc(((next - one) * (at % times)) / times)
  })
  return Buffer.from(more.buffer)
}

/** PCM16 at a rate so many times lower: the mean of as many samples. */
export function lowered(bytes: Uint8Array, times: number): Int16Array {
  const samples = new Int16Array(Uint8Array.from(bytes).buffer)
  return Int16Array.from({ length: Math.floor(samples.length / times) }, (_, at) => {
    const few = samples.subarray(at * times, (at + 1) * times)
    return few.reduce((sum, sample) => sum + sample, 0) / times
  })
}
