import test from 'ava'
import { RawIncoming } from '../../../media-host/audio/raw-incoming.ts'

const SLOT = 320

function ramp(count: number, from: number): Int16Array {
  return Int16Array.from({ length: count }, (_, i) => 1 + ((from + i) % 30_000))
}

test('messages of any length come out as whole slots, each sample once and in order', (t) => {
  const incoming = new RawIncoming(16_000)
  let said = 0
  const heard: number[] = []
  for (let slot = 0; slot < 500; slot++) {
    // Lengths that never fit a slot, but average 20 ms a slot.
    for (const length of slot % 2 === 0 ? [100, 220] : [317, 3]) {
      incoming.push(ramp(length, said))
      said += length
    }
    heard.push(...incoming.take())
  }
  const sounding = heard.slice(heard.findIndex((sample) => sample !== 0))
  t.true(sounding.length >= said - 2 * SLOT)
  t.deepEqual(sounding, [...ramp(sounding.length, 0)])
  t.deepEqual(incoming.stats(), { receivedFrames: 500, concealedMs: 0, trimmedMs: 0, heldMs: 20 })
})

test('a single frame is not held for ever, and what is missing is silence that is counted', (t) => {
  const incoming = new RawIncoming(16_000)
  t.true(incoming.take().every((sample) => sample === 0))
  incoming.push(ramp(SLOT, 0))
  const slots = [incoming.take(), incoming.take(), incoming.take()]
  t.is(slots.filter((slot) => slot.some((sample) => sample !== 0)).length, 1)
  t.true(incoming.stats().concealedMs >= 20)
})

test('the delay that a stall leaves is cut within about a second, and a steady sender is left alone', (t) => {
  const incoming = new RawIncoming(16_000)
  for (let slot = 0; slot < 100; slot++) {
    incoming.push(ramp(SLOT, 0))
    incoming.take()
  }
  t.is(incoming.stats().trimmedMs, 0)
  for (let slot = 0; slot < 30; slot++) incoming.push(ramp(SLOT, 0))
  for (let slot = 0; slot < 100; slot++) {
    incoming.push(ramp(SLOT, 0))
    incoming.take()
  }
  t.true(incoming.stats().heldMs <= 80, `${incoming.stats().heldMs}`)
  t.true(incoming.stats().trimmedMs >= 500)
})

test('a flood is held for 5 s of audio and no more', (t) => {
  const incoming = new RawIncoming(8_000)
  for (let message = 0; message < 100; message++) incoming.push(ramp(32_768, 0))
  t.true(incoming.stats().heldMs <= 5_000)
})
