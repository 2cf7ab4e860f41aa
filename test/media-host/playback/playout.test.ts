import test from 'ava'
import { array, assert, integer, property } from 'fast-check'
import { PlayoutQueue } from '../../../media-host/playback/playout-queue.ts'
import { newId } from '../../../src/domain/ids.ts'
import { firstDifference } from '../../helpers/first-difference.ts'
import { ramp, ScriptedPlayable } from '../../helpers/media-host-rig.ts'
import type { OutgoingFrame } from '../../../media-host/audio/frame.ts'
import type { PlayoutEvent, QueuedFile } from '../../../media-host/playback/playout-items.ts'

/** Plays slots of a queue and keeps the frames. */
function player(queue: PlayoutQueue) {
  const frames: OutgoingFrame[] = []
  const events: PlayoutEvent[] = []
  const perSlot: string[] = []
  return {
    frames,
    events,
    perSlot,
    run(slots: number) {
      for (let i = 0; i < slots; i++) {
        const now: PlayoutEvent[] = []
        const frame = queue.take(now)
        frames.push(frame)
        events.push(...now)
        perSlot.push([frame.kind, ...now.map(({ kind }) => kind)].join('+'))
      }
    },
    heard: () => frames.flatMap((frame) => (frame.kind === 'pcm' ? [...frame.samples] : [])),
    of: <K extends PlayoutEvent['kind']>(kind: K) =>
      events.filter((event): event is PlayoutEvent & { kind: K } => event.kind === kind),
  }
}

function file(playable: ScriptedPlayable | null, hangupAfterPlay = false): QueuedFile {
  return { playbackId: newId('play'), mediaUrl: 'http://files/x', hangupAfterPlay, playable }
}

test('audio of any chunking leaves bit-exact in frames of 20 ms', (t) => {
  assert(
    property(array(integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 30 }), (chunks) => {
      const queue = new PlayoutQueue()
      const out = player(queue)
      let total = 0
      for (const size of chunks) {
        queue.pushAudio(ramp(size, total), 16_000)
        total += size
      }
      out.run(total / 320 + 5)
      const heard = out.heard()
      t.is(firstDifference(heard.slice(0, total), ramp(total)), null)
      t.true(heard.slice(total).every((sample) => sample === 0))
      t.true(out.frames.every((frame) => frame.kind !== 'pcm' || frame.samples.length === 320))
      t.is(queue.queuedMs, 0)
    }),
    { numRuns: 40 },
  )
})

test('an utterance starts when the prebuffer is filled, or has waited as long as it is', (t) => {
  const queue = new PlayoutQueue()
  queue.setPrebuffer(40)
  const out = player(queue)
  queue.pushAudio(ramp(320), 16_000)
  out.run(1)
  queue.pushAudio(ramp(320), 16_000)
  out.run(1)
  t.deepEqual(out.perSlot, ['silence', 'pcm'])
  const late = new PlayoutQueue()
  late.setPrebuffer(40)
  const lateOut = player(late)
  late.pushAudio(ramp(320), 16_000)
  lateOut.run(3)
  t.deepEqual(lateOut.perSlot, ['silence', 'silence', 'pcm+drained'])
})

test('the prebuffer comes again after the queue ran empty', (t) => {
  const queue = new PlayoutQueue()
  queue.setPrebuffer(40)
  const out = player(queue)
  queue.pushAudio(ramp(640), 16_000)
  out.run(2)
  queue.pushAudio(ramp(320), 16_000)
  out.run(1)
  t.deepEqual(out.perSlot, ['pcm', 'pcm+drained', 'silence'])
  t.is(queue.underruns, 1)
})

test('audio that comes long after the last, in a pause of the queue, is not counted as late', (t) => {
  const queue = new PlayoutQueue()
  const out = player(queue)
  queue.pushAudio(ramp(320), 16_000)
  out.run(3)
  queue.setPaused(true)
  out.run(500)
  queue.setPaused(false)
  queue.pushAudio(ramp(320), 16_000)
  t.is(queue.underruns, 0)
})

test('a partial frame waits one slot for its rest, then goes out padded', (t) => {
  const queue = new PlayoutQueue()
  const out = player(queue)
  queue.pushAudio(ramp(400), 16_000)
  out.run(3)
  t.deepEqual(out.perSlot, ['pcm', 'silence', 'pcm+drained'])
  const completed = new PlayoutQueue()
  const completedOut = player(completed)
  completed.pushAudio(ramp(400), 16_000)
  completedOut.run(2)
  completed.pushAudio(ramp(240, 400), 16_000)
  completedOut.run(1)
  t.deepEqual(completedOut.heard(), [...ramp(640)])
})

// [realtime.client-messages.4]
test('flush ends the prebuffer and pads the tail without waiting', (t) => {
  const queue = new PlayoutQueue()
  queue.setPrebuffer(200)
  const out = player(queue)
  queue.pushAudio(ramp(400), 16_000)
  queue.flush()
  queue.pushAudio(ramp(320), 16_000)
  out.run(3)
  t.deepEqual(out.perSlot, ['pcm', 'pcm', 'pcm+drained'])
  t.deepEqual(out.heard(), [...ramp(400), ...Array.from({ length: 240 }, () => 0), ...ramp(320)])
})

// [realtime.server-messages.3] [realtime.server-messages.6] [realtime.client-messages.2]
test('a mark is reported with the frame that carries the last sample before it', (t) => {
  const queue = new PlayoutQueue()
  const out = player(queue)
  queue.pushAudio(ramp(480), 16_000)
  queue.pushMark('a')
  queue.pushAudio(ramp(480), 16_000)
  queue.pushMark('b')
  out.run(3)
  t.deepEqual(out.perSlot, ['pcm', 'pcm+mark', 'pcm+mark+drained'])
  t.deepEqual(
    out.of('mark').map(({ name, status, playedMs }) => [name, status, playedMs]),
    [
      ['a', 'played', 30],
      ['b', 'played', 60],
    ],
  )
  t.deepEqual(
    out.of('drained').map(({ playedMs }) => playedMs),
    [60],
  )
})

test('a mark with nothing before it has been reached at once', (t) => {
  t.like(new PlayoutQueue().pushMark('now'), { kind: 'mark', name: 'now', status: 'played' })
})

// [realtime.server-messages.3] [realtime.client-messages.1] [realtime.client-messages.2]
test('clear drops what was sent before it and tells how much was heard', (t) => {
  const queue = new PlayoutQueue()
  const out = player(queue)
  queue.pushAudio(ramp(16_000), 16_000)
  queue.pushMark('one')
  queue.pushAudio(ramp(16_000), 16_000)
  queue.pushMark('two')
  out.run(10)
  const cleared = queue.clear()
  t.like(cleared, { discardedMs: 1_800, playedMs: 200, marks: ['one', 'two'] })
  t.deepEqual(
    cleared.events.map((event) => (event.kind === 'mark' ? [event.name, event.status] : event.kind)),
    [
      ['one', 'cleared'],
      ['two', 'cleared'],
    ],
  )
  t.is(queue.queuedMs, 0)
  out.run(1)
  t.is(out.frames.at(-1)?.kind, 'silence')
  queue.pushAudio(ramp(320, 5_000), 16_000)
  out.run(1)
  t.deepEqual(out.heard().slice(-320), [...ramp(320, 5_000)])
})

test('a clear after the utterance was heard tells that all of it was', (t) => {
  const queue = new PlayoutQueue()
  player(queue).run(1)
  queue.pushAudio(ramp(1_600), 16_000)
  player(queue).run(6)
  t.like(queue.clear(), { discardedMs: 0, playedMs: 100 })
  t.like(queue.clear(), { discardedMs: 0, playedMs: 0 })
})

test('a thousand clears leave nothing counted', (t) => {
  const queue = new PlayoutQueue()
  for (let i = 0; i < 1_000; i++) {
    queue.pushAudio(ramp(2_000), 48_000)
    queue.take([])
    queue.clear()
  }
  t.is(queue.queuedMs, 0)
})

test('pause holds everything and resume continues without loss', (t) => {
  const queue = new PlayoutQueue()
  const out = player(queue)
  queue.pushAudio(ramp(1_600), 16_000)
  out.run(2)
  queue.setPaused(true)
  out.run(50)
  queue.setPaused(false)
  out.run(3)
  t.deepEqual(out.heard(), [...ramp(1_600)])
  t.is(out.of('drained').length, 1)
})

test('a rate that changes between sessions is padded at the seam', (t) => {
  const queue = new PlayoutQueue()
  const out = player(queue)
  queue.pushAudio(ramp(400), 16_000)
  queue.pushAudio(ramp(480), 24_000)
  out.run(3)
  t.deepEqual(
    out.frames.map((frame) => (frame.kind === 'pcm' ? [frame.rateHz, frame.samples.length] : frame.kind)),
    [
      [16_000, 320],
      [16_000, 320],
      [24_000, 480],
    ],
  )
})

test('the buffer tells pause over 30 s, full over 60 s and ok under 15 s, and refuses the newest audio whole', (t) => {
  const queue = new PlayoutQueue()
  const out = player(queue)
  const second = ramp(8_000)
  for (let i = 0; i < 30; i++) t.is(queue.pushAudio(second, 8_000), null)
  t.like(queue.pushAudio(second, 8_000), { kind: 'buffer', state: 'pause', queuedMs: 31_000, droppedMs: 0 })
  for (let i = 31; i < 60; i++) t.is(queue.pushAudio(second, 8_000), null)
  t.like(queue.pushAudio(second, 8_000), { state: 'full', queuedMs: 60_000, droppedMs: 1_000 })
  t.like(queue.pushAudio(second, 8_000), { state: 'full', droppedMs: 2_000 })
  out.run(45 * 50)
  t.is(out.of('buffer').length, 0)
  out.run(1)
  t.like(out.of('buffer')[0], { state: 'ok', queuedMs: 14_980, droppedMs: 2_000 })
})

test('clear of a full buffer tells ok', (t) => {
  const queue = new PlayoutQueue()
  for (let i = 0; i < 31; i++) queue.pushAudio(ramp(16_000), 16_000)
  t.like(queue.clear().events.at(-1), { kind: 'buffer', state: 'ok', queuedMs: 0 })
})

test('files queue in order with audio, and tell when they begin and end', (t) => {
  const queue = new PlayoutQueue()
  const out = player(queue)
  queue.pushAudio(ramp(400), 16_000)
  queue.pushFile(file(new ScriptedPlayable(2)))
  queue.pushAudio(ramp(320), 16_000)
  queue.pushMark('after')
  out.run(5)
  t.deepEqual(out.perSlot, ['pcm', 'pcm', 'opus+file', 'opus+file', 'pcm+mark+drained'])
  t.deepEqual(
    out.of('file').map(({ status }) => status),
    ['PLAYING', 'FINISHED'],
  )
})

test('a file that is still loading is waited for, packet by packet', (t) => {
  const queue = new PlayoutQueue()
  const out = player(queue)
  const playable = new ScriptedPlayable(1, 'loading')
  queue.pushFile(file(playable))
  out.run(2)
  playable.packets.push(Uint8Array.of(9))
  out.run(1)
  playable.state = 'complete'
  out.run(1)
  t.deepEqual(out.perSlot, ['opus+file', 'silence', 'opus', 'silence+file+drained'])
})

test('a file that fails makes room for what waits behind it', (t) => {
  const queue = new PlayoutQueue()
  const out = player(queue)
  const playable = new ScriptedPlayable(1, 'failed')
  playable.error = 'MEDIA_DOWNLOAD_FAILED'
  queue.pushFile(file(playable))
  queue.pushAudio(ramp(320), 16_000)
  out.run(2)
  t.deepEqual(out.perSlot, ['opus+file', 'pcm+file+drained'])
  t.like(out.of('file')[1], { status: 'FAILED', error: 'MEDIA_DOWNLOAD_FAILED' })
})

// [calls.play.3]
test('of a file that fails before its first packet the peer hears nothing, and it is never told to be finished', (t) => {
  const queue = new PlayoutQueue()
  const out = player(queue)
  const playable = new ScriptedPlayable(0, 'failed')
  playable.error = 'MEDIA_UNSUPPORTED'
  queue.pushFile(file(playable, true))
  out.run(20)
  t.true(out.frames.every(({ kind }) => kind === 'silence'))
  t.like(out.of('file').at(-1), { status: 'FAILED', error: 'MEDIA_UNSUPPORTED' })
  t.false(out.of('file').some(({ status }) => status === 'FINISHED'))
})

// [realtime.client-messages.16]
test('a file that ends the call is told to be finished after the peer could hear its end', (t) => {
  const queue = new PlayoutQueue()
  const out = player(queue)
  queue.pushFile(file(new ScriptedPlayable(1), true))
  out.run(11)
  t.deepEqual(
    out.of('file').map(({ status }) => status),
    ['PLAYING'],
  )
  out.run(1)
  t.deepEqual(
    out.of('file').map(({ status }) => status),
    ['PLAYING', 'FINISHED'],
  )
})

test('clear takes files out as failed, without a hang-up', (t) => {
  const queue = new PlayoutQueue()
  queue.pushFile(file(new ScriptedPlayable(5), true))
  queue.take([])
  const { events, discardedMs } = queue.clear()
  t.like(events[0], { kind: 'file', status: 'FAILED', error: 'CLEARED' })
  t.is(discardedMs, 80)
  t.is(queue.files.length, 0)
})

test('digits and a hang-up wait for the audio sent before them', (t) => {
  const queue = new PlayoutQueue()
  const out = player(queue)
  queue.pushAudio(ramp(320), 16_000)
  queue.pushDigits('12')
  queue.pushAudio(ramp(320), 16_000)
  queue.pushHangup('done')
  out.run(3)
  t.deepEqual(out.perSlot, ['pcm', 'silence+digits', 'pcm+hangup+drained'])
})

test('digits that are cleared are pressed at once, in their order', (t) => {
  const queue = new PlayoutQueue()
  queue.pushAudio(ramp(3_200), 16_000)
  queue.pushDigits('12')
  queue.pushDigits('#')
  t.deepEqual(queue.clear().events, [
    { kind: 'digits', digits: '12' },
    { kind: 'digits', digits: '#' },
  ])
  t.deepEqual(queue.clear().events, [])
})

test('a hang-up that is cleared happens at once', (t) => {
  const queue = new PlayoutQueue()
  queue.pushAudio(ramp(32_000), 16_000)
  queue.pushHangup('done')
  t.deepEqual(queue.clear().events, [{ kind: 'hangup', reason: 'done' }])
})

test('audio that a lost socket queued is dropped, and files stay', (t) => {
  const queue = new PlayoutQueue()
  queue.pushAudio(ramp(16_000), 16_000)
  queue.pushMark('m')
  queue.pushFile(file(new ScriptedPlayable(1)))
  queue.setPaused(true)
  queue.dropSocketAudio()
  t.is(queue.queuedMs, 0)
  t.is(queue.files.length, 1)
  t.false(queue.isPaused)
})
