import test from 'ava'
import { readEngineFacts } from '../../../src/providers/unofficial/engine-facts.ts'
import { readEvent } from '../../../src/providers/unofficial/events.ts'

function incoming(media: object, engineHost: string) {
  const reading = readEvent('call.incoming', { callId: 'c', from: '5511990000001', media }, '551130000000', engineHost)
  return reading.kind === 'event' && reading.event.type === 'incomingCall' ? reading.event.sdp : reading.kind
}

// [engines.bridge.2]
test('an inbound call of raw audio is described by its rate, and by address and token where the engine listens', (t) => {
  t.deepEqual(JSON.parse(incoming({ kind: 'pcm16', rateHz: 8_000, later: 1 }, 'engine')), {
    kind: 'pcm16',
    rateHz: 8_000,
  })
  const listening = { kind: 'pcm16', rateHz: 48_000, url: 'ws://engine:9/leg', token: 'secret' }
  t.deepEqual(JSON.parse(incoming(listening, 'engine')), listening)
  t.is(incoming({ kind: 'webrtc', sdp: 'v=0' }, 'engine'), 'v=0')
  t.is(incoming({ sdp: 'v=0' }, 'engine'), 'v=0')
})

test('an engine has no other machine dialled than its own', (t) => {
  const at = (url: string) => ({ kind: 'pcm16', rateHz: 8_000, url, token: 'secret' })
  t.is(incoming(at('ws://10.0.0.1/'), 'engine'), 'invalid')
  t.is(incoming(at('ws://localhost:1/'), 'engine'), 'invalid')
  t.is(incoming(at('http://engine/'), 'engine'), 'invalid')
  t.is(incoming(at('ws://user:password@engine/'), 'engine'), 'invalid')
  t.is(incoming({ kind: 'pcm16', rateHz: 8_000, url: 'ws://engine/' }, 'engine'), 'invalid')
  t.is(incoming({ kind: 'pcm16', rateHz: 44_100 }, 'engine'), 'invalid')
  t.true(incoming(at('ws://localhost:1/'), '127.0.0.1').startsWith('{'))
})

test('the kinds of audio keep the engine’s order, for calls are offered with the first', (t) => {
  t.deepEqual(readEngineFacts({ callMedia: ['later', 'pcm16', 'webrtc'] })?.callMedia, ['pcm16', 'webrtc'])
  t.deepEqual(readEngineFacts({ callMedia: ['webrtc', 'pcm16'] })?.callMedia, ['webrtc', 'pcm16'])
})
