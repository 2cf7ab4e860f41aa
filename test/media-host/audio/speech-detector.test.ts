import test from 'ava'
import { SpeechDetector } from '../../../media-host/audio/speech-detector.ts'
import { toneSource, voiceSource } from '../../helpers/audio-signal.ts'

const RATE = 8_000
const FRAME = RATE / 50

type Sound = (count: number) => Int16Array

/** Noise of this rms, the same every time. */
function noise(level: number, seed = 7): Sound {
  let state = seed
  return (count) =>
    Int16Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
      return Math.round((state / 0x4000_0000 - 1) * level * Math.sqrt(3))
    })
}

const silence: Sound = (count) => new Int16Array(count)

/** Syllables of 180 ms with 60 ms between them, over the sound behind. */
function talk(behind: Sound, gain = 1): Sound {
  const voice = voiceSource(RATE)
  let frames = 0
  return (count) => {
    const isSyllable = frames++ % 12 < 9
    const back = behind(count)
    return voice(count).map((sample, at) => (isSyllable ? sample * gain : 0) + (back[at] ?? 0))
  }
}

/** Hears sounds one after the other, and answers what was told, by the ms at which it happened. */
function hear(parts: readonly (readonly [Sound, number])[]): string[] {
  const detector = new SpeechDetector()
  const told: string[] = []
  let nowMs = 0
  for (const [sound, ms] of parts) {
    for (let left = ms; left > 0; left -= 20) {
      nowMs += 20
      const change = detector.observe(sound(FRAME))
      if (change) told.push(`${change.state} ${nowMs - change.agoMs}`)
    }
  }
  return told
}

// [realtime.speech.1] [realtime.speech.2]
test('speech on a silent line is told from its first to its last 20 ms, words and pauses within it as one', (t) => {
  t.deepEqual(
    hear([
      [silence, 1_000],
      [talk(silence), 4_500],
      [silence, 300],
      [talk(silence), 1_140],
      [silence, 2_000],
      [talk(silence), 900],
      [silence, 1_000],
    ]),
    ['started 1000', 'stopped 6940', 'started 8940', 'stopped 9840'],
  )
})

// [realtime.speech.2]
test('speech is told in noise of 20 dB below it, and noise alone is none', (t) => {
  for (const level of [30, 100, 200]) {
    const room = noise(level)
    t.deepEqual(hear([[room, 20_000]]), [], `noise of ${level}`)
    const told = hear([
      [room, 4_000],
      [talk(room), 2_340],
      [room, 5_000],
    ])
    t.deepEqual(told, ['started 4000', 'stopped 6340'], `speech in noise of ${level}`)
  }
})

// [realtime.speech.2]
test('a quiet voice is heard on a quiet line, and 20 or 40 ms of sound are a click', (t) => {
  const room = noise(8)
  const quiet = hear([
    [room, 2_000],
    [talk(room, 0.1), 1_140],
    [room, 1_000],
  ])
  t.deepEqual(quiet, ['started 2000', 'stopped 3140'])
  const click = noise(8_000)
  t.deepEqual(
    hear([
      [room, 1_000],
      [click, 40],
      [room, 400],
      [click, 20],
      [room, 1_000],
    ]),
    [],
  )
})

// [realtime.speech.2]
test('a tone or a noise that stays the same is speech for 3.5 s at most, and again after that is none', (t) => {
  for (const [what, sound] of [
    ['tone', toneSource(RATE, 440)],
    ['noise', noise(3_000)],
  ] as const) {
    const [started, stopped, ...more] = hear([
      [noise(10), 2_000],
      [sound, 20_000],
    ])
    t.is(started, 'started 2000', what)
    const [, atMs] = stopped?.split(' ') ?? []
    t.true(Number(atMs) >= 4_500 && Number(atMs) <= 5_500, `${what}: ${stopped}`)
    t.deepEqual(more, [], what)
  }
})

// [realtime.speech.2]
test('a line that is loud from its first 20 ms on is noise, once it stayed so for 3 s', (t) => {
  t.deepEqual(hear([[noise(300), 10_000]]), [])
  const [started, stopped, ...more] = hear([[noise(3_000), 10_000]])
  t.is(started, 'started 0')
  t.regex(stopped ?? '', /^stopped [23]\d{3}$/)
  t.deepEqual(more, [])
})
