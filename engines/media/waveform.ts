/** Points in the waveform of a voice note ([media.sending.2]; the upstream draws 64). */
export const WAVEFORM_POINTS = 64

/**
 * The waveform of a voice note: the loudest peak of each of 64 equal slices, 0 to 100, where 100 is the loudest of all.
 * Silence is all zeros.
 *
 * @param peaks Peaks of equal stretches of the signal, in any scale; fewer than 64 are repeated over the slices.
 */
export function waveformOf(peaks: readonly number[]): number[] {
  const slices = Array.from({ length: WAVEFORM_POINTS }, (_, slice) => {
    const from = Math.floor((slice * peaks.length) / WAVEFORM_POINTS)
    const to = Math.max(from + 1, Math.floor(((slice + 1) * peaks.length) / WAVEFORM_POINTS))
    return peaks.slice(from, to).reduce((loudest, peak) => Math.max(loudest, peak), 0)
  })
  const loudest = Math.max(...slices)
  return slices.map((peak) => (loudest > 0 ? Math.round((peak / loudest) * 100) : 0))
}
