import test from 'ava'
import { areDigits, DigitQueue, DigitReader } from '../../../sandbox/devices/phone-dtmf.ts'
import { createMouth } from '../../../sandbox/devices/phone-mouth.ts'
import { encodeSounds } from '../../../sandbox/devices/phone-opus.ts'
import { Spectrum } from '../../../sandbox/devices/phone-spectrum.ts'
import { createTicker } from '../../../sandbox/devices/phone-ticker.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'

const SOUNDS = await encodeSounds()
const TONE = SOUNDS.tone[0] ?? new Uint8Array()
/** A SILK packet that is 60 ms long by its first byte. */
const LONG = Uint8Array.of(3 << 3, 0)

test('an echo repeats packets as they were, four packets behind', (t) => {
  const mouth = createMouth('echo', SOUNDS)
  const tone = SOUNDS.tone.slice(0, 6)
  const spoken = tone.map((payload) => {
    const [packet] = mouth?.next() ?? []
    mouth?.hear(payload, false)
    return packet?.payload
  })
  t.deepEqual(
    spoken.slice(0, 4),
    Array.from({ length: 4 }, () => SOUNDS.silence),
  )
  t.is(spoken[4], tone[0])
  t.is(spoken[5], tone[1])
})

test('an echo covers two lacking packets with the last one, then falls silent until there is more', (t) => {
  const mouth = createMouth('echo', SOUNDS)
  for (let i = 0; i < 4; i++) mouth?.hear(TONE, false)
  const spoken = Array.from({ length: 8 }, () => mouth?.next()[0]?.payload)
  t.is(spoken.filter((payload) => payload === TONE).length, 6)
  t.deepEqual(spoken.slice(6), [SOUNDS.silence, SOUNDS.silence])
  mouth?.hear(LONG, false)
  t.is(mouth?.next()[0]?.payload, LONG)
})

test('an echo gives a packet of 60 ms three slots', (t) => {
  const mouth = createMouth('echo', SOUNDS)
  mouth?.hear(LONG, false)
  mouth?.hear(LONG, false)
  const sent = Array.from({ length: 6 }, () => mouth?.next().map(({ samples }) => samples))
  t.deepEqual(sent, [[2_880], [], [], [2_880], [], []])
})

test('an echo that fell behind drops silence first, and never holds more than 300 ms', (t) => {
  const mouth = createMouth('echo', SOUNDS)
  for (let i = 0; i < 5; i++) mouth?.hear(SOUNDS.silence, true)
  for (const payload of SOUNDS.tone.slice(0, 40)) mouth?.hear(payload, false)
  const spoken = Array.from({ length: 20 }, () => mouth?.next()[0]?.payload)
  t.is(new Set(spoken.slice(0, 15)).size, 15)
  t.false(spoken.slice(0, 15).includes(SOUNDS.silence))
})

test('a tone loops without end, and a phone that sends nothing has no mouth', (t) => {
  const mouth = createMouth('tone', SOUNDS)
  const spoken = Array.from({ length: 51 }, () => mouth?.next()[0]?.payload)
  t.is(spoken[50], spoken[0])
  t.not(spoken[1], spoken[0])
  t.is(createMouth('none', SOUNDS), null)
})

test('a digit is five slots of one event, its end three times, and a pause', (t) => {
  const queue = new DigitQueue()
  queue.add('5')
  const slots = Array.from({ length: 8 }, () => queue.next(48_000))
  t.deepEqual(
    slots.map((slot) => slot?.payloads.length),
    [1, 1, 1, 1, 3, 0, 0, 0],
  )
  t.deepEqual([...(slots[0]?.payloads[0] ?? [])], [5, 10, 960 >> 8, 960 & 0xff])
  t.deepEqual([...(slots[4]?.payloads[0] ?? [])], [5, 0x80 | 10, 4_800 >> 8, 4_800 & 0xff])
  t.is(queue.next(48_000), null)
})

test('a reader counts each event once, even when its end is lost', (t) => {
  const reader = new DigitReader()
  const [half, end] = [Uint8Array.of(1, 10, 1, 144), Uint8Array.of(1, 0x8a, 3, 32)]
  t.is(reader.read(half, 100, 8_000), null)
  t.deepEqual(reader.read(end, 100, 8_000), { digit: '1', durationMs: 100 })
  t.is(reader.read(end, 100, 8_000), null)
  t.is(reader.read(half, 200, 8_000), null)
  t.deepEqual(reader.read(Uint8Array.of(11, 10, 0, 160), 300, 8_000), { digit: '1', durationMs: 50 })
  t.is(reader.read(Uint8Array.of(16, 10, 0, 160), 400, 8_000), null)
  t.is(reader.read(new Uint8Array(1), 400, 8_000), null)
})

test('digits are 0-9 * # and A-D, in either case', (t) => {
  t.true(areDigits('0123456789*#ABCDabcd'))
  t.false(areDigits(''))
  t.false(areDigits('12e'))
})

for (const hz of [220, 440, 1_000.5, 3_000]) {
  test(`the spectrum finds ${hz} Hz`, (t) => {
    const spectrum = new Spectrum(16_000)
    spectrum.add(Int16Array.from({ length: 20_000 }, (_, i) => 3_000 * Math.sin((2 * Math.PI * hz * i) / 16_000)))
    const found = spectrum.dominantHz() ?? 0
    t.true(Math.abs(found - hz) < 1, `found ${found}`)
  })
}

test('the ticker keeps absolute deadlines, and tells how many slots a stall cost', (t) => {
  const clock = new FakeClock()
  const ticker = createTicker(clock)
  const slots: number[] = []
  const stop = ticker.add((passed) => slots.push(passed))
  clock.advance(100)
  t.deepEqual(slots, [1, 1, 1, 1, 1])
  stop()
  clock.advance(100)
  t.is(slots.length, 5)
})
