import test, { type ExecutionContext } from 'ava'
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts'
import { makeSecret } from '../../src/domain/webhook-secret.ts'
import { forward } from '../../tools/listen/forward.ts'
import { systemClock } from '../../src/process/clock.ts'
import { acknowledge, answerWith, Receiver, verified, type AnswerArrival } from '../helpers/receiver.ts'
import { silentLog } from '../helpers/silent.ts'
import { PATIENCE_MS } from '../helpers/until.ts'

const EVENT = {
  id: `evt_${'0'.repeat(26)}`,
  event: 'call.ended',
  channelNumberId: 'num_1',
  timestamp: '2026-01-02T03:04:05.678Z',
  data: { id: 'call_1', text: 'Olá ✓' },
}

async function forwardTo(t: ExecutionContext, answer: AnswerArrival) {
  const receiver = await Receiver.open()
  t.teardown(() => receiver.close())
  const fetchUrl = createGuardedFetch({ egressAllow: ['127.0.0.0/8'], clock: systemClock, connectMs: PATIENCE_MS })
  t.teardown(() => fetchUrl.close())
  const secret = makeSecret()
  const pauses: number[] = []
  const options = {
    url: receiver.endpoint('/hook', answer),
    secret,
    fetchUrl,
    clock: systemClock,
    log: silentLog,
    signal: new AbortController().signal,
    pause: (ms: number) => {
      pauses.push(ms)
      return Promise.resolve()
    },
  }
  return { receiver, secret, pauses, outcome: await forward(EVENT, options) }
}

test('an event is forwarded as the envelope with the headers of a delivery, and its signature verifies', async (t) => {
  const { receiver, secret, outcome } = await forwardTo(t, acknowledge)
  const [arrival] = receiver.arrivals
  if (!arrival) return t.fail('nothing arrived')
  t.deepEqual(verified(arrival, secret), EVENT)
  t.is(arrival.headers['content-type'], 'application/json')
  t.deepEqual(
    [arrival.id, arrival.event, arrival.headers['x-channel-number-id'], arrival.attempt],
    [EVENT.id, 'call.ended', 'num_1', 1],
  )
  t.deepEqual([outcome.status, outcome.statusCode, outcome.tries], ['SUCCESS', 204, 1])
})

test('a failing receiver gets three tries with the same id and body, then the event is given up', async (t) => {
  const { receiver, secret, pauses, outcome } = await forwardTo(t, answerWith(500))
  t.deepEqual(
    receiver.arrivals.map(({ id, attempt }) => [id, attempt]),
    [
      [EVENT.id, 1],
      [EVENT.id, 2],
      [EVENT.id, 3],
    ],
  )
  for (const arrival of receiver.arrivals) t.deepEqual(verified(arrival, secret), EVENT)
  t.deepEqual(pauses, [1_000, 3_000])
  t.deepEqual([outcome.status, outcome.statusCode, outcome.tries], ['FAILED', 500, 3])
})

test('a receiver that recovers gets the event at the second try', async (t) => {
  const { outcome } = await forwardTo(
    t,
    (arrival, response) => void response.writeHead(arrival.attempt === 1 ? 503 : 200).end(),
  )
  t.deepEqual([outcome.status, outcome.tries], ['SUCCESS', 2])
})
