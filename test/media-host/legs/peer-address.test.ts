import test from 'ava'
import { PeerAddress } from '../../../media-host/legs/peer-address.ts'
import type { Source } from '../../../media-host/legs/peer-address.ts'

const HOME: Source = ['192.0.2.1', 5]
const AWAY: Source = ['192.0.2.1', 6]

test('audio from another address has it asked once, and the answer moves the peer there', (t) => {
  const peer = new PeerAddress(HOME, 0)
  t.false(peer.audio(HOME, 20), 'where it is already')
  t.true(peer.audio(AWAY, 40))
  t.false(peer.audio(AWAY, 60), 'it is being asked')
  t.true(peer.answered(AWAY, 80))
  t.false(peer.audio(AWAY, 100))
  t.true(peer.audio(HOME, 120), 'it may come back')
  t.true(peer.answered(HOME, 140))
})

test('a late packet of the old address does not move a peer back, nor does an answer that comes too late', (t) => {
  const peer = new PeerAddress(HOME, 0)
  t.true(peer.audio(AWAY, 20))
  t.false(peer.audio(HOME, 21))
  t.false(peer.answered(AWAY, 40), 'it was seen at home last')
  t.true(peer.audio(AWAY, 60), 'the next packet asks again')
  t.true(peer.answered(AWAY, 80))
  t.true(peer.audio(HOME, 81))
  t.false(peer.audio(AWAY, 100))
  t.false(peer.answered(HOME, 120))
})

test('an address that gives no answer is asked again by the next packet, and four at once at most', (t) => {
  const peer = new PeerAddress(HOME, 0)
  t.true(peer.audio(AWAY, 20))
  peer.unanswered(AWAY)
  t.true(peer.audio(AWAY, 40))
  const others = [7, 8, 9, 10].map((port): Source => ['192.0.2.1', port])
  t.deepEqual(
    others.map((other) => peer.audio(other, 60)),
    [true, true, true, false],
  )
})

test('a check moves a peer that chose the pair, or was not heard for a second where it is', (t) => {
  const peer = new PeerAddress(HOME, 0)
  t.false(peer.check(AWAY, false, 900), 'a phone checks all its addresses')
  t.true(peer.check(AWAY, true, 900))
  peer.unanswered(AWAY)
  t.false(peer.check(HOME, false, 950), 'its check tells that it is there')
  t.false(peer.check(AWAY, false, 1_940))
  t.true(peer.check(AWAY, false, 1_950))
  t.true(peer.answered(AWAY, 1_960))
})

// [bridged-calls.bridge.10]
test('addresses of a further description are asked when it names no more where the peer is, and the first answer moves it', (t) => {
  const peer = new PeerAddress(HOME, 0)
  const third: Source = ['192.0.2.1', 7]
  t.deepEqual(peer.announced([HOME, AWAY], [AWAY]), [], 'it is still named')
  t.false(peer.answered(AWAY, 20))
  t.deepEqual(peer.announced([AWAY, third], [AWAY, third]), [AWAY, third])
  t.false(peer.audio(HOME, 40), 'it speaks from there still')
  t.true(peer.answered(third, 60))
  t.false(peer.answered(AWAY, 80), 'it has moved')
  const many = [8, 9, 10, 11, 12].map((port): Source => ['192.0.2.1', port])
  t.deepEqual(peer.announced(many, many), many.slice(0, 4))
})
