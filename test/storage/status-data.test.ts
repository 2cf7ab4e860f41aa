import test from 'ava'
import { dataOf } from '../../src/storage/events/status-data.ts'

const DATA = {
  messageId: 'wamid.1',
  internalMessageId: 'msg_1',
  correlationId: 'order-1',
  destination: '+4915100000001',
  createdAt: '2026-12-01T10:00:00.000Z',
}
const VALUES = ['wamid.1', 'msg_1', '+4915100000001', '2026-12-01T10:00:00.000Z']

test('the data of a status is read from its values, its fields in the order in which they are delivered', (t) => {
  t.is(JSON.stringify(dataOf([...VALUES, 'order-1'])), JSON.stringify(DATA))
  t.deepEqual(dataOf(VALUES), { ...DATA, correlationId: 'msg_1' })
  t.deepEqual(dataOf([...VALUES, null]), { ...DATA, correlationId: null })
})

test('what an earlier version stored, and the data of other events, are as they stand', (t) => {
  t.is(dataOf(DATA), DATA)
})
