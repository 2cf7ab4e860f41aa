import test from 'ava'
import { PlayoutQueue } from '../../../media-host/playback/playout-queue.ts'
import { ramp } from '../../helpers/media-host-rig.ts'
import type { PlayoutEvent } from '../../../media-host/playback/playout-items.ts'

const PACKET = Uint8Array.of(72, 1, 2)

/** What each of the next slots sends, with the kinds of its events. */
function play(queue: PlayoutQueue, slots: number): string[] {
  return Array.from({ length: slots }, () => {
    const events: PlayoutEvent[] = []
    const frame = queue.take(events)
    return [frame.kind, ...events.map(({ kind }) => kind)].join('+')
  })
}

// [realtime.opus.4]
test('a packet is sent in its first slot, and marks behind it are reached in its last', (t) => {
  const queue = new PlayoutQueue()
  queue.pushPacket(PACKET, 3)
  queue.pushMark('end')
  queue.pushPacket(PACKET, 1)
  t.is(queue.queuedMs, 80)
  t.deepEqual(play(queue, 5), ['opus', 'held', 'held+mark', 'opus+drained', 'silence'])
  t.is(queue.queuedMs, 0)
})

// [realtime.opus.4]
test('packets wait for the prebuffer, count as played, and follow samples and files in order', (t) => {
  const queue = new PlayoutQueue()
  queue.setPrebuffer(60)
  queue.pushPacket(PACKET, 2)
  t.deepEqual(play(queue, 1), ['silence'])
  queue.pushAudio(ramp(320), 16_000)
  t.deepEqual(play(queue, 2), ['opus', 'held'])
  queue.pushPacket(PACKET, 1)
  t.deepEqual(play(queue, 1), ['pcm'])
  const { playedMs, discardedMs } = queue.clear()
  t.deepEqual({ playedMs, discardedMs }, { playedMs: 60, discardedMs: 20 })
})

// [realtime.opus.4]
test('a packet that was sent lasts on when the queue is cleared or paused, and what follows waits for its end', (t) => {
  const queue = new PlayoutQueue()
  queue.pushPacket(PACKET, 3)
  queue.pushPacket(PACKET, 3)
  play(queue, 1)
  queue.clear()
  queue.pushPacket(PACKET, 2)
  t.deepEqual(play(queue, 3), ['held', 'held', 'opus'])
  queue.setPaused(true)
  queue.pushMark('behind')
  t.deepEqual(play(queue, 2), ['held', 'silence'])
  queue.setPaused(false)
  t.deepEqual(play(queue, 1), ['silence+mark+drained'])
})

// [realtime.opus.4]
test('60 s of packets may wait, and more is refused', (t) => {
  const queue = new PlayoutQueue()
  for (let packet = 0; packet < 1_000; packet++) queue.pushPacket(PACKET, 3)
  t.is(queue.queuedMs, 60_000)
  t.like(queue.pushPacket(PACKET, 1), { kind: 'buffer', state: 'full', droppedMs: 20 })
  t.is(queue.queuedMs, 60_000)
})
