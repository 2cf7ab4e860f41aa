import test from 'ava'
import { newId } from '../../../src/domain/ids.ts'
import type { QueuedBatch } from '../../../src/ports/stores/send-queue.ts'
import { connectedNumber, createRig, pass, settled } from '../rig.ts'
import { fast, sentTo } from '../number/sends/sends-rig.ts'
import { head, IMAGE, SendingTable, SENT, throttledBy } from './table.ts'

const MINUTE_MS = 60_000
const batchOf = (perMinute: number | null, begunMs: number | null = null): QueuedBatch => ({
  id: newId('bat'),
  perMinute,
  begunMs,
})
const many = (count: number, from = 0) => Array.from({ length: count }, (_, at) => String(from + at))

// [message-verbs.batch.5]
for (const perMinute of [1, 7, 60, 90, 600, 6_000])
  test(`a batch of ${perMinute} a minute obeys its pace within 5 %, over restarts too`, async (t) => {
    const rig = createRig({ sending: { ...fast, lookMs: 100 } })
    const numberId = await connectedNumber(rig)
    const batch = batchOf(perMinute)
    const minutes = perMinute > 1_000 ? 1 : perMinute < 10 ? 6 : 2
    const wanted = Math.max(2, perMinute * minutes)
    for (const address of many(wanted)) rig.messages.add(numberId, address, { batch })
    const startMs = rig.clock.now()
    const times: number[] = []
    rig.driver.last.sendAnswer = ({ messageId }) => {
      times.push(rig.clock.now() - startMs)
      return { kind: 'sent', externalMessageId: `up-${messageId}` }
    }
    rig.directory.sendsQueued(numberId)
    await settled()
    const step = perMinute > 1_000 ? 20 : 50
    for (let ms = 0; times.length < wanted && ms < 2 * (minutes + 1) * MINUTE_MS; ms += step)
      await pass(rig, step, step)
    t.is(times.length, wanted)
    const tookMs = (times.at(-1) ?? 0) - (times[0] ?? 0)
    const idealMs = ((wanted - 1) * MINUTE_MS) / perMinute
    t.true(Math.abs(tookMs - idealMs) <= 0.05 * idealMs, `${tookMs} ms in place of ${idealMs}`)
    for (const from of times) {
      const inMinute = times.filter((at) => at >= from && at < from + MINUTE_MS).length
      t.true(inMinute <= Math.ceil(perMinute + perMinute / 60), `${inMinute} within a minute from ${from}`)
    }
  })

test('an actor that finds a batch which another began waits for what its row says is left', (t) => {
  const batch = batchOf(60, 400)
  const table = new SendingTable().wake().find(head('1', { batch }))
  t.deepEqual(table.begunFor(), [])
  table.pass(599)
  t.deepEqual(table.begunFor(), [])
  table.pass(2)
  t.deepEqual(table.begunFor(), ['1'])
})

test('a batch that was held up makes good for a second of its pace at most', (t) => {
  const batch = batchOf(600)
  const table = new SendingTable().wake()
  table.find(...many(40).map((address) => head(address, { batch })))
  t.deepEqual(table.begunFor(), ['0'])
  table.begun('0').answer('0', throttledBy('number', 30_000)).settled('0')
  table.pass(29_000)
  t.is(table.all('begin').length, 1, 'the number is paused')
  table.pass(1_100)
  t.true(table.all('begin').length <= 12, String(table.all('begin').length))
})

// [message-verbs.batch.4]
test('a single send goes before the messages of a batch, and takes the place of one to the same person', (t) => {
  const options = {
    paces: { UNOFFICIAL: { number: { atOnce: 1, everyMs: 100 }, pair: { atOnce: 9, everyMs: 1 } } },
    lookMs: 0,
  }
  const table = new SendingTable('UNOFFICIAL', options).wake()
  const batch = batchOf(null)
  table.find(...many(30).map((address) => head(address, { batch })))
  t.deepEqual(table.begunFor(), ['0'])
  table.wake()
  t.false(table.last('readHeads').except.includes('conv_5'), 'what only waits holds no single send')
  t.true(table.last('readHeads').except.includes('conv_0'), 'what is with upstream does')
  t.is(table.last('readHeads').batches.held[batch.id], 30)
  const single = head('5')
  table.find(single, head('new'), head('0'))
  t.is(table.hand('0').message.batch?.id, batch.id)
  table.pass(200)
  t.deepEqual(table.begunFor(), ['0', '5', 'new'])
  t.is(table.last('begin').message.batch, null)
  t.is(table.hand('5').message.id, single.id)
})

test('a message of a batch takes the place of no other that waits', (t) => {
  const batch = batchOf(60, 400)
  const first = head('1', { batch })
  const table = new SendingTable().wake().find(first).wake().pass(50)
  table.find(head('1', { batch }))
  t.is(table.hand('1').message, first)
})

test('media of a batch that are being prepared are abandoned for a single send to the same person', (t) => {
  const table = new SendingTable().wake().find(head('1', { batch: batchOf(null), outgoing: IMAGE }))
  const { attempt } = table.last('prepare')
  table.wake().pass(50).find(head('1'))
  t.deepEqual(
    table.all('abandon').map((effect) => effect.attempt),
    [attempt],
  )
  t.is(table.hand('1').message.batch, null)
})

test('a batch leaves a quarter of the requests to upstream to single sends, and messages in doubt keep their place', (t) => {
  const batch = batchOf(null)
  const table = new SendingTable('OFFICIAL', { inFlight: 8, lookMs: 50 }).wake()
  table.find(...many(8).map((address) => head(address, { batch })))
  t.is(table.all('begin').length, 6)
  table.wake().pass(50).find(head('a'), head('b'), head('c'))
  t.deepEqual(table.begunFor().slice(6), ['a', 'b'])
  table.begun('0').answer('0', {
    kind: 'unknown',
    failure: { code: 'OFFICIAL_ERROR', message: '', details: null, upstreamCode: null },
  })
  t.true(table.last('readHeads').except.includes('conv_0'))
  table.wake().pass(50)
  t.true(table.last('readHeads').except.includes('conv_0'), 'a single send waits for what may have arrived')
  table.tries('a', SENT)
})

// [message-verbs.batch.4]
test('a batch of a thousand does not keep a single send of its number waiting', async (t) => {
  const rig = createRig({ sending: { lookMs: 100 } })
  const numberId = await connectedNumber(rig)
  const batch = batchOf(null)
  for (const address of many(1_000)) rig.messages.add(numberId, address, { batch })
  rig.directory.sendsQueued(numberId)
  await settled()
  await pass(rig, 2_000, 50)
  t.true(sentTo(rig).length > 20)
  rig.messages.add(numberId, 'person')
  rig.directory.sendsQueued(numberId)
  await settled()
  await pass(rig, 200, 50)
  t.true(sentTo(rig).includes('person'), 'sent within 200 ms')
})
