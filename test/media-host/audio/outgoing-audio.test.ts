import test from 'ava'
import type { OutgoingFrame } from '../../../media-host/audio/frame.ts'
import { HELD, RATES_HZ } from '../../../media-host/audio/frame.ts'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import type { OpusCodec } from '../../../media-host/audio/opus.ts'
import { hasFec } from '../../../media-host/audio/opus-packet.ts'
import { OutgoingAudio } from '../../../media-host/audio/outgoing-audio.ts'
import type { RtpOut } from '../../../media-host/audio/outgoing-audio.ts'
import { voiceSource } from '../../helpers/audio-signal.ts'

const TYPES = { opus: 111, event: { type: 110, clockHz: 48_000 } }
const SILENCE: OutgoingFrame = { kind: 'silence' }

/** The real codec; it counts how often it encodes. */
async function counted(): Promise<{ codec: OpusCodec; coded: () => number }> {
  const opus = await loadOpus()
  let count = 0
  const codec: OpusCodec = {
    ...opus,
    openEncoder: (rateHz) => {
      const encoder = opus.openEncoder(rateHz)
      return {
        rateHz,
        setFec: (isOn, percent) => encoder.setFec(isOn, percent),
        encode: (samples) => (count++, encoder.encode(samples)),
      }
    },
  }
  return { codec, coded: () => count }
}

function take(outgoing: OutgoingAudio, count: number, frame: () => OutgoingFrame): RtpOut[] {
  return Array.from({ length: count }, () => outgoing.next(frame(), TYPES)).filter((packet) => packet !== null)
}

for (const rateHz of RATES_HZ) {
  test(`timestamps rise by exactly 960 a slot at ${rateHz} Hz, over both wrap-arounds`, async (t) => {
    const { codec } = await counted()
    const outgoing = new OutgoingAudio(codec, { sequence: 65_500, timestamp: 0xffff_ffff - 960 * 30 })
    const voice = voiceSource(rateHz)
    const packets = take(outgoing, 100, () => ({ kind: 'pcm', samples: voice(rateHz / 50), rateHz }))
    t.is(packets.length, 100)
    packets.forEach((packet, i) => {
      t.is(packet.timestamp, (0xffff_ffff - 960 * 30 + 960 * i) % 0x1_0000_0000)
      t.is(packet.sequence, (65_500 + i) % 65_536)
    })
  })
}

test('after 200 ms of silence nothing is coded any more and packets go on', async (t) => {
  const { codec, coded } = await counted()
  const outgoing = new OutgoingAudio(codec, { sequence: 0, timestamp: 0 })
  const voice = voiceSource(16_000)
  take(outgoing, 5, () => ({ kind: 'pcm', samples: voice(320), rateHz: 16_000 }))
  const silent = take(outgoing, 100, () => SILENCE)
  t.is(coded(), 15)
  t.is(silent.length, 100)
  t.is(new Set(silent.slice(10).map((packet) => packet.payload)).size, 1)
})

test('the marker stands at the start of each talk spurt only', async (t) => {
  const { codec } = await counted()
  const outgoing = new OutgoingAudio(codec, { sequence: 0, timestamp: 0 })
  const voice = voiceSource(16_000)
  const speak = (): OutgoingFrame => ({ kind: 'pcm', samples: voice(320), rateHz: 16_000 })
  const marked = [
    ...take(outgoing, 3, speak),
    ...take(outgoing, 5, () => SILENCE),
    ...take(outgoing, 3, speak),
    ...take(outgoing, 20, () => SILENCE),
    ...take(outgoing, 3, speak),
  ].flatMap((packet, i) => (packet.marker ? [i] : []))
  t.deepEqual(marked, [0, 31])
})

test('missed slots move the timestamp, not the sequence', async (t) => {
  const { codec } = await counted()
  const outgoing = new OutgoingAudio(codec, { sequence: 7, timestamp: 100 })
  take(outgoing, 1, () => SILENCE)
  outgoing.skip(25)
  const [packet] = take(outgoing, 1, () => SILENCE)
  t.is(packet?.timestamp, 100 + 26 * 960)
  t.is(packet?.sequence, 8)
  t.true(packet?.marker)
})

test('a digit takes its slots from the audio and the clock goes on', async (t) => {
  const { codec } = await counted()
  const outgoing = new OutgoingAudio(codec, { sequence: 0, timestamp: 0 })
  take(outgoing, 2, () => SILENCE)
  t.true(outgoing.queueDigits('5'))
  const packets = take(outgoing, 12, () => SILENCE)
  const events = packets.filter((packet) => packet.payloadType === 110)
  t.is(events.length, 7)
  t.true(events.every((packet) => packet.timestamp === 2 * 960))
  const after = packets.filter((packet) => packet.payloadType === 111)
  t.is(after[0]?.timestamp, 10 * 960)
  t.true(after[0]?.marker)
  t.deepEqual(
    packets.map((packet) => packet.sequence),
    Array.from({ length: packets.length }, (_, i) => i + 2),
  )
})

test('FEC goes on when the peer reports loss and off after ten seconds without', async (t) => {
  const { codec } = await counted()
  const outgoing = new OutgoingAudio(codec, { sequence: 0, timestamp: 0 })
  const voice = voiceSource(16_000)
  const withFec = (count: number) =>
    take(outgoing, count, () => ({ kind: 'pcm', samples: voice(320), rateHz: 16_000 })).filter((packet) =>
      hasFec(packet.payload),
    ).length
  t.is(withFec(60), 0)
  outgoing.reportLoss(0.02)
  t.is(withFec(60), 0)
  outgoing.reportLoss(0.1)
  t.true(withFec(60) > 5)
  withFec(450)
  t.is(withFec(60), 0)
})

// [realtime.opus.4]
test('while a packet of 60 ms lasts nothing is sent, and the next one has the time after it', async (t) => {
  const { codec, coded } = await counted()
  const outgoing = new OutgoingAudio(codec, { sequence: 7, timestamp: 0 })
  const packet = Uint8Array.of(88, 1, 2)
  const frames: OutgoingFrame[] = [{ kind: 'opus', packet }, HELD, HELD, { kind: 'opus', packet }, HELD, HELD, SILENCE]
  const sent = frames.map((frame) => outgoing.next(frame, TYPES))
  t.deepEqual(
    sent.map((out) => out && [out.sequence, out.timestamp]),
    [[7, 0], null, null, [8, 2_880], null, null, [9, 5_760]],
  )
  t.is(sent[0]?.payload, packet)
  t.is(coded(), 0)
})
