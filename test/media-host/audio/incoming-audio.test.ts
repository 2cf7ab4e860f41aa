import { setImmediate as nextTurn } from 'node:timers/promises'
import test from 'ava'
import { IncomingAudio } from '../../../media-host/audio/incoming-audio.ts'
import type { RateHz } from '../../../media-host/audio/frame.ts'
import { RATES_HZ } from '../../../media-host/audio/frame.ts'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import { dominantHz, gapsIn, joined, rmsOf, snrDb, toneSource, voiceSource } from '../../helpers/audio-signal.ts'

/** Slots between a packet's arrival and its sound: the buffer waits 20 ms for the next packet. */
const DELAY_SLOTS = 1

async function voicePackets(count: number, withFec: boolean): Promise<Uint8Array[]> {
  const encoder = (await loadOpus()).openEncoder(16_000)
  if (withFec) encoder.setFec(true, 15)
  const voice = voiceSource(16_000)
  return Array.from({ length: count }, () => encoder.encode(voice(320)))
}

/** Plays packets through a jitter buffer and a decoder, one packet a slot. `isLost` decides which never arrive. */
async function heard(
  packets: readonly Uint8Array[],
  rateHz: RateHz,
  isLost: (n: number) => boolean,
): Promise<{ samples: Int16Array; frames: Int16Array[]; incoming: IncomingAudio }> {
  const incoming = new IncomingAudio(await loadOpus())
  incoming.receive([rateHz])
  await nextTurn()
  const frames = packets.map((payload, n) => {
    if (!isLost(n)) incoming.push({ ssrc: 1, sequence: n, timestamp: n * 960, payload, arrivedMs: n * 20 })
    const [frame] = incoming.receive([rateHz])
    return frame ?? new Int16Array(0)
  })
  return { samples: joined(frames.slice(DELAY_SLOTS)), frames, incoming }
}

for (const rateHz of RATES_HZ) {
  test(`every slot at ${rateHz} Hz has rate/50 samples whatever is lost`, async (t) => {
    const packets = await voicePackets(200, true)
    const { frames, incoming } = await heard(packets, rateHz, (n) => n % 7 === 3 || (n > 80 && n < 110))
    t.true(frames.every((frame) => frame.length === rateHz / 50))
    t.true(incoming.stats().lost >= 50)
    incoming.close()
  })
}

test('a lost packet is better recovered from FEC than concealed, and better concealed than left silent', async (t) => {
  const isLost = (n: number) => n > 5 && n % 10 === 6
  const snr = async (withFec: boolean): Promise<{ snr: number; silence: number }> => {
    const packets = await voicePackets(300, withFec)
    const whole = await heard(packets, 16_000, () => false)
    const lossy = await heard(packets, 16_000, isLost)
    const holes = whole.samples.map((sample, i) => (isLost(Math.floor(i / 320)) ? 0 : sample))
    whole.incoming.close()
    lossy.incoming.close()
    return { snr: snrDb(whole.samples, lossy.samples), silence: snrDb(whole.samples, holes) }
  }
  const fec = await snr(true)
  const concealed = await snr(false)
  t.log(
    `10 % loss: FEC ${fec.snr.toFixed(1)} dB, concealed ${concealed.snr.toFixed(1)} dB, silence ${concealed.silence.toFixed(1)} dB`,
  )
  t.true(fec.snr > concealed.snr + 2)
  t.true(concealed.snr > concealed.silence)
})

test('a single loss leaves no hole in a tone', async (t) => {
  const encoder = (await loadOpus()).openEncoder(16_000)
  const tone = toneSource(16_000, 440)
  const packets = Array.from({ length: 60 }, () => encoder.encode(tone(320)))
  const { samples, incoming } = await heard(packets, 16_000, (n) => n === 30)
  t.deepEqual(gapsIn(samples.subarray(5 * 320), 16_000, 3), [])
  t.is(incoming.stats().concealedMs, 20)
  incoming.close()
})

test('a dead stream fades to silence without a click', async (t) => {
  const packets = await voicePackets(100, false)
  const { frames, incoming } = await heard(packets, 16_000, (n) => n >= 50)
  t.true(rmsOf(joined(frames.slice(65))) < 35)
  const tail = joined(frames.slice(48, 60))
  const steps = tail.subarray(1).map((sample, i) => Math.abs(sample - (tail[i] ?? 0)))
  t.true(Math.max(...steps) < 6_000, `${Math.max(...steps)}`)
  incoming.close()
})

test('a rate that joins in the middle is in step with the others', async (t) => {
  const encoder = (await loadOpus()).openEncoder(16_000)
  const tone = toneSource(16_000, 300)
  const incoming = new IncomingAudio(await loadOpus())
  incoming.receive([16_000])
  await nextTurn()
  const first: Int16Array[] = []
  const second: Int16Array[] = []
  for (let n = 0; n < 60; n++) {
    incoming.push({ ssrc: 1, sequence: n, timestamp: n * 960, payload: encoder.encode(tone(320)), arrivedMs: n * 20 })
    if (n === 20) {
      incoming.receive([16_000, 8_000])
      await nextTurn()
      continue
    }
    const [a, b] = incoming.receive(n < 20 ? [16_000] : [16_000, 8_000])
    if (a && n > 35) first.push(a)
    if (b && n > 35) second.push(b)
  }
  const halved = joined(first).filter((_, i) => i % 2 === 0)
  // The decoder's filters may shift the two rates by up to a millisecond, so this takes the best match of several
  // shifts.
  const best = Math.max(
    ...Array.from({ length: 17 }, (_, shift) =>
      snrDb(halved.subarray(16, -16), joined(second).subarray(8 + shift, -24 + shift || undefined)),
    ),
  )
  t.true(best > 12, `${best}`)
  incoming.close()
})

test('without a listener time passes, and no audio is kept for later', async (t) => {
  const packets = await voicePackets(120, false)
  const incoming = new IncomingAudio(await loadOpus())
  packets.forEach((payload, n) => {
    incoming.push({ ssrc: 1, sequence: n, timestamp: n * 960, payload, arrivedMs: n * 20 })
    if (n < 100) t.deepEqual(incoming.receive([]), [])
    else t.is(incoming.receive([16_000])[0]?.length, 320)
  })
  t.is(incoming.stats().lost, 0)
  t.is(incoming.stats().concealedMs, 0)
  incoming.close()
})

interface SourceSpan {
  readonly ssrc: number
  readonly from: number
  readonly to: number
  /** The frequency that the source sends, in Hz; 0 for Opus silence. */
  readonly hz: number
}

const OPUS_SILENCE = Uint8Array.of(0xf8, 0xff, 0xfe)

/** What is heard of sources that send at the same time, each one packet a slot. */
async function heardOf(
  spans: readonly SourceSpan[],
  slots: number,
): Promise<{ frames: Int16Array[]; incoming: IncomingAudio }> {
  const opus = await loadOpus()
  const incoming = new IncomingAudio(opus)
  incoming.receive([16_000])
  const senders = spans.map((span) => ({
    ...span,
    encoder: opus.openEncoder(16_000),
    tone: toneSource(16_000, span.hz || 1),
  }))
  const frames: Int16Array[] = []
  for (let slot = 0; slot < slots; slot++) {
    for (const { ssrc, from, to, hz, encoder, tone } of senders) {
      if (slot < from || slot >= to) continue
      const payload = hz === 0 ? OPUS_SILENCE : encoder.encode(tone(320))
      incoming.push({
        ssrc,
        sequence: (slot + ssrc) & 0xffff,
        timestamp: (slot * 960 + ssrc * 555) >>> 0,
        payload,
        arrivedMs: slot * 20 + (ssrc % 20),
      })
    }
    await nextTurn()
    frames.push(...incoming.receive([16_000]))
  }
  return { frames, incoming }
}

test('gen-two-streams: of two sources at once the one that speaks is heard all the time, whichever is newer', async (t) => {
  for (const silent of [
    { ssrc: 2_222, from: 1, to: 400, hz: 0 },
    { ssrc: 2_222, from: 100, to: 300, hz: 0 },
  ]) {
    const { frames, incoming } = await heardOf([{ ssrc: 1_111, from: 0, to: 400, hz: 600 }, silent], 400)
    const samples = joined(frames.slice(5))
    t.is(dominantHz(samples, 16_000), 600)
    t.deepEqual(gapsIn(samples, 16_000, 5), [])
    t.is(incoming.stats().lost, 0)
    t.is(incoming.stats().received, 400 + silent.to - silent.from)
    incoming.close()
  }
})

test('a source that follows another, 300 ms of it beside it, is heard from its first word without a gap', async (t) => {
  const { frames, incoming } = await heardOf(
    [
      { ssrc: 1, from: 0, to: 100, hz: 600 },
      { ssrc: 2, from: 85, to: 200, hz: 1_000 },
    ],
    200,
  )
  const samples = joined(frames.slice(5))
  t.deepEqual(gapsIn(samples, 16_000, 5), [])
  t.is(dominantHz(joined(frames.slice(20, 80)), 16_000), 600)
  t.is(dominantHz(joined(frames.slice(92, 195)), 16_000), 1_000)
  const steps = samples.subarray(1).map((sample, i) => Math.abs(sample - (samples[i] ?? 0)))
  t.true(Math.max(...steps) < 6_000, `${Math.max(...steps)}`)
  incoming.close()
})

test('a newer source that goes silent leaves the word to the older one', async (t) => {
  const { frames, incoming } = await heardOf(
    [
      { ssrc: 1, from: 0, to: 300, hz: 600 },
      { ssrc: 2, from: 50, to: 100, hz: 1_000 },
    ],
    300,
  )
  t.is(dominantHz(joined(frames.slice(60, 100)), 16_000), 1_000)
  t.is(dominantHz(joined(frames.slice(130, 300)), 16_000), 600)
  incoming.close()
})

test('packets of ever new sources open no decoder and disturb nothing', async (t) => {
  const opus = await loadOpus()
  let opened = 0
  const incoming = new IncomingAudio({
    ...opus,
    openDecoder: (rateHz) => {
      opened++
      return opus.openDecoder(rateHz)
    },
  })
  incoming.receive([16_000])
  const encoder = opus.openEncoder(16_000)
  const tone = toneSource(16_000, 600)
  const frames: Int16Array[] = []
  for (let slot = 0; slot < 200; slot++) {
    incoming.push({
      ssrc: 1,
      sequence: slot,
      timestamp: slot * 960,
      payload: encoder.encode(tone(320)),
      arrivedMs: slot * 20,
    })
    for (let i = 0; i < 20; i++)
      incoming.push({
        ssrc: 1_000 + slot * 20 + i,
        sequence: 7,
        timestamp: 0,
        payload: OPUS_SILENCE,
        arrivedMs: slot * 20,
      })
    await nextTurn()
    frames.push(...incoming.receive([16_000]))
  }
  t.is(opened, 1)
  t.deepEqual(gapsIn(joined(frames.slice(5)), 16_000, 5), [])
  incoming.close()
})
