import test from 'ava'
import type { OutgoingFrame, RateHz } from '../../../media-host/audio/frame.ts'
import { RATES_HZ } from '../../../media-host/audio/frame.ts'
import { UnusableSdp } from '../../../media-host/legs/webrtc.ts'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import { legOpener, legPair, runSlots } from '../../helpers/audio-legs.ts'
import { dominantHz, gapsIn, joined, rmsOf, toneSource } from '../../helpers/audio-signal.ts'
import { until } from '../../helpers/until.ts'

const SILENCE: OutgoingFrame = { kind: 'silence' }

function pcm(samples: Int16Array, rateHz: RateHz): OutgoingFrame {
  return { kind: 'pcm', samples, rateHz }
}

for (const rateHz of RATES_HZ) {
  test(`a 1 kHz tone spoken at ${rateHz} Hz arrives at the same frequency and level, without gaps`, async (t) => {
    const { caller, callee } = await legPair(t)
    const tone = toneSource(rateHz, 1_000)
    const heard: Int16Array[] = []
    await runSlots({ caller, callee }, 1_000, () => {
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

test('one stream is heard at all four rates at once, each exactly rate/50 samples a slot', async (t) => {
  const { caller, callee } = await legPair(t)
  const tone = toneSource(16_000, 440)
  const heard = RATES_HZ.map((): Int16Array[] => [])
  await runSlots({ caller, callee }, 1_000, () => {
    caller.leg.send(pcm(tone(320), 16_000))
    const frames = callee.leg.receive(RATES_HZ)
    t.deepEqual(frames.map((frame) => frame.length), RATES_HZ.map((rateHz) => rateHz / 50))
    if (callee.leg.isFlowing) frames.forEach((frame, i) => heard[i]?.push(frame))
    return (heard[0]?.length ?? 0) >= 40
  })
  RATES_HZ.forEach((rateHz, i) => t.is(dominantHz(joined((heard[i] ?? []).slice(10)), rateHz), 440))
})

test('digits travel both ways, once each, and audio goes on after them', async (t) => {
  const { caller, callee } = await legPair(t)
  const tone = toneSource(16_000, 1_000)
  const heard: Int16Array[] = []
  let isSent = false
  await runSlots({ caller, callee }, 1_500, () => {
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

test('silence keeps packets going and is silent, and ready packets are passed on as they are', async (t) => {
  const { caller, callee } = await legPair(t)
  const encoder = (await loadOpus()).openEncoder(48_000)
  const tone = toneSource(48_000, 600)
  const packets = Array.from({ length: 100 }, () => encoder.encode(tone(960)))
  const silent: Int16Array[] = []
  const file: Int16Array[] = []
  await runSlots({ caller, callee }, 1_500, () => {
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

test('slots that a stalled process missed move the peer on without being heard as loss', async (t) => {
  const { caller, callee } = await legPair(t)
  let sent = 0
  await runSlots({ caller, callee }, 1_000, () => {
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

test('a round trip is measured from the reports of both sides', async (t) => {
  const { caller, callee } = await legPair(t)
  await runSlots({ caller, callee }, 20_000, () => {
    for (const { leg } of [caller, callee]) {
      leg.send(SILENCE)
      leg.receive([])
    }
    return caller.leg.stats().rttMs !== null && callee.leg.stats().rttMs !== null
  })
  for (const { leg } of [caller, callee]) {
    const rttMs = leg.stats().rttMs ?? -1
    t.true(rttMs >= 0 && rttMs < 2_000, `${rttMs}`)
  }
})

test('the offer carries all candidates, one codec for speech and no address but the one given', async (t) => {
  const { leg } = legOpener(await loadOpus(), t)()
  const sdp = await leg.offer()
  t.regex(sdp, /^a=candidate:\S+ 1 udp \d+ 127\.0\.0\.1 \d+ typ host/m)
  t.is(sdp.match(/^a=candidate:/gm)?.length, 1)
  t.regex(sdp, /^a=end-of-candidates/m)
  t.regex(sdp, /^a=rtpmap:111 opus\/48000\/2/m)
  t.regex(sdp, /^a=fmtp:111 .*useinbandfec=1/m)
  t.regex(sdp, /^a=rtpmap:\d+ telephone-event\/48000/m)
  t.regex(sdp, /^a=ptime:20/m)
  t.regex(sdp, /^a=setup:actpass/m)
  t.regex(sdp, /^a=rtcp-mux/m)
})

for (const [offered, answered] of [['actpass', 'active'], ['active', 'passive'], ['passive', 'active']] as const) {
  test(`an offer with setup:${offered} is answered with setup:${answered} (RFC 8842)`, async (t) => {
    const open = legOpener(await loadOpus(), t)
    const caller = open()
    const callee = open()
    const offer = (await caller.leg.offer()).replace('a=setup:actpass', `a=setup:${offered}`)
    t.regex(await callee.leg.answer(offer), new RegExp(`^a=setup:${answered}\r?$`, 'm'))
  })
}

test('payload types of the peer are used, and a peer without telephone events gets no digits', async (t) => {
  const open = legOpener(await loadOpus(), t)
  const caller = open()
  const callee = open()
  const offer = (await caller.leg.offer())
    .replace('SAVPF 111 110 126', 'SAVPF 96')
    .replace(/^a=(rtpmap|fmtp):(110|126) .*\r\n/gm, '')
    .replaceAll(/^a=(rtpmap|fmtp):111 /gm, 'a=$1:96 ')
    .replaceAll(/^a=ssrc:.*\r\n/gm, '')
  const answer = await callee.leg.answer(offer)
  t.regex(answer, /^m=audio \d+ UDP\/TLS\/RTP\/SAVPF 96\r?$/m)
  t.false(callee.leg.sendDigits('1'))
})

test('what is no usable session description is refused', async (t) => {
  const open = legOpener(await loadOpus(), t)
  const { leg } = open()
  const offer = await leg.offer()
  leg.close()
  const bad = ['', 'hello', 'v=0\r\n', offer.replace(/^a=fingerprint.*\r\n/gm, ''), offer.replaceAll('opus', 'other').replaceAll('telephone-event', 'thing')]
  for (const sdp of bad) {
    const callee = open()
    await t.throwsAsync(() => callee.leg.answer(sdp), { instanceOf: UnusableSdp })
    callee.leg.close()
  }
})

test('a closed leg is quiet and closing twice is harmless', async (t) => {
  const { caller, callee } = await legPair(t)
  await runSlots({ caller, callee }, 300, () => {
    caller.leg.send(SILENCE)
    callee.leg.receive([16_000])
    return callee.leg.isFlowing
  })
  callee.leg.close()
  callee.leg.close()
  callee.leg.send(SILENCE)
  t.deepEqual(callee.leg.receive([8_000, 16_000]).map((frame) => frame.length), [160, 320])
  t.deepEqual(callee.notes.lost, [])
  caller.leg.close()
  await until('the events settle', () => true)
  t.deepEqual(caller.notes.lost, [])
})

test('a peer whose certificate is not the one it announced is lost, and told so once', async (t) => {
  const open = legOpener(await loadOpus(), t)
  const caller = open()
  const callee = open()
  const answer = await callee.leg.answer(await caller.leg.offer())
  await caller.leg.connect(answer.replace(/^(a=fingerprint:sha-256 )\S\S/m, (line, start: string) => `${start}${line.endsWith('00') ? '11' : '00'}`))
  await until('the caller gives up', () => caller.notes.lost.length > 0)
  t.deepEqual(caller.notes.lost, ['failed'])
  caller.leg.send(SILENCE)
  t.is(caller.leg.stats().sentFrames, 0)
})

test('packets that are no audio, empty or garbage disturb nothing', async (t) => {
  const { caller, callee } = await legPair(t)
  const junk = [new Uint8Array(0), Uint8Array.of(0xff), Uint8Array.of(3), new Uint8Array(1_200).fill(7)]
  const tone = toneSource(16_000, 700)
  const heard: Int16Array[] = []
  await runSlots({ caller, callee }, 1_000, (slot) => {
    const packet = slot % 5 === 0 ? junk[slot / 5 % junk.length] : undefined
    caller.leg.send(packet ? { kind: 'opus', packet } : pcm(tone(320), 16_000))
    const [frame] = callee.leg.receive([16_000])
    if (frame && callee.leg.isFlowing) heard.push(frame)
    return heard.length >= 80
  })
  t.true(heard.every((frame) => frame.length === 320))
  t.is(dominantHz(joined(heard.slice(10)), 16_000), 700)
  t.deepEqual(callee.notes.lost, [])
})

test('a leg closed while it negotiates says so instead of waiting for ever', async (t) => {
  const open = legOpener(await loadOpus(), t)
  const caller = open()
  const offer = await caller.leg.offer()
  const callee = open()
  const answering = callee.leg.answer(offer)
  callee.leg.close()
  await t.throwsAsync(() => answering)
  await t.throwsAsync(() => callee.leg.offer())
})

test('peers that name no source in their descriptions are heard, and a second answer changes nothing', async (t) => {
  const open = legOpener(await loadOpus(), t)
  const caller = open()
  const callee = open()
  const bare = (sdp: string): string => sdp.replaceAll(/^a=ssrc:.*\r\n/gm, '')
  const answer = bare(await callee.leg.answer(bare(await caller.leg.offer())))
  await caller.leg.connect(answer)
  await caller.leg.connect(answer)
  await runSlots({ caller, callee }, 1_000, (slot) => {
    for (const { leg } of [caller, callee]) {
      leg.send(SILENCE)
      leg.receive([])
    }
    return caller.leg.stats().receivedFrames >= 20 && callee.leg.stats().receivedFrames >= 20 && slot > 0
  })
  // Nothing is heard twice.
  t.true(callee.leg.stats().receivedFrames <= caller.leg.stats().sentFrames)
  t.true(caller.leg.stats().receivedFrames <= callee.leg.stats().sentFrames)
})
