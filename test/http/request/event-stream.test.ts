import { Writable } from 'node:stream'
import type { ServerResponse } from 'node:http'
import test from 'ava'
import { EventStream } from '../../../src/http/request/event-stream.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { until } from '../../helpers/until.ts'

const MIB = 1024 * 1024

/** A response whose client reads everything, or nothing. */
function opened(isRead: boolean) {
  const clock = new FakeClock()
  const seen = { text: '', overs: 0, unsent: 0 }
  const response = Object.assign(
    new Writable({
      decodeStrings: true,
      write(piece: Buffer, _encoding, done) {
        seen.text += piece.toString()
        if (isRead) done()
      },
    }),
    { flushHeaders: () => {} },
  ) as unknown as ServerResponse
  const stream = new EventStream(response, clock, {
    over: () => void seen.overs++,
    unsent: (bytes) => {
      seen.unsent = bytes
    },
  })
  const closed = () => until('the response is closed', () => seen.overs > 0)
  return { clock, response, stream, seen, closed }
}

// [embeds.stream.4]
test('a comment comes every 15 s, for as long as the stream does', async (t) => {
  const { clock, stream, seen, closed } = opened(true)
  t.is(seen.text, 'retry: 3000\n\n')
  clock.advance(14_999)
  t.is(seen.text, 'retry: 3000\n\n')
  clock.advance(1)
  t.is(seen.text, 'retry: 3000\n\n:\n\n')
  stream.send('unread', '{"total":1}', '7')
  clock.advance(30_000)
  t.is(seen.text, 'retry: 3000\n\n:\n\nid: 7\nevent: unread\ndata: {"total":1}\n\n:\n\n:\n\n')
  stream.end()
  await closed()
  clock.advance(60_000)
  t.is(seen.text.split(':\n\n').length, 4)
  t.is(seen.overs, 1)
})

// [embeds.stream.6]
test('a reader with 1 MiB unsent is waited for, one byte more and it is dropped, once', async (t) => {
  const { clock, response, stream, seen, closed } = opened(false)
  const around = 'event: message\ndata: \n\n'.length
  stream.send('message', 'x'.repeat(MIB - response.writableLength - around), null)
  t.deepEqual([response.writableLength, response.destroyed, seen.overs], [MIB, false, 0])
  stream.send('unread', '1', null)
  t.true(response.destroyed)
  await closed()
  t.is(seen.overs, 1)
  const unsent = response.writableLength
  stream.send('unread', '2', null)
  stream.end()
  clock.advance(60_000)
  t.deepEqual([response.writableLength, seen.overs], [unsent, 1])
})

test('the bytes that wait for a reader are reported when they grow and when they were read', async (t) => {
  const seen = { unsent: 0 }
  const taken: (() => void)[] = []
  const response = Object.assign(
    new Writable({
      write(_piece, _encoding, done) {
        taken.push(done)
      },
    }),
    { flushHeaders: () => {} },
  ) as unknown as ServerResponse
  const stream = new EventStream(response, new FakeClock(), {
    over: () => {},
    unsent: (bytes) => {
      seen.unsent = bytes
    },
  })
  stream.send('message', 'x'.repeat(100_000), null)
  t.true(seen.unsent > 100_000)
  t.is(seen.unsent, response.writableLength)
  await until('all is taken', () => {
    for (const done of taken.splice(0)) done()
    return seen.unsent === 0
  })
  t.is(response.writableLength, 0)
})

test('a reader that takes what comes is told much more than that', (t) => {
  const { response, stream, seen } = opened(true)
  for (let told = 0; told < 40; told++) stream.send('message', 'x'.repeat(MIB / 10), null)
  t.false(response.destroyed)
  t.true(seen.text.length > 4 * MIB)
})

test('a reader that no longer takes comments is dropped too', async (t) => {
  const { clock, response, stream, closed } = opened(false)
  stream.send('message', 'x'.repeat(MIB - response.writableLength - 'event: message\ndata: \n\n'.length), null)
  clock.advance(15_000)
  t.true(response.destroyed)
  await closed()
})

test('the stream of a client that has already left ends at once', async (t) => {
  const seen = { overs: 0 }
  const response = Object.assign(new Writable({ write: (_piece, _encoding, done) => done() }), {
    flushHeaders: () => t.fail('nobody is there'),
  }) as unknown as ServerResponse
  response.destroy()
  const clock = new FakeClock()
  const stream = new EventStream(response, clock, { over: () => void seen.overs++, unsent: () => {} })
  await until('it is over', () => seen.overs > 0)
  t.notThrows(() => stream.send('unread', '1', null))
})
