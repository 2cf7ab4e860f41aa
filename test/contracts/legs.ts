import test from 'ava'
import type { OutgoingFrame, RateHz } from '../../media-host/audio/frame.ts'
import { RATES_HZ } from '../../media-host/audio/frame.ts'
import { loadOpus } from '../../media-host/audio/opus.ts'
import type { LegKind } from '../../media-host/legs/leg.ts'
import { legPair, runSlots } from '../helpers/audio-legs.ts'
import { dominantHz, gapsIn, joined, rmsOf, toneSource } from '../helpers/audio-signal.ts'
import { until } from '../helpers/until.ts'

const SILENCE: OutgoingFrame = { kind: 'silence' }

function pcm(samples: Int16Array, rateHz: RateHz): OutgoingFrame {
  return { kind: 'pcm', samples, rateHz }
}

/** What every kind of leg does, tested between two legs of the kind. */
export function testLegs(kind: LegKind): void {
  for (const rateHz of RATES_HZ) {
    // [engines.pcm16.1]
    test(`${kind}: a 1 kHz tone spoken at ${rateHz} Hz arrives at the same frequency and level, without gaps`, async (t) => {
      const pair = await legPair(t, kind)
      const { caller, callee } = pair
      const tone = toneSource(rateHz, 1_000)
      const heard: Int16Array[] = []
      await runSlots(pair, 1_000, () => {
        caller.leg.send(pcm(tone(rateHz / 50), rateHz))
        callee.leg.send(SILENCE)
        caller.leg.receive([])
        const [frame] = callee.leg.receive([rateHz])
        if (frame && callee.leg.isFlowing) heard.push(frame)
        return heard.length >= 60
      })
      const steady = joined(heard.slice(10))
      t.true(heard.every((frame) => frame.length === rateHz / 50))
      t.is(dominantHz(steady, rateHz), 1_000)
      t.true(Math.abs(rmsOf(steady) / (8_000 / Math.SQRT2) - 1) < 0.12, `${rmsOf(steady)}`)
      t.deepEqual(gapsIn(steady, rateHz, 5), [])
      t.is(callee.notes.flowing, 1)
    })
  }

  test(`${kind}: one stream is heard at all four rates at once, each exactly rate/50 samples a slot`, async (t) => {
    const pair = await legPair(t, kind)
    const { caller, callee } = pair
    const tone = toneSource(16_000, 440)
    const heard = RATES_HZ.map((): Int16Array[] => [])
    await runSlots(pair, 1_000, () => {
      caller.leg.send(pcm(tone(320), 16_000))
      const frames = callee.leg.receive(RATES_HZ)
      t.deepEqual(
        frames.map((frame) => frame.length),
        RATES_HZ.map((rateHz) => rateHz / 50),
      )
      if (callee.leg.isFlowing) frames.forEach((frame, i) => heard[i]?.push(frame))
      return (heard[0]?.length ?? 0) >= 40
    })
    RATES_HZ.forEach((rateHz, i) => t.is(dominantHz(joined((heard[i] ?? []).slice(10)), rateHz), 440))
  })

  test(`${kind}: digits travel both ways, once each, and audio goes on after them`, async (t) => {
    const pair = await legPair(t, kind)
    const { caller, callee } = pair
    const tone = toneSource(16_000, 1_000)
    const heard: Int16Array[] = []
    let isSent = false
    await runSlots(pair, 1_500, () => {
      if (!isSent && caller.leg.isFlowing && callee.leg.isFlowing) {
        isSent = true
        t.true(caller.leg.sendDigits('19*#D'))
        t.true(callee.leg.sendDigits('0a'))
        t.true(caller.leg.isSendingDigits)
      }
      caller.leg.send(pcm(tone(320), 16_000))
      callee.leg.send(SILENCE)
      caller.leg.receive([])
      const [frame] = callee.leg.receive([16_000])
      if (frame && callee.notes.digits.length === 5) heard.push(frame)
      return heard.length >= 50
    })
    t.deepEqual(callee.notes.digits.map(({ digit }) => digit).join(''), '19*#D')
    t.deepEqual(caller.notes.digits.map(({ digit }) => digit).join(''), '0A')
    t.true(callee.notes.digits.every(({ durationMs }) => durationMs === 100))
    t.false(caller.leg.isSendingDigits)
    t.is(dominantHz(joined(heard.slice(20)), 16_000), 1_000)
    t.false(caller.leg.sendDigits('1x'))
  })

  test(`${kind}: silence keeps packets going and is silent, and ready packets are passed on as they are`, async (t) => {
    const pair = await legPair(t, kind)
    const { caller, callee } = pair
    const encoder = (await loadOpus()).openEncoder(48_000)
    const tone = toneSource(48_000, 600)
    const packets = Array.from({ length: 100 }, () => encoder.encode(tone(960)))
    const silent: Int16Array[] = []
    const file: Int16Array[] = []
    await runSlots(pair, 1_500, () => {
      const packet = silent.length >= 40 ? packets.shift() : undefined
      caller.leg.send(packet ? { kind: 'opus', packet } : SILENCE)
      const [frame] = callee.leg.receive([16_000])
      if (frame && callee.leg.isFlowing) (silent.length < 40 ? silent : file).push(frame)
      return file.length >= 60
    })
    t.true(rmsOf(joined(silent)) < 4)
    t.is(dominantHz(joined(file.slice(15, 55)), 16_000), 600)
    const { receivedFrames, concealedMs, lost } = callee.leg.stats()
    t.true(receivedFrames >= 95, `${receivedFrames}`)
    t.is(lost, 0)
    t.true(concealedMs <= 60)
  })

  test(`${kind}: slots that a stalled process missed move the peer on without being heard as loss`, async (t) => {
    const pair = await legPair(t, kind)
    const { caller, callee } = pair
    let sent = 0
    await runSlots(pair, 1_000, () => {
      if (sent === 30) {
        caller.leg.skip(10)
        sent++
      } else {
        caller.leg.send(SILENCE)
        if (callee.leg.isFlowing) sent++
      }
      callee.leg.receive([16_000])
      return sent >= 60
    })
    t.is(callee.leg.stats().lost, 0)
  })

  test(`${kind}: a closed leg is quiet and closing twice is harmless`, async (t) => {
    const pair = await legPair(t, kind)
    const { caller, callee } = pair
    await runSlots(pair, 300, () => {
      caller.leg.send(SILENCE)
      callee.leg.receive([16_000])
      return callee.leg.isFlowing
    })
    callee.leg.close()
    callee.leg.close()
    callee.leg.send(SILENCE)
    t.deepEqual(
      callee.leg.receive([8_000, 16_000]).map((frame) => frame.length),
      [160, 320],
    )
    t.deepEqual(callee.notes.lost, [])
    caller.leg.close()
    await until('the events settle', () => true)
    t.deepEqual(caller.notes.lost, [])
  })

  test(`${kind}: packets that are no audio, empty or garbage disturb nothing`, async (t) => {
    const pair = await legPair(t, kind)
    const { caller, callee } = pair
    const junk = [new Uint8Array(0), Uint8Array.of(0xff), Uint8Array.of(3), new Uint8Array(1_200).fill(7)]
    const tone = toneSource(16_000, 700)
    const heard: Int16Array[] = []
    await runSlots(pair, 1_000, (slot) => {
      const packet = slot % 5 === 0 ? junk[(slot / 5) % junk.length] : undefined
      caller.leg.send(packet ? { kind: 'opus', packet } : pcm(tone(320), 16_000))
      const [frame] = callee.leg.receive([16_000])
      if (frame && callee.leg.isFlowing) heard.push(frame)
      return heard.length >= 80
    })
    t.true(heard.every((frame) => frame.length === 320))
    t.is(dominantHz(joined(heard.slice(10)), 16_000), 700)
    t.deepEqual(callee.notes.lost, [])
  })
}
