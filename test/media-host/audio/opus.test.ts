import { setImmediate as nextTurn } from 'node:timers/promises'
import test from 'ava'
import { RATES_HZ } from '../../../media-host/audio/frame.ts'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import type { OpusDecoder } from '../../../media-host/audio/opus.ts'
import { hasFec, opusPacketSamples } from '../../../media-host/audio/opus-packet.ts'
import { dominantHz, joined, rmsOf, toneSource, voiceSource } from '../../helpers/audio-signal.ts'

/** Waits for a decoder, which is ready one turn of the event loop after it is opened. */
async function ready(decoder: OpusDecoder): Promise<OpusDecoder> {
  await nextTurn()
  return decoder
}

for (const rateHz of RATES_HZ) {
  test(`a tone keeps frequency and level at ${rateHz} Hz`, async (t) => {
    const opus = await loadOpus()
    const encoder = opus.openEncoder(rateHz)
    const tone = toneSource(rateHz, 1_000)
    const packets = Array.from({ length: 60 }, () => encoder.encode(tone(rateHz / 50)))
    const decoder = await ready(opus.openDecoder(rateHz))
    const frames = packets.map((packet) => decoder.decode(packet, 960))
    t.true(frames.every((frame) => frame.length === rateHz / 50))
    const heard = joined(frames.slice(10))
    t.is(dominantHz(heard, rateHz), 1_000)
    t.true(Math.abs(rmsOf(heard) / (8_000 / Math.SQRT2) - 1) < 0.12, `${rmsOf(heard)}`)
    decoder.close()
  })

  test(`repeating the ready packet of silence at ${rateHz} Hz is silence, also behind speech`, async (t) => {
    const opus = await loadOpus()
    const encoder = opus.openEncoder(rateHz)
    const voice = voiceSource(rateHz)
    const packets = Array.from({ length: 50 }, () => encoder.encode(voice(rateHz / 50)))
    for (let i = 0; i < 10; i++) packets.push(encoder.encode(new Int16Array(rateHz / 50)))
    const decoder = await ready(opus.openDecoder(rateHz))
    for (const packet of packets) decoder.decode(packet, 960)
    const silence = opus.silence(rateHz)
    const frames = Array.from({ length: 50 }, () => decoder.decode(silence, 960))
    t.is(opusPacketSamples(silence), 960)
    t.true(Math.max(...frames.map(rmsOf)) < 4, `${Math.max(...frames.map(rmsOf))}`)
    decoder.close()
  })
}

test('FEC is written when asked for, read from the packet and no longer written afterwards', async (t) => {
  const opus = await loadOpus()
  const encoder = opus.openEncoder(16_000)
  const voice = voiceSource(16_000)
  const next = () => encoder.encode(voice(320))
  const before = Array.from({ length: 20 }, next)
  encoder.setFec(true, 10)
  const during = Array.from({ length: 20 }, next).slice(2)
  encoder.setFec(false, 0)
  const after = Array.from({ length: 20 }, next).slice(2)
  t.false(before.some(hasFec))
  t.true(during.filter(hasFec).length > 5)
  t.false(after.some(hasFec))
})

test('copies are written at each share of reported loss that has FEC on', async (t) => {
  const opus = await loadOpus()
  for (const percent of [3, 5, 7, 10, 25]) {
    const encoder = opus.openEncoder(16_000)
    const voice = voiceSource(16_000)
    encoder.setFec(true, percent)
    const copies = Array.from({ length: 20 }, () => encoder.encode(voice(320)))
      .slice(2)
      .filter(hasFec)
    t.true(copies.length > 5, `${percent} %: ${copies.length}`)
  }
})

test('packets that are no Opus are concealed for as long as they claimed', async (t) => {
  const opus = await loadOpus()
  const decoder = await ready(opus.openDecoder(16_000))
  for (const bad of [new Uint8Array(0), Uint8Array.of(0xff), Uint8Array.of(3, 0x3f, 1, 2), Uint8Array.of(0x48, 1)]) {
    t.is(decoder.decode(bad, 960).length, 320)
    t.is(decoder.recover(bad, 960).length, 320)
  }
  decoder.close()
  decoder.close()
  t.is(decoder.conceal(960).length, 320)
})

test('a frame of the wrong length is refused', async (t) => {
  const encoder = (await loadOpus()).openEncoder(16_000)
  t.throws(() => encoder.encode(new Int16Array(319)), { instanceOf: RangeError })
})

test('the length of a packet is read from its first bytes', (t) => {
  const cases: [number[], number][] = [
    [[], 0],
    [[0 << 3], 480],
    [[1 << 3], 960],
    [[2 << 3], 1_920],
    [[3 << 3], 2_880],
    [[9 << 3], 960],
    [[11 << 3], 2_880],
    [[12 << 3], 480],
    [[15 << 3], 960],
    [[16 << 3], 120],
    [[31 << 3], 960],
    [[(31 << 3) | 1], 1_920],
    [[(31 << 3) | 2], 1_920],
    [[(31 << 3) | 3, 3], 2_880],
    [[(1 << 3) | 3, 6], 5_760],
    [[(1 << 3) | 3, 7], 0],
    [[(1 << 3) | 3], 0],
  ]
  for (const [bytes, samples] of cases) t.is(opusPacketSamples(Uint8Array.from(bytes)), samples, bytes.join())
})
