import test from 'ava'
import {
  describeMedia,
  isSocketUrl,
  kindOfDescription,
  readDescription,
  storableOffer,
} from '../../src/domain/call-media.ts'
import type { CallMedia } from '../../src/domain/call-media.ts'

const RAW: CallMedia = { kind: 'pcm16', rateHz: 16_000 }
const LISTENING: CallMedia = { ...RAW, url: 'ws://127.0.0.1:1/leg', token: 'secret' }

test('the description of a leg says its kind, and is read back as it was', (t) => {
  for (const media of [{ kind: 'webrtc', sdp: 'v=0\r\n' } as const, RAW, LISTENING]) {
    t.deepEqual(readDescription(describeMedia(media)), media)
    t.is(kindOfDescription(describeMedia(media)), media.kind)
  }
})

// [engines.bridge.2]
test('raw audio of another rate, without a token or at another address than a socket’s is none', (t) => {
  for (const wrong of [
    { ...RAW, rateHz: 44_100 },
    { ...LISTENING, token: '' },
    { ...RAW, url: 'ws://a/' },
    { ...LISTENING, url: 'http://a/' },
    { kind: 'other' },
  ]) {
    t.is(readDescription(JSON.stringify(wrong)), null)
  }
  t.is(readDescription('{'), null)
  t.false(isSocketUrl('ws://user:password@a/'))
})

test('an offer that contains a token is not stored in a row', (t) => {
  t.is(storableOffer(describeMedia(LISTENING)), null)
  t.is(storableOffer(describeMedia(RAW)), describeMedia(RAW))
  t.is(storableOffer('v=0\r\n'), 'v=0\r\n')
})
