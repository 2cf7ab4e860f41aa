/** Our choice, in dBFS: what is quieter is shown as this. */
export const FLOOR_DB = -90

export interface Level {
  /** Root mean square and greatest magnitude in dB below full scale, from `FLOOR_DB` to 0. */
  readonly rmsDb: number
  readonly peakDb: number
}

/** Measures 16-bit samples between two readings. */
export class LevelMeter {
  #squares = 0
  #count = 0
  #peak = 0

  add(samples: Int16Array): void {
    for (const sample of samples) {
      this.#squares += sample * sample
      this.#peak = Math.max(this.#peak, Math.abs(sample))
    }
    this.#count += samples.length
  }

  /** The level since the reading before; the floor when nothing came. */
  read(): Level {
    const level = {
      rmsDb: decibels(Math.sqrt(this.#squares / Math.max(1, this.#count))),
      peakDb: decibels(this.#peak),
    }
    this.#squares = 0
    this.#count = 0
    this.#peak = 0
    return level
  }
}

/** Whether samples are quieter than `belowDb`, in dBFS. */
export function isQuiet(samples: Int16Array, belowDb: number): boolean {
  let squares = 0
  for (const sample of samples) squares += sample * sample
  return decibels(Math.sqrt(squares / Math.max(1, samples.length))) < belowDb
}

function decibels(magnitude: number): number {
  return magnitude === 0 ? FLOOR_DB : Math.max(FLOOR_DB, 20 * Math.log10(magnitude / 32_768))
}
