import test from 'ava'
import type { OutgoingFrame } from '../../../media-host/audio/frame.ts'
import { UnusableDescription } from '../../../media-host/legs/leg.ts'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import { legOpener, runSlots } from '../../helpers/audio-legs.ts'
import { until } from '../../helpers/until.ts'

const SILENCE: OutgoingFrame = { kind: 'silence' }

// [voice.network.4]
test('a round trip is measured from the reports of both sides, whether they name their sources or not', async (t) => {
  const open = legOpener(await loadOpus(), t)
  const caller = open()
  const callee = open()
  const bare = (sdp: string): string => sdp.replaceAll(/^a=ssrc:.*\r\n/gm, '')
  await caller.leg.connect(await callee.leg.answer(bare(await caller.leg.offer())))
  await runSlots({ caller, callee }, Infinity, () => {
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

for (const [offered, answered] of [
  ['actpass', 'active'],
  ['active', 'passive'],
  ['passive', 'active'],
] as const) {
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

test('an unusable session description is refused', async (t) => {
  const open = legOpener(await loadOpus(), t)
  const { leg } = open()
  const offer = await leg.offer()
  leg.close()
  const bad = [
    '',
    'hello',
    'v=0\r\n',
    offer.replace(/^a=fingerprint.*\r\n/gm, ''),
    offer.replaceAll('opus', 'other').replaceAll('telephone-event', 'thing'),
  ]
  for (const sdp of bad) {
    const callee = open()
    await t.throwsAsync(() => callee.leg.answer(sdp), { instanceOf: UnusableDescription })
    callee.leg.close()
  }
})

test('a peer whose certificate is not the one it announced is lost, and told so once', async (t) => {
  const open = legOpener(await loadOpus(), t)
  const caller = open()
  const callee = open()
  const answer = await callee.leg.answer(await caller.leg.offer())
  await caller.leg.connect(
    answer.replace(
      /^(a=fingerprint:sha-256 )\S\S/m,
      (line, start: string) => `${start}${line.endsWith('00') ? '11' : '00'}`,
    ),
  )
  await until('the caller gives up', () => caller.notes.lost.length > 0)
  t.deepEqual(caller.notes.lost, ['failed'])
  caller.leg.send(SILENCE)
  t.is(caller.leg.stats().sentFrames, 0)
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
  // No frame is received twice.
  t.true(callee.leg.stats().receivedFrames <= caller.leg.stats().sentFrames)
  t.true(caller.leg.stats().receivedFrames <= callee.leg.stats().sentFrames)
})
