/**
 * Speech that is made by code, the same each time: syllables of consonants and vowels in words and phrases, by a source
 * of pulses or noise and the resonances of a mouth. It says nothing, but has what a codec, a concealment and a measure
 * of intelligibility look at: formants that move, voiced and unvoiced sounds, bursts, a melody and pauses.
 */

export const SPEECH_RATE_HZ = 16_000

/** Where a phrase is, in samples. */
export interface Phrase {
  readonly from: number
  readonly to: number
}

export interface Speech {
  readonly samples: Int16Array
  readonly phrases: readonly Phrase[]
}

/** Resonances in Hz: of a man's vowels (Peterson and Barney 1952, table II), the fourth our choice. */
const VOWELS = {
  i: [270, 2_290, 3_010, 3_500],
  e: [530, 1_840, 2_480, 3_500],
  a: [730, 1_090, 2_440, 3_500],
  o: [570, 840, 2_410, 3_400],
  u: [300, 870, 2_240, 3_400],
  r: [490, 1_350, 1_690, 3_300],
} as const
type Formants = readonly [number, number, number, number]

/** Bandwidths of the resonances, in Hz; our choice, about those of speech. */
const WIDTHS: Formants = [70, 100, 150, 220]

/** A sound of a given length. `voice` and `noise` are the levels of its two sources, from 0 to 1. */
interface Sound {
  readonly ms: number
  readonly formants: Formants
  readonly voice: number
  readonly noise: number
  /** Around which frequency the noise lies, in Hz. */
  readonly noiseHz: number
}

type Chance = () => number

/** Random numbers that are the same in each run (the generator of Park and Miller). */
export function seeded(seed: number): Chance {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

const between = (chance: Chance, least: number, most: number) => least + (most - least) * chance()
const pick = <T>(chance: Chance, from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T

/** Consonants by what makes them: hissing, stopped, through the nose, gliding. */
function consonant(chance: Chance, formants: Formants): Sound[] {
  const [f1, f2, f3, f4] = formants
  const near: Formants = [f1 * 0.6, f2 * 0.9 + 150, f3, f4]
  switch (Math.floor(chance() * 5)) {
    case 0:
      return [
        { ms: between(chance, 70, 120), formants, voice: 0, noise: 0.5, noiseHz: pick(chance, [3_000, 4_500, 5_800]) },
      ]
    case 1:
      return [
        { ms: between(chance, 35, 60), formants: near, voice: 0, noise: 0, noiseHz: 1_000 },
        { ms: 14, formants: near, voice: 0, noise: 0.9, noiseHz: pick(chance, [900, 1_800, 3_800]) },
      ]
    case 2:
      return [
        { ms: between(chance, 50, 80), formants: [250, 1_100, 2_200, 3_300], voice: 0.35, noise: 0, noiseHz: 1_000 },
      ]
    case 3:
      return [
        {
          ms: between(chance, 45, 70),
          formants: [320, f2 * 0.7 + 300, f3 * 0.9, f4],
          voice: 0.5,
          noise: 0,
          noiseHz: 1_000,
        },
      ]
    default:
      return [{ ms: between(chance, 60, 90), formants: near, voice: 0.25, noise: 0.2, noiseHz: 3_500 }]
  }
}

/** The sounds of a word of one to three syllables. */
function word(chance: Chance): Sound[] {
  return Array.from({ length: 1 + Math.floor(chance() * 3) }, () => {
    const formants: Formants = pick(chance, Object.values(VOWELS))
    const vowel = {
      ms: between(chance, 90, 190),
      formants,
      voice: between(chance, 0.7, 1),
      noise: 0.01,
      noiseHz: 2_500,
    }
    return [...consonant(chance, formants), vowel, ...(chance() < 0.3 ? consonant(chance, formants) : [])]
  }).flat()
}

/** A resonance (two poles), whose frequency may move from sample to sample. */
class Resonance {
  #before = 0
  #beforeThat = 0

  pass(sample: number, hz: number, widthHz: number): number {
    const radius = Math.exp((-Math.PI * widthHz) / SPEECH_RATE_HZ)
    const turn = 2 * radius * Math.cos((2 * Math.PI * hz) / SPEECH_RATE_HZ)
    const out = (1 - turn + radius * radius) * sample + turn * this.#before - radius * radius * this.#beforeThat
    this.#beforeThat = this.#before
    this.#before = out
    return out
  }
}

/** Our choice: a sound becomes the next one within 25 ms, and a level within 6 ms. */
const GLIDE = 1 / (0.025 * SPEECH_RATE_HZ)
const SWELL = 1 / (0.006 * SPEECH_RATE_HZ)

/** The mouth: makes a sound after the other, each gliding into the next. */
class Mouth {
  readonly #chance: Chance
  readonly #tract = WIDTHS.map(() => new Resonance())
  readonly #hiss = new Resonance()
  readonly #formants: number[] = [500, 1_500, 2_500, 3_500]
  #voice = 0
  #noise = 0
  #noiseHz = 2_500
  #phase = 0
  #pulse = 0

  constructor(chance: Chance) {
    this.#chance = chance
  }

  /** One sample of about -1 to 1, at the pitch given in Hz. */
  next(sound: Sound, pitchHz: number): number {
    this.#voice += (sound.voice - this.#voice) * SWELL
    this.#noise += (sound.noise - this.#noise) * SWELL
    this.#noiseHz += (sound.noiseHz - this.#noiseHz) * SWELL
    for (const [index, hz] of sound.formants.entries()) this.#formants[index]! += (hz - this.#formants[index]!) * GLIDE
    let sample = this.#glottis(pitchHz) * this.#voice
    for (const [index, resonance] of this.#tract.entries())
      sample = resonance.pass(sample, this.#formants[index]!, WIDTHS[index]!)
    const hiss = this.#hiss.pass(this.#chance() * 2 - 1, this.#noiseHz, 900)
    return sample + hiss * this.#noise * 0.9
  }

  /** A pulse of air at each turn of the pitch, which falls off by 12 dB an octave. */
  #glottis(pitchHz: number): number {
    this.#phase += pitchHz / SPEECH_RATE_HZ
    if (this.#phase >= 1) this.#phase -= 1
    const open = this.#phase < 0.6 ? Math.sin((Math.PI * this.#phase) / 0.6) ** 2 * (1 - this.#phase) : 0
    const moved = open - this.#pulse
    this.#pulse = open
    return moved * 6
  }
}

const SILENCE: Omit<Sound, 'ms'> = { formants: [500, 1_500, 2_500, 3_500], voice: 0, noise: 0, noiseHz: 2_500 }
/** Our choice: the room of the speaker is at -70 dBFS. */
const ROOM = 10

/** Speech of at least so many seconds, with pauses of 0.4 to 1.2 s between phrases. */
export function makeSpeech(seconds: number, seed = 1): Speech {
  const chance = seeded(seed)
  const mouth = new Mouth(chance)
  const samples: number[] = []
  const phrases: Phrase[] = []
  const say = (sound: Sound, pitchHz: () => number): void => {
    for (let left = (sound.ms * SPEECH_RATE_HZ) / 1_000; left > 0; left--)
      samples.push(mouth.next(sound, pitchHz()) * LOUDNESS + (chance() * 2 - 1) * ROOM)
  }
  say({ ms: 500, ...SILENCE }, () => 120)
  while (samples.length < seconds * SPEECH_RATE_HZ) {
    const from = samples.length
    let pitchHz = between(chance, 125, 150)
    const melody = () => (pitchHz = Math.max(85, pitchHz - 25 / SPEECH_RATE_HZ) + (chance() - 0.5) * 0.05)
    for (let words = 3 + Math.floor(chance() * 5); words > 0; words--) {
      for (const sound of word(chance)) say(sound, melody)
      if (chance() < 0.3) say({ ms: between(chance, 30, 90), ...SILENCE }, melody)
    }
    phrases.push({ from, to: samples.length })
    say({ ms: between(chance, 400, 1_200), ...SILENCE }, melody)
  }
  return {
    samples: Int16Array.from(samples, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample)))),
    phrases,
  }
}

/** Brings speech to about -23 dBFS. */
const LOUDNESS = 9_000
