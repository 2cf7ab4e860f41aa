import test from 'ava'
import { open, PNG, TO } from './sending-world.ts'

test('a send repeated with its key is answered with the first answer, byte for byte, and stored once', async (t) => {
  const { world, send, accepted } = await open(t)
  const again = () => send({ ...TO, media: PNG, mediaType: 'image' }, { 'idempotency-key': 'k' })
  const first = await again()
  const second = await again()
  t.deepEqual([first.status, second.status], [202, 202])
  t.is(second.text, first.text)
  t.deepEqual([first.headers.get('idempotency-replayed'), second.headers.get('idempotency-replayed')], [null, 'true'])
  t.is(second.headers.get('content-type'), first.headers.get('content-type'))
  t.is(accepted.length, 1)
  t.is(accepted[0]?.claim?.answer.body, first.text)
  t.is(world.files.kept.size, 1, 'the bytes of the repeat are let go of')
  const other = await send({ ...TO, text: 'b' }, { 'idempotency-key': 'k' })
  t.deepEqual([other.status, other.body.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
})

test('a repeat while the first still runs is 409, which is no first answer: what comes after it is sent', async (t) => {
  const { world, send } = await open(t)
  const { accept } = world.messages
  world.messages.accept = async () => ({ kind: 'running' })
  const { status, body, headers } = await send({ ...TO, text: 'a' }, { 'idempotency-key': 'k' })
  t.deepEqual([status, body.code, headers.get('retry-after')], [409, 'IDEMPOTENCY_IN_PROGRESS', '1'])
  world.messages.accept = accept
  t.is((await send({ ...TO, text: 'a' }, { 'idempotency-key': 'k' })).status, 202)
})

test('a repeat of a send whose deliverUntil has passed since still gets the first answer', async (t) => {
  const { world, send } = await open(t)
  const body = { ...TO, text: 'a', deliverUntil: new Date(world.clock.now() + 60_000).toISOString() }
  const first = await send(body, { 'idempotency-key': 'k' })
  world.clock.advance(61_000)
  const second = await send(body, { 'idempotency-key': 'k' })
  t.deepEqual([second.status, second.text, second.headers.get('idempotency-replayed')], [202, first.text, 'true'])
  t.is((await send(body)).status, 400)
})

test('a refused send is a first answer too, and a corrected body needs a new key', async (t) => {
  const { send, accepted } = await open(t)
  const first = await send({ ...TO }, { 'idempotency-key': 'k' })
  const second = await send({ ...TO }, { 'idempotency-key': 'k' })
  t.deepEqual(
    [first.status, second.status, second.text, second.headers.get('idempotency-replayed')],
    [400, 400, first.text, 'true'],
  )
  t.is((await send({ ...TO, text: 'a' }, { 'idempotency-key': 'k' })).body.code, 'IDEMPOTENCY_KEY_REUSED')
  t.is((await send({ ...TO, text: 'a' }, { 'idempotency-key': '' })).status, 400)
  t.deepEqual(accepted, [])
})
