/**
 * Speech of the scripted models: a few sentences and words, spoken by a synthesizer once and kept as mu-law in
 * `speech.ulaw`. `speech.json` has the place of each.
 */
import { readFileSync } from 'node:fs'
import { SILENCE } from './mulaw.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url))
const PLACES = new Map(
  Object.entries(JSON.parse(read('speech.json').toString()) as Record<string, readonly [number, number]>),
)
const SOUNDS = new Uint8Array(read('speech.ulaw'))
const MOST_WORDS = Math.max(...[...PLACES.keys()].map((words) => words.split(' ').length))

/** our choice: 120 ms between words that were not spoken together. */
const PAUSE = new Uint8Array(960).fill(SILENCE)

function soundOf(words: string): Uint8Array | null {
  const [from = 0, length = 0] = PLACES.get(words) ?? []
  return length === 0 ? null : SOUNDS.subarray(from, from + length)
}

/** The text as mu-law at 8,000 Hz. Words that nobody spoke are passed over. */
export function speechOf(text: string): Uint8Array {
  const words = text
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .split(' ')
    .filter(Boolean)
  const parts: Uint8Array[] = []
  for (let at = 0; at < words.length;) {
    const { sound, count } = longestAt(words, at)
    if (sound) parts.push(...(parts.length > 0 ? [PAUSE] : []), sound)
    at += count
  }
  return Uint8Array.from(Buffer.concat(parts))
}

/** The longest run of words from `at` that was spoken together; null with one word when nobody spoke it. */
function longestAt(words: readonly string[], at: number): { sound: Uint8Array | null; count: number } {
  for (let count = Math.min(MOST_WORDS, words.length - at); count > 0; count--) {
    const sound = soundOf(words.slice(at, at + count).join(' '))
    if (sound) return { sound, count }
  }
  return { sound: null, count: 1 }
}
