import test from 'ava'
import { splitChanges } from '../../../../src/providers/official/inbound/changes.ts'
import { readLeadNotices } from '../../../../src/providers/official/inbound/lead-notices.ts'
import { createWebhookReader } from '../../../../src/providers/official/inbound/reader.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { silentLog } from '../../../helpers/silent.ts'

function bodyOf(count: number, around: object = {}): Buffer {
  const changes = Array.from({ length: count }, (_, at) => ({
    field: 'messages',
    value: {
      metadata: { phone_number_id: '77' },
      messages: [{ id: `wamid.${at}`, type: 'text', text: { body: 'Hi' } }],
    },
  }))
  return Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', ...around, entry: [{ id: '1', changes }] }))
}

function leadsOf(count: number): Buffer {
  return Buffer.from(
    JSON.stringify({
      object: 'page',
      entry: [
        {
          id: '1',
          changes: Array.from({ length: count }, (_, at) => ({
            field: 'leadgen',
            value: { leadgen_id: at + 1, page_id: 7 },
          })),
        },
      ],
    }),
  )
}

test('a large webhook is read on a thread as it would be here, several in a row, and again after it was idle', async (t) => {
  const clock = new FakeClock()
  const reader = createWebhookReader({ clock, log: silentLog, largeBytes: 100 })
  t.teardown(() => reader.close())
  for (let round = 0; round < 2; round++) {
    const bodies = [bodyOf(1_000), bodyOf(3), Buffer.from('x'.repeat(200))]
    t.deepEqual(
      await Promise.all(bodies.map((body) => reader.splitChanges(body, 'one'))),
      bodies.map((body) => splitChanges(body)),
    )
    const leads = [leadsOf(50), leadsOf(2_001), Buffer.from('x'.repeat(200))]
    t.deepEqual(
      await Promise.all(leads.map((body) => reader.readLeadNotices(body, 'one'))),
      leads.map((body) => readLeadNotices(body)),
    )
    clock.advance(10_000)
  }
})

test('a sender of many large webhooks delays no other and has a bounded queue', async (t) => {
  const reader = createWebhookReader({ clock: new FakeClock(), log: silentLog, largeBytes: 100 })
  t.teardown(() => reader.close())
  const done: string[] = []
  const read = async (sender: string) => {
    const { ok } = await reader.readLeadNotices(leadsOf(20), sender)
    done.push(ok ? sender : `${sender} busy`)
  }
  await Promise.all([...Array.from({ length: 66 }, () => read('many')), read('one'), read('two'), read('one')])
  t.deepEqual(
    done.slice(0, 6),
    ['many busy', 'many', 'many', 'one', 'two', 'many'],
    'one is read, 64 wait, and the others come in turn',
  )
  t.is(done.filter((sender) => sender === 'many').length, 65)
  t.is(done.filter((sender) => sender === 'one').length, 2)
})

test('a body that ends its thread is busy alone, and the next is read by another', async (t) => {
  const reader = createWebhookReader({ clock: new FakeClock(), log: silentLog, largeBytes: 100, heapMegabytes: 12 })
  t.teardown(() => reader.close())
  const hostile = Buffer.from(`{"entry":[${'{"changes":[{}]},'.repeat(500_000)}1]}`)
  const [first, second] = await Promise.all([
    reader.splitChanges(hostile, 'one'),
    reader.splitChanges(bodyOf(2), 'one'),
  ])
  t.deepEqual(first, { ok: false, reason: 'busy' })
  t.like(second, { ok: true })
})

test('closing answers what waits', async (t) => {
  const reader = createWebhookReader({ clock: new FakeClock(), log: silentLog, largeBytes: 100 })
  const waiting = [reader.splitChanges(bodyOf(5), 'one'), reader.readLeadNotices(leadsOf(5), 'two')]
  await reader.close()
  for (const one of waiting) t.deepEqual(await one, { ok: false, reason: 'busy' })
  t.deepEqual(await reader.splitChanges(bodyOf(5), 'one'), { ok: false, reason: 'busy' })
})

test('a post with more changes than the upstream sends, or with much text around them, is refused instead of multiplied', (t) => {
  t.like(splitChanges(bodyOf(2_000)), { ok: true })
  t.deepEqual(splitChanges(bodyOf(2_001)), { ok: false, reason: 'too-many' })
  t.deepEqual(splitChanges(bodyOf(10, { more: 'x'.repeat(9_000) })), { ok: false, reason: 'too-many' })
})
