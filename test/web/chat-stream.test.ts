import test from 'ava'
import { createStreamReader } from '../../web/ui/stream/sse.ts'
import type { StreamEvent } from '../../web/ui/stream/sse.ts'

const STREAM =
  'retry: 3000\n\nevent: hello\nid: 7\ndata: {"cursor":"7"}\n\n: still here\n\nevent: message\nid: 8\ndata: {"a":1}\ndata: {"b":"é"}\n\nid: 9\r\ndata:no space\r\n\r\nevent: unread\rdata: x\r\rrest'
const EVENTS: readonly StreamEvent[] = [
  { type: 'hello', data: '{"cursor":"7"}' },
  { type: 'message', data: '{"a":1}\n{"b":"é"}' },
  { type: 'message', data: 'no space' },
  { type: 'unread', data: 'x' },
]

test('a stream is read the same wherever it is cut', (t) => {
  for (let cut = 0; cut <= STREAM.length; cut++) {
    const reader = createStreamReader(null)
    t.deepEqual([...reader.take(STREAM.slice(0, cut)), ...reader.take(STREAM.slice(cut))], EVENTS, `cut at ${cut}`)
    t.deepEqual([reader.lastId, reader.retryMs], ['9', 3_000])
  }
})

test('a stream is read the same one character at a time', (t) => {
  const reader = createStreamReader(null)
  t.deepEqual(
    [...STREAM].flatMap((character) => reader.take(character)),
    EVENTS,
  )
})

test('an incomplete event is ignored, and its id does not become the last one', (t) => {
  const reader = createStreamReader('3')
  t.deepEqual(reader.take('event: message\nid: 4\ndata: {}\n'), [])
  t.is(reader.lastId, '3')
  t.deepEqual(reader.take('\n'), [{ type: 'message', data: '{}' }])
  t.is(reader.lastId, '4')
})

test('an id without data moves the place, an id with a null and fields that nobody knows do nothing', (t) => {
  const reader = createStreamReader(null)
  t.deepEqual(reader.take('id: 5\n\nid: 6\0\nother: 1\nretry: soon\nfield\n\n'), [])
  t.deepEqual([reader.lastId, reader.retryMs], ['5', null])
})
