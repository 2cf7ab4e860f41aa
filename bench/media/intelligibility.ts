import { polyphaseFilter } from '../../src/domain/polyphase.ts'
import { joined } from '../../test/helpers/audio-signal.ts'
import { SPEECH_RATE_HZ, type Speech } from './speech.ts'
import { stoi, STOI_RATE_HZ } from './stoi.ts'

/** Our choice: nobody is heard later than half a second. */
const MOST_LATE = SPEECH_RATE_HZ / 2
/** The coarse search looks at every 8th sample: what decides it lies below 1 kHz. */
const COARSE = 8
/** Our choice: silence around a phrase that belongs to it, in samples. */
const AROUND = SPEECH_RATE_HZ / 10

export interface Judged {
  /** Short-time objective intelligibility, about 0 to 1. */
  readonly stoi: number
  /** From the speaker's mouth to what the client hears, in ms: the mean over the phrases, and the most. */
  readonly delayMs: number
  readonly mostDelayMs: number
}

/**
 * Judges what was heard of speech. The measure wants both signals aligned, and a jitter buffer changes its delay in
 * pauses: each phrase is aligned by itself, as a whole. What is moved or missing inside a phrase counts against it.
 */
export function judge({ samples, phrases }: Speech, heard: Int16Array): Judged {
  const lates = phrases.map(({ from, to }) => lateOf(samples.subarray(from, to), heard, from))
  const cut = (of: Int16Array, late: (index: number) => number) =>
    joined(phrases.map(({ from, to }, index) => cutOut(of, from - AROUND + late(index), to + AROUND + late(index))))
  const said = cut(samples, () => 0)
  const got = cut(heard, (index) => lates[index] ?? 0)
  const ms = lates.map((late) => (late * 1_000) / SPEECH_RATE_HZ)
  return {
    stoi: stoi(toStoiRate(said), toStoiRate(got)) ?? 0,
    delayMs: ms.reduce((sum, value) => sum + value, 0) / Math.max(1, ms.length),
    mostDelayMs: Math.max(...ms),
  }
}

function cutOut(samples: Int16Array, from: number, to: number): Int16Array {
  const out = new Int16Array(to - from)
  const begin = Math.max(0, from)
  out.set(samples.subarray(begin, Math.max(begin, to)), begin - from)
  return out
}

/** How many samples later a phrase was heard: where it is most like what was said. */
function lateOf(phrase: Int16Array, heard: Int16Array, from: number): number {
  const coarse = best(0, MOST_LATE, COARSE, (late) => likeness(phrase, heard, from + late, COARSE))
  return best(coarse - COARSE, coarse + COARSE, 1, (late) => likeness(phrase, heard, from + late, 1))
}

function best(from: number, to: number, step: number, score: (at: number) => number): number {
  let found = { at: from, score: -Infinity }
  for (let at = from; at <= to; at += step) {
    const value = score(at)
    if (value > found.score) found = { at, score: value }
  }
  return found.at
}

function likeness(phrase: Int16Array, heard: Int16Array, at: number, step: number): number {
  const end = Math.min(phrase.length, heard.length - at)
  let sum = 0
  for (let i = 0; i < end; i += step) sum += phrase[i]! * heard[at + i]!
  return sum
}

function toStoiRate(samples: Int16Array): Float64Array {
  const { up, down, taps, phases } = polyphaseFilter(SPEECH_RATE_HZ, STOI_RATE_HZ)
  const out = new Float64Array(Math.floor((samples.length * up) / down))
  for (let index = 0; index < out.length; index++) {
    const position = index * down
    const at = Math.floor(position / up) - taps / 2
    const weights = phases[position % up]!
    let sum = 0
    for (let tap = Math.max(0, -at); tap < taps && at + tap < samples.length; tap++)
      sum += samples[at + tap]! * weights[tap]!
    out[index] = sum
  }
  return out
}
