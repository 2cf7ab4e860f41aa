import test from 'ava'
import type { Message } from '../../src/domain/message.ts'
import { NO_CONTENT } from '../../src/domain/message.ts'
import { changeable } from '../../src/domain/own-change.ts'

const SENT_MS = Date.UTC(2026, 0, 1)
const MINUTE_MS = 60_000
const SENT = {
  direction: 'OUTBOUND',
  status: 'DELIVERED',
  type: 'text',
  content: { ...NO_CONTENT, text: 'Hi' },
  externalMessageId: '3EB0A9C1D2',
  createdAt: new Date(SENT_MS - 60 * MINUTE_MS),
  sentAt: new Date(SENT_MS),
  revokedAt: null,
} as Message

function codeOf(kind: 'EDIT' | 'REVOKE', fields: Partial<Message>, atMs = SENT_MS): unknown {
  const read = changeable({ ...SENT, ...fields }, kind, atMs)
  return read.ok ? null : [read.error.code, read.error.details]
}

// [message-verbs.verbs.1] [message-verbs.verbs.2]
test('a text is edited for 15 minutes and taken back for 48 hours after it was sent, and the refusal says until when', (t) => {
  for (const [kind, forMs] of [
    ['EDIT', 15 * MINUTE_MS],
    ['REVOKE', 48 * 60 * MINUTE_MS],
  ] as const) {
    t.is(codeOf(kind, {}, SENT_MS + forMs), null)
    const until = new Date(SENT_MS + forMs).toISOString()
    t.deepEqual(codeOf(kind, {}, SENT_MS + forMs + 1), ['MESSAGE_TOO_OLD', { until }])
  }
})

test('a message of somebody else, one that is not out, and one that was taken back cannot be changed', (t) => {
  for (const kind of ['EDIT', 'REVOKE'] as const) {
    t.deepEqual(codeOf(kind, { direction: 'INBOUND', status: 'RECEIVED' }), [
      'MESSAGE_INVALID_STATE',
      { direction: 'INBOUND' },
    ])
    for (const status of ['QUEUED', 'FAILED', 'CANCELED'] as const)
      t.deepEqual(codeOf(kind, { status }), ['MESSAGE_INVALID_STATE', { status }])
    t.deepEqual(codeOf(kind, { externalMessageId: null }), ['MESSAGE_INVALID_STATE', { status: 'DELIVERED' }])
    t.deepEqual(codeOf(kind, { revokedAt: new Date(SENT_MS) }), [
      'MESSAGE_INVALID_STATE',
      { revokedAt: new Date(SENT_MS).toISOString() },
    ])
  }
})

test('only a plain text is edited, and any message is taken back', (t) => {
  for (const type of ['image', 'interactive', 'template', 'carousel'] as const) {
    t.deepEqual(codeOf('EDIT', { type }), ['MESSAGE_NOT_TEXT', { type }])
    t.is(codeOf('REVOKE', { type }), null)
  }
})

test('a refusal says in words what can be changed, and for how long', (t) => {
  const says = (kind: 'EDIT' | 'REVOKE', fields: Partial<Message>, atMs = SENT_MS) => {
    const read = changeable({ ...SENT, ...fields }, kind, atMs)
    return read.ok ? null : read.error.message
  }
  const late = SENT_MS + 49 * 60 * MINUTE_MS
  t.is(says('EDIT', {}, late), 'A message can be edited for 15 minutes after it was sent')
  t.is(says('REVOKE', {}, late), 'A message can be taken back for 48 hours after it was sent')
  t.is(
    says('EDIT', { direction: 'INBOUND' }),
    'Only messages of the number can be edited: somebody else wrote this one',
  )
  t.is(says('REVOKE', { status: 'QUEUED' }), 'Only a message that was sent can be taken back')
  t.is(says('EDIT', { revokedAt: new Date(0) }), 'The message was taken back already')
  t.is(says('EDIT', { type: 'image' }), 'Only a plain text can be edited: take the message back instead')
  for (const status of ['SENT', 'DELIVERED', 'READ'] as const) t.is(says('EDIT', { status }), null, status)
  t.is(
    says('EDIT', { sentAt: null, createdAt: new Date(SENT_MS) }, SENT_MS + 15 * MINUTE_MS),
    null,
    'its creation counts',
  )
})
