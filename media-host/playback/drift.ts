import { SLOT_MS } from '../audio/frame.ts'
import { UNITS_PER_MS } from './playout-items.ts'

/** The window in which the lowest fill of the queue is sought: 10 s. */
const WINDOW_SLOTS = 500
const WINDOW_MS = WINDOW_SLOTS * SLOT_MS
/**
 * Our choice: a sender is taken for one in real time when a window brought 2 % more or less than it lasted at most; a
 * microphone is off by 0.03 %.
 */
const REAL_TIME_SHARE = 0.02
/** Our choice, in ms: the fill of a sender in real time varies by no more within a window. */
const REAL_TIME_SPREAD_MS = 400
/** Our choice: the least fill that is kept, how far the fill may stand above the wanted one, and what is a step. */
const SLOT_UNITS = SLOT_MS * UNITS_PER_MS
/**
 * Most of a first fill that is kept where no prebuffer is named, [realtime.query.7]. A sender that streams all the time
 * has sent what the peer's connection took to open, and would be that late for the whole call.
 */
const MOST_FIRST_UNITS = 2 * SLOT_UNITS
/** Our choice: most that is kept above the first fill, 60 ms. */
const MOST_RESERVE_UNITS = 3 * SLOT_UNITS
/** Our choice, -50 dBFS as RMS: below it nobody hears that 20 ms were dropped or added. */
const SILENT_RMS = 104

/** Our choice, 5 minutes: a fill is known to 20 ms, which is 67 parts per million of that. */
const SURE_WINDOWS = 30

/** What to do with the next 20 ms of audio if they are silent. */
export type Steering = 'trim' | 'stretch' | null

/**
 * Keeps the queue of a sender whose clock runs a little faster or slower than ours from piling up or running dry: the
 * lowest fill of each 10 s is held where it was at first, by 20 ms of silence that are dropped or added
 * ([voice.statistics.1]). A sender that is not paced in real time, as one that sends whole sentences at once, is left
 * alone. Pure: time passes by `slot` alone.
 */
export class Drift {
  #slots = 0
  #pushedUnits = 0
  #lowest = Infinity
  #highest = 0
  #isBroken = true
  /** The lowest fills of the last windows in units, the newest first; empty unless the sender is in real time. */
  #floors: number[] = []
  /** The first floor, and what had been trimmed by then. */
  #base: { readonly units: number; readonly trimmedUnits: number } | null = null
  #windows = 0
  /** What the sender sent more than was played since the first floor. */
  #gainedUnits = 0
  #trimmedUnits = 0
  /** What is kept above the first fill, since the queue ran dry with that. */
  #reserveUnits = 0
  #mostFirstUnits = MOST_FIRST_UNITS
  #owed = 0
  #wasSilent = false

  /** Silence that was dropped, less what was added, in ms. */
  get trimmedMs(): number {
    return Math.round(this.#trimmedUnits / UNITS_PER_MS)
  }

  /**
   * How much faster than ours the sender's clock runs, in parts per million; null until it was seen for 5 minutes.
   */
  get ppm(): number | null {
    if (this.#base === null || this.#windows < SURE_WINDOWS) return null
    return Math.round((this.#gainedUnits / UNITS_PER_MS / (this.#windows * WINDOW_MS)) * 1e6)
  }

  /** Slots that are to be dropped at the next silence (above 0), or to be added (below 0). */
  get owedSlots(): number {
    return this.#owed
  }

  /** What the sender wants to be gathered before an utterance begins is what is kept, and a slot at least. */
  prebuffer(units: number): void {
    this.#mostFirstUnits = Math.max(SLOT_UNITS, units)
  }

  pushed(units: number): void {
    this.#pushedUnits += units
  }

  /**
   * The queue ran dry within an utterance. What was waited for then is no drift, so measuring starts again; from now on
   * more is kept, so that the next late packet finds something.
   */
  ranDry(): void {
    if (this.#base !== null) this.#reserveUnits = Math.min(MOST_RESERVE_UNITS, this.#reserveUnits + SLOT_UNITS)
    this.#isBroken = true
    this.#forget()
  }

  /** What is queued is not what the sender's pace made of it: it was cleared, paused or had a file in between. */
  broken(): void {
    this.#isBroken = true
  }

  /** A slot begins, with this much socket audio queued. */
  slot(queuedUnits: number): void {
    this.#lowest = Math.min(this.#lowest, queuedUnits)
    this.#highest = Math.max(this.#highest, queuedUnits)
    if (++this.#slots < WINDOW_SLOTS) return
    if (this.#isRealTime()) this.#steer()
    else this.#forget()
    this.#slots = 0
    this.#pushedUnits = 0
    this.#lowest = Infinity
    this.#highest = 0
    this.#isBroken = false
  }

  /** What to do with the next 20 ms. Only silence after silence is dropped or stretched, so no word loses its edge. */
  steer(samples: Int16Array): Steering {
    const isSilent = rmsOf(samples) < SILENT_RMS
    const isAmid = isSilent && this.#wasSilent
    this.#wasSilent = isSilent
    if (!isAmid) return null
    const isTrim = this.#owed > 0
    this.#owed += isTrim ? -1 : 1
    this.#trimmedUnits += isTrim ? SLOT_UNITS : -SLOT_UNITS
    // What was seen before says nothing of the fill from now on.
    this.#floors = []
    this.#lowest = Infinity
    return isTrim ? 'trim' : 'stretch'
  }

  #isRealTime(): boolean {
    const pushedMs = this.#pushedUnits / UNITS_PER_MS
    return (
      !this.#isBroken
      && Math.abs(pushedMs - WINDOW_MS) <= WINDOW_MS * REAL_TIME_SHARE
      && this.#highest - this.#lowest <= REAL_TIME_SPREAD_MS * UNITS_PER_MS
    )
  }

  #steer(): void {
    this.#floors = [this.#lowest, ...this.#floors.slice(0, 1)]
    this.#base ??= { units: Math.max(this.#lowest, SLOT_UNITS), trimmedUnits: this.#trimmedUnits }
    this.#windows += 1
    this.#gainedUnits = this.#lowest - this.#base.units + this.#trimmedUnits - this.#base.trimmedUnits
    const wanted = Math.min(this.#base.units, this.#mostFirstUnits) + this.#reserveUnits
    const [newest = 0, before] = this.#floors
    // A late packet only lowers a floor: one window tells that too much waits, two have to say that too little does.
    const above = Math.min(newest, before ?? newest) - wanted
    if (above > SLOT_UNITS) this.#owed = Math.floor(above / SLOT_UNITS)
    else this.#owed = before !== undefined && Math.max(newest, before) < wanted - SLOT_UNITS / 2 ? -1 : 0
    this.#wasSilent = false
  }

  #forget(): void {
    this.#floors = []
    this.#base = null
    this.#windows = 0
    this.#owed = 0
  }
}

function rmsOf(samples: Int16Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.sqrt(sum / Math.max(1, samples.length))
}
