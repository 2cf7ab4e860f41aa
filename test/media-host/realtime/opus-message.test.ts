import test from 'ava'
import { NOTHING_HEARD } from '../../../media-host/audio/packet-feed.ts'
import { OpusMessages, readOpusMessage } from '../../../media-host/realtime/opus-message.ts'

/** First bytes of packets of one SILK frame, by ms; two, three and six frames of 20 ms follow. */
const TOC = { 10: [64], 20: [72], 40: [80], 60: [88] } as const

const message = (packet: readonly number[]) => Uint8Array.of(0, 0, 0, 0, ...packet)

// [realtime.opus.1] [realtime.opus.2]
test('each packet has its number behind two flags, lost ones are counted, and numbers start again after 65,535', (t) => {
  const messages = new OpusMessages()
  const packet = (missing: number) => ({ payload: Uint8Array.of(72, 1, 2), missing, isDtx: false })
  t.deepEqual([...messages.next(packet(0))], [0, 0, 0, 0, 72, 1, 2])
  t.deepEqual([...messages.next(packet(2))], [1, 0, 0, 3, 72, 1, 2])
  t.deepEqual([...messages.next(NOTHING_HEARD)], [2, 0, 0, 4, 72])
  t.deepEqual([...messages.next({ ...NOTHING_HEARD, missing: 65_530 })], [3, 0, 255, 255, 72])
  t.deepEqual([...messages.next(packet(0))].slice(0, 4), [0, 0, 0, 0])
})

// [realtime.opus.4]
test('packets of 20, 40 and 60 ms are read whatever their header says, and others are told what is wrong', (t) => {
  for (const [ms, toc] of Object.entries(TOC).slice(1)) {
    const read = readOpusMessage(Uint8Array.of(255, 7, 9, 9, ...toc, 1, 2))
    t.deepEqual(read, { ok: true, packet: Uint8Array.of(...toc, 1, 2), slots: Number(ms) / 20 })
  }
  // Two frames of 20 ms (code 1), and three of 20 ms (code 3).
  t.like(readOpusMessage(message([73, 1, 2])), { ok: true, slots: 2 })
  t.like(readOpusMessage(message([75, 3, 1, 2, 3])), { ok: true, slots: 3 })
  const problems = [[], TOC[10], [75, 4, 1], [75, 0], [72, ...Array.from({ length: 1_275 }, () => 0)]].map((packet) => {
    const read = readOpusMessage(message(packet))
    return read.ok ? null : read.problem
  })
  t.deepEqual(problems, [
    'a message must hold an Opus packet behind 4 bytes',
    'an Opus packet must last 20, 40 or 60 ms, and not 10',
    'an Opus packet must last 20, 40 or 60 ms, and not 80',
    'a message must hold an Opus packet behind 4 bytes',
    'an Opus packet may have at most 1275 bytes',
  ])
  t.false(readOpusMessage(Uint8Array.of(0, 0)).ok)
})
