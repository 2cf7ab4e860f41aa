import test from 'ava'
import { splitChanges } from '../../../../src/providers/official/inbound/changes.ts'
import { createSplitter } from '../../../../src/providers/official/inbound/splitter.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { silentLog } from '../../../helpers/silent.ts'

function bodyOf(count: number, around: object = {}): Buffer {
  const changes = Array.from({ length: count }, (_, at) => ({ field: 'messages', value: { metadata: { phone_number_id: '77' }, messages: [{ id: `wamid.${at}`, type: 'text', text: { body: 'Hi' } }] } }))
  return Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', ...around, entry: [{ id: '1', changes }] }))
}

test('a large webhook is split on a thread as it would be here, several in a row, and again after it was idle', async (t) => {
  const clock = new FakeClock()
  const splitter = createSplitter({ clock, log: silentLog, largeBytes: 100 })
  t.teardown(() => splitter.close())
  for (let round = 0; round < 2; round++) {
    const bodies = [bodyOf(1_000), bodyOf(3), Buffer.from('x'.repeat(200))]
    t.deepEqual(await Promise.all(bodies.map((body) => splitter.split(body))), bodies.map((body) => splitChanges(body)))
    clock.advance(10_000)
  }
})

test('a body that ends its thread is busy alone, and the next is split by another', async (t) => {
  const splitter = createSplitter({ clock: new FakeClock(), log: silentLog, largeBytes: 100, heapMegabytes: 12 })
  t.teardown(() => splitter.close())
  const hostile = Buffer.from(`{"entry":[${'{"changes":[{}]},'.repeat(500_000)}1]}`)
  t.deepEqual(await splitter.split(hostile), { ok: false, reason: 'busy' })
  t.like(await splitter.split(bodyOf(2)), { ok: true })
})

test('closing answers what waits', async (t) => {
  const splitter = createSplitter({ clock: new FakeClock(), log: silentLog, largeBytes: 100 })
  const waiting = splitter.split(bodyOf(5))
  await splitter.close()
  t.deepEqual(await waiting, { ok: false, reason: 'busy' })
  t.deepEqual(await splitter.split(bodyOf(5)), { ok: false, reason: 'busy' })
})

test('more changes than upstream sends, or much around them, is not multiplied', (t) => {
  t.like(splitChanges(bodyOf(2_000)), { ok: true })
  t.deepEqual(splitChanges(bodyOf(2_001)), { ok: false, reason: 'too-many' })
  t.deepEqual(splitChanges(bodyOf(10, { more: 'x'.repeat(9_000) })), { ok: false, reason: 'too-many' })
})
