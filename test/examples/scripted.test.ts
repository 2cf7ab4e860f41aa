import test from 'ava'
import { nextStep } from '../../examples/scripted/chat-script.ts'
import { decodeMulaw, encodeMulaw } from '../../examples/scripted/mulaw.ts'
import { lowered, raised } from '../../examples/scripted/resample.ts'
import { speechOf } from '../../examples/scripted/speech.ts'
import { Turns } from '../../examples/scripted/turns.ts'
import { decodeMulaw as decodedByProduct, encodeMulaw as encodedByProduct } from '../../media-host/audio/mulaw.ts'
import { sine } from '../../tools/demo/signal.ts'

const RATE_HZ = 8_000

test('mu-law of the examples is that of the media host, sample by sample', (t) => {
  const samples = Int16Array.from({ length: 65_536 }, (_, at) => at - 32_768)
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
  t.deepEqual(encodeMulaw(samples), encodedByProduct(samples))
  t.deepEqual(decodeMulaw(bytes), decodedByProduct(bytes))
})

test('samples at a higher rate lie on the lines between those that are there, and come back at the lower one', (t) => {
  const samples = Int16Array.from([0, 300, -300, -300])
  const more = raised(samples, 3)
  t.deepEqual(
    [...new Int16Array(Uint8Array.from(more).buffer)],
    [0, 100, 200, 300, 100, -100, -300, -300, -300, -300, -300, -300],
  )
  t.deepEqual([...lowered(more, 3)], [100, 100, -300, -300])
  t.is(raised(new Int16Array(0), 2).length, 0)
})

test('a turn starts after 60 ms of sound and stops after 500 ms of silence, with what was said in it', (t) => {
  const turns = new Turns(RATE_HZ)
  t.deepEqual(turns.hear(new Int16Array(RATE_HZ)), [])
  t.deepEqual(turns.hear(sine(500, 50, RATE_HZ)), [])
  t.deepEqual(turns.hear(sine(500, 950, RATE_HZ)), [{ is: 'started', atMs: 1_000 }])
  t.true(turns.isSpeaking)
  // Hears odd pieces as it hears whole ones.
  const stopped = Array.from({ length: 6_000 / 7 }, () => turns.hear(new Int16Array(7))).flat()
  t.is(stopped.length, 1)
  const [turn] = stopped
  t.true(turn?.is === 'stopped' && turn.atMs === 2_000 && turn.said.length === 1.3 * RATE_HZ)
  t.false(turns.isSpeaking)
})

test('a click is no turn, and a short pause ends none', (t) => {
  const turns = new Turns(RATE_HZ)
  const heard = [sine(500, 40, RATE_HZ), new Int16Array(RATE_HZ), sine(500, 300, RATE_HZ), new Int16Array(3_200)]
  t.deepEqual(
    heard.flatMap((samples) => turns.hear(samples)).map(({ is }) => is),
    ['started'],
  )
})

test('speech is as long as its words, and unknown words are passed over', (t) => {
  const [one, two] = [speechOf('one'), speechOf('Two!')]
  t.true(one.length > 0.3 * RATE_HZ && two.length > 0.3 * RATE_HZ)
  t.is(speechOf('one, xyzzy two').length, one.length + two.length + 0.12 * RATE_HZ)
  t.is(speechOf('xyzzy').length, 0)
})

test('the chat model sends, looks from the time of its message on, waits, looks again, and says the newest answer', (t) => {
  const task = { role: 'user', content: 'Ask 5511990000005 this, and tell me the answer: Is it: open?' }
  const called = (name: string, answer: object) => [
    { role: 'assistant', tool_calls: [{ function: { name } }] },
    { role: 'tool', content: JSON.stringify(answer) },
  ]
  t.deepEqual(nextStep([task]), {
    calls: 'messages_send',
    arguments: { destinationNumber: '5511990000005', text: 'Is it: open?' },
  })
  const sent = [task, ...called('messages_send', { createdAt: '2026-01-01T00:00:00.000Z' })]
  const look = {
    calls: 'messages_history',
    arguments: { peer: '5511990000005', startDate: '2026-01-01T00:00:00.000Z', pageSize: 1 },
  }
  t.deepEqual(nextStep(sent), look)
  const empty = [...sent, ...called('messages_history', { messages: [] })]
  t.deepEqual(nextStep(empty), { calls: 'wait', arguments: { seconds: 1 } })
  t.deepEqual(nextStep([...empty, ...called('wait', {})]), look)
  t.deepEqual(nextStep([...empty, ...called('messages_history', { messages: [{ content: 'Yes' }] })]), {
    says: '5511990000005 answered: Yes',
  })
})
