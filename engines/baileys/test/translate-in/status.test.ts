import test from 'ava'
import { proto } from 'baileys'
import { readReceipt, readStatus } from '../../translate-in/status.ts'

const { Status } = proto.WebMessageInfo
const key = { remoteJid: '4915100000001@s.whatsapp.net', id: 'M1', fromMe: true }

test('acknowledgements and receipts are told as the four statuses', (t) => {
  const told = [Status.SERVER_ACK, Status.DELIVERY_ACK, Status.READ, Status.PLAYED].map((status) =>
    readStatus({ key, update: { status } }, 7),
  )
  t.deepEqual(
    told.map((status) => status?.status),
    ['SENT', 'DELIVERED', 'READ', 'READ'],
  )
  t.deepEqual(told[0], { externalMessageId: 'M1', status: 'SENT', timestamp: 7 })
})

test('a refused message says with which code, and whether trying again helps', (t) => {
  const refused = (code: string) =>
    readStatus({ key, update: { status: Status.ERROR, messageStubParameters: [code] } }, 7)?.error
  t.deepEqual(refused('463'), { code: 'FAILED', message: 'The network refused the message (463)', retryable: false })
  t.deepEqual(refused('429'), {
    code: 'RATE_LIMITED',
    message: 'The network refused the message (429)',
    retryable: true,
  })
})

test('a receipt for a message that we did not send is no status', (t) => {
  t.is(readStatus({ key: { ...key, fromMe: false }, update: { status: Status.READ } }, 7), null)
  t.is(readStatus({ key, update: { status: Status.PENDING } }, 7), null)
  t.is(readStatus({ key, update: { pushName: 'Ann' } }, 7), null)
})

test('in a group the first who got or read a message counts', (t) => {
  const inGroup = { ...key, remoteJid: '120363000000000001@g.us' }
  t.deepEqual(readReceipt({ key: inGroup, receipt: { userJid: 'x', receiptTimestamp: 9 } }, 7), {
    externalMessageId: 'M1',
    status: 'DELIVERED',
    timestamp: 9_000,
  })
  t.is(readReceipt({ key: inGroup, receipt: { userJid: 'x', readTimestamp: 9 } }, 7)?.status, 'READ')
  t.is(readReceipt({ key, receipt: { userJid: 'x', readTimestamp: 9 } }, 7), null)
})
