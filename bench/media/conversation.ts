import type { OpusCodec } from '../../media-host/audio/opus.ts'
import { makeSpeech, seeded, SPEECH_RATE_HZ } from './speech.ts'
import type { Speech } from './speech.ts'

/** Samples of a slot of 20 ms. */
const SLOT = SPEECH_RATE_HZ / 50
/** Our choice: a bot and a person answer each other after 0.5 s, about the pause between turns of people and bots. */
const PAUSE_SLOTS = 25
/** Our choice: a room that nobody speaks in is at -70 dBFS, and phones send it. */
const ROOM = 10

/** The two tracks of a call, slot by slot, that a bench plays again and again. */
export interface Tracks {
  /** Packets of the phone: it sends one in each slot, whoever speaks. */
  readonly phone: readonly Uint8Array[]
  /** The same as samples, for a leg of raw audio. */
  readonly phoneSamples: readonly Int16Array[]
  /** What the bot sends: nothing while it is silent. */
  readonly bot: readonly (Int16Array | null)[]
}

/** Whose slots they are: the samples of the one who speaks, null in the other's. */
interface Turn {
  readonly who: 'phone' | 'bot'
  readonly slots: readonly Int16Array[]
}

/**
 * A conversation of a person and a bot, who speak in turns, a phrase at a time, with pauses between. In a fifth of the
 * slots nobody speaks, in none both do.
 */
export function conversation(opus: OpusCodec, seconds: number): Tracks {
  const chance = seeded(3)
  const phoneSamples: Int16Array[] = []
  const bot: (Int16Array | null)[] = []
  for (const { who, slots } of turns(seconds)) {
    for (const samples of slots) {
      phoneSamples.push(who === 'phone' ? samples : room(chance))
      bot.push(who === 'bot' ? samples : null)
    }
    for (let slot = 0; slot < PAUSE_SLOTS; slot++) {
      phoneSamples.push(room(chance))
      bot.push(null)
    }
  }
  const encoder = opus.openEncoder(SPEECH_RATE_HZ)
  return { phone: phoneSamples.map((samples) => encoder.encode(samples).slice()), phoneSamples, bot }
}

function turns(seconds: number): Turn[] {
  const [person, robot] = [makeSpeech(seconds / 2, 1), makeSpeech(seconds / 2, 2)]
  const count = Math.min(person.phrases.length, robot.phrases.length)
  return Array.from({ length: count }, (_, index) => [
    { who: 'phone' as const, slots: slotsOf(person, index) },
    { who: 'bot' as const, slots: slotsOf(robot, index) },
  ]).flat()
}

/** The whole slots of a phrase. */
function slotsOf({ samples, phrases }: Speech, index: number): Int16Array[] {
  const { from = 0, to = 0 } = phrases[index] ?? {}
  return Array.from({ length: Math.floor((to - from) / SLOT) }, (_, slot) =>
    samples.slice(from + slot * SLOT, from + (slot + 1) * SLOT),
  )
}

function room(chance: () => number): Int16Array {
  return Int16Array.from({ length: SLOT }, () => Math.round((chance() * 2 - 1) * ROOM))
}
