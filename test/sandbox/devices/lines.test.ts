import test from 'ava'
import { encodeSounds } from '../../../sandbox/devices/phone-opus.ts'
import { createTicker } from '../../../sandbox/devices/phone-ticker.ts'
import { Phone } from '../../../sandbox/devices/phone.ts'
import type { Voice } from '../../../sandbox/devices/behaviours.ts'
import { describeMedia } from '../../../src/domain/call-media.ts'
import { systemClock } from '../../../src/process/clock.ts'
import { until } from '../../helpers/until.ts'
import { startPlayground, type Playground } from '../bridge-client.ts'

/** Digits of a peer that has no account; once it is linked it has one. */
const CALLEE = '551130000004'
const CALLER = '551130000011'

let playground: Playground

test.before(async () => {
  playground = await startPlayground()
})

test.after.always(() => playground?.sandbox.close())

/** The gateway's end of the media, which is another real phone. */
async function media(t: { teardown(end: () => void): void }, voice: Voice): Promise<Phone> {
  const parts = { clock: systemClock, ticker: createTicker(systemClock), sounds: await encodeSounds(), lost: () => {} }
  const phone = await Phone.open(voice, parts)
  t.teardown(() => phone.close())
  return phone
}

/** Two numbers of the network, of which one rings the other. */
async function ringing(t: { teardown(end: () => void): void }) {
  const [{ client: caller }, { client: callee }] = [await playground.link(CALLER), await playground.link(CALLEE)]
  const mine = await media(t, 'tone')
  const offer = { kind: 'webrtc', sdp: await mine.offer() }
  const { callId } = await caller.result('call.offer', { to: CALLEE, media: offer })
  const incoming = await callee.event('call.incoming', ({ from }) => from === CALLER)
  return { caller, callee, mine, callId, incoming }
}

// [sandbox.peers.10]
test.serial('a number that calls another one is heard there, keys too, and who hangs up ends both calls', async (t) => {
  const { caller, callee, mine, callId, incoming } = await ringing(t)
  const theirs = await media(t, 'silence')
  const answer = { kind: 'webrtc', sdp: await theirs.answer(incoming.media ? describeMedia(incoming.media) : '') }
  await callee.result('call.accept', { callId: incoming.callId, media: answer })
  theirs.start()
  const answered = await caller.event('call.answered', (event) => event.callId === callId)
  await mine.connect(describeMedia(answered.media))
  mine.start()
  await until('the tone is heard at the other end', async () => {
    const { dominantHz, rms } = await theirs.ear.measureSince(Date.now() - 400)
    return rms > 0.1 && Math.abs((dominantHz ?? 0) - 440) < 5
  })
  mine.press('7')
  await until('the key is heard', () => theirs.digits.map(({ digit }) => digit).join('') === '7')
  t.deepEqual(mine.digits, [])
  await callee.result('call.terminate', { callId: incoming.callId })
  t.is((await caller.event('call.ended', (event) => event.callId === callId)).reason, 'hangup')
  t.is((await callee.event('call.ended', (event) => event.callId === incoming.callId)).reason, 'hangup')
})

test.serial('a number that declines ends the call of the one that rang it', async (t) => {
  const { caller, callee, callId, incoming } = await ringing(t)
  await callee.result('call.reject', { callId: incoming.callId })
  t.is((await caller.event('call.ended', (event) => event.callId === callId)).reason, 'declined')
})

test.serial('a caller who gives up ends the ringing at the other number', async (t) => {
  const { caller, callee, callId, incoming } = await ringing(t)
  await caller.result('call.terminate', { callId })
  t.is((await callee.event('call.ended', (event) => event.callId === incoming.callId)).reason, 'canceled')
})
