import { FRAME_MS } from './frame.ts'
import { isQuiet } from './level.ts'

/** [dashboard.softphone.5], in ms: what is held back before playing begins, at first and at most. */
const LEAST_MS = 60
const MOST_MS = 200
/** Our choice, in ms: how much more is held back after the ring ran dry, and less after a time without that. */
const STEP_MS = 20
/** Our choice, in frames (10 s): what lay in the ring all this time was not needed. */
const WINDOW_FRAMES = 500
/** Our choice, in frames (40 ms): what a window may leave in the ring. */
const SPARE_FRAMES = 2
/** Our choice, in dBFS: quieter frames are pauses between words; comfort noise lies below this too. */
const SILENCE_DB = -45
/** Our choice, in frames (10 s): the oldest go when more wait, so that a page that slept does not play its past. */
const MOST_FRAMES = 500

/**
 * Frames that wait to be played. It waits longer after it ran dry, and takes delay back by leaving out silence, never
 * speech.
 */
export class PlaybackRing {
  #frames: Int16Array[] = []
  #targetMs = LEAST_MS
  #isFilling = true
  /** The fewest frames that lay in the ring since the window began. */
  #fewest = MOST_FRAMES
  #played = 0
  /** Frames that are too many and go with the next silence. */
  #excess = 0
  #underruns = 0
  #trimmedMs = 0
  #lostMs = 0

  /** How often it ran dry while it played. */
  get underruns(): number {
    return this.#underruns
  }

  /** Silence that was left out, in ms. */
  get trimmedMs(): number {
    return this.#trimmedMs
  }

  /** What was thrown away because too much waited, in ms. */
  get lostMs(): number {
    return this.#lostMs
  }

  get targetMs(): number {
    return this.#targetMs
  }

  get queuedMs(): number {
    return this.#frames.length * FRAME_MS
  }

  put(frame: Int16Array): void {
    this.#frames.push(frame)
    if (this.#frames.length <= MOST_FRAMES) return
    this.#frames.shift()
    this.#lostMs += FRAME_MS
  }

  /** The frame to play now; null when silence is to be played instead. */
  next(): Int16Array | null {
    if (this.#isFilling && this.queuedMs < this.#targetMs) return null
    this.#isFilling = false
    const frame = this.#speechOrOldest()
    if (frame === null) return this.#ranDry()
    this.#watch()
    return frame
  }

  #speechOrOldest(): Int16Array | null {
    let frame = this.#frames.shift() ?? null
    while (frame !== null && this.#excess > 0 && this.#frames.length > 0 && isQuiet(frame, SILENCE_DB)) {
      this.#excess--
      this.#trimmedMs += FRAME_MS
      frame = this.#frames.shift() ?? null
    }
    return frame
  }

  #ranDry(): null {
    this.#underruns++
    this.#targetMs = Math.min(MOST_MS, this.#targetMs + STEP_MS)
    this.#isFilling = true
    this.#begin()
    return null
  }

  #watch(): void {
    this.#fewest = Math.min(this.#fewest, this.#frames.length)
    // What came late came in one burst: it does not have to lie for a whole window first.
    if (this.queuedMs > this.#targetMs + MOST_MS) this.#excess = this.#frames.length - this.#targetMs / FRAME_MS
    if (++this.#played < WINDOW_FRAMES) return
    if (this.#fewest > SPARE_FRAMES) {
      this.#targetMs = Math.max(LEAST_MS, this.#targetMs - STEP_MS)
      this.#excess = this.#fewest - SPARE_FRAMES
    }
    this.#begin()
  }

  #begin(): void {
    this.#fewest = MOST_FRAMES
    this.#played = 0
  }
}
