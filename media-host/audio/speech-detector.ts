import { SLOT_MS } from './frame.ts'
import { FULL_SCALE, rms } from './pcm.ts'

/** Levels are in dB below full scale, over 20 ms. All of them are our choice. */

/** Below it nobody speaks, however quiet the line is. */
const LEAST_SPEECH_DB = -50
/** Speech begins this far above the noise, and ends below this much. */
const START_ABOVE_DB = 12
const STOP_ABOVE_DB = 6
/** The noise of a line is taken for at least this much, so that a silent one is no measure. */
const LEAST_NOISE_DB = -66
/** The noise of a line that was not heard yet: a louder one is told from speech after NOISE_SLOTS. */
const FIRST_NOISE_DB = -45
/** Digital silence, which no microphone makes: before the first sound it says nothing of the noise. */
const SILENT_RMS = 1
/** The quietest 20 ms of this long is noise: 3 s, because whoever speaks that long pauses meanwhile. */
const PART_SLOTS = 25
const PARTS = 6
/** 60 ms: a shorter sound is a click. */
const START_SLOTS = 3
/** 500 ms: a shorter pause lies between two words. */
const STOP_SLOTS = 25

/** The peer began or ended to speak. */
export interface SpeechChange {
  readonly state: 'started' | 'stopped'
  /** How long ago it did, because it has to be sure. */
  readonly agoMs: number
}

/**
 * Tells speech from pauses by energy, over frames of 20 ms at any rate: with hysteresis, and above a noise floor that
 * follows the quietest frames of the last 3 s. A tone that stays the same is speech until it has become the floor.
 * Pure: time passes by `observe` alone.
 */
export class SpeechDetector {
  readonly #noise = new NoiseFloor()
  #isSpeaking = false
  /** True since the first sound of the line. */
  #hasBegun = false
  /** Frames in a row that speak against the present state. */
  #run = 0

  observe(frame: Int16Array): SpeechChange | null {
    const level = rms(frame)
    const isAgainst = this.#isSpeaking ? !this.#goesOn(level) : this.#begins(level)
    this.#hasBegun ||= level >= SILENT_RMS
    if (this.#hasBegun) this.#noise.observe(decibels(level))
    this.#run = isAgainst ? this.#run + 1 : 0
    if (this.#run < (this.#isSpeaking ? STOP_SLOTS : START_SLOTS)) return null
    const agoMs = this.#run * SLOT_MS
    this.#isSpeaking = !this.#isSpeaking
    this.#run = 0
    return { state: this.#isSpeaking ? 'started' : 'stopped', agoMs }
  }

  #begins(level: number): boolean {
    const least = Math.max(LEAST_SPEECH_DB, this.#noise.db + START_ABOVE_DB)
    return decibels(level) >= least
  }

  #goesOn(level: number): boolean {
    return decibels(level) >= this.#noise.db + STOP_ABOVE_DB
  }
}

/** The quietest frame of the last parts of a line. */
class NoiseFloor {
  #parts: number[] = []
  #quietest = FIRST_NOISE_DB
  #frames = 0

  get db(): number {
    return Math.max(LEAST_NOISE_DB, Math.min(this.#quietest, ...this.#parts))
  }

  observe(db: number): void {
    this.#quietest = Math.min(this.#quietest, db)
    if (++this.#frames < PART_SLOTS) return
    this.#parts = [this.#quietest, ...this.#parts.slice(0, PARTS - 1)]
    this.#quietest = Infinity
    this.#frames = 0
  }
}

function decibels(level: number): number {
  return 20 * Math.log10(Math.max(level, SILENT_RMS) / FULL_SCALE)
}
