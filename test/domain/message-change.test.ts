import test from 'ava'
import { NO_CONTENT } from '../../src/domain/message.ts'
import {
  changedMessage,
  changedWaiting,
  waitingChanges,
  type ChangeableMessage,
  type MessageChange,
} from '../../src/domain/message-change.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds))
const MEDIA = { id: '1', url: null, mimeType: 'image/png', fileName: null }
const MESSAGE: ChangeableMessage = {
  type: 'image',
  content: { ...NO_CONTENT, text: 'first', media: MEDIA },
  editedAt: null,
  revokedAt: null,
}

function edit(seconds: number, text: string | null): MessageChange {
  return {
    externalMessageId: 'm',
    kind: 'EDIT',
    at: at(seconds),
    edited: text === null ? null : { messageType: 'text', content: { ...NO_CONTENT, text } },
  }
}
const revoke = (seconds: number): MessageChange => ({
  externalMessageId: 'm',
  kind: 'REVOKE',
  at: at(seconds),
  edited: null,
})

// [messages.item.3]
test('an edit replaces the text and leaves what nobody can edit', (t) => {
  t.deepEqual(changedMessage(MESSAGE, edit(1, 'second')), {
    ...MESSAGE,
    content: { ...NO_CONTENT, text: 'second', media: MEDIA },
    editedAt: at(1),
  })
})

test('an edit that upstream does not spell out is one all the same', (t) => {
  t.deepEqual(changedMessage(MESSAGE, edit(1, null)), { ...MESSAGE, editedAt: at(1) })
})

// [messages.item.3]
test('a message taken back says nothing any more and cannot be edited', (t) => {
  const revoked = changedMessage(MESSAGE, revoke(2))
  t.deepEqual(revoked, { type: 'image', content: NO_CONTENT, editedAt: null, revokedAt: at(2) })
  t.is(changedMessage(revoked ?? MESSAGE, edit(3, 'late')), null)
  t.is(changedMessage(revoked ?? MESSAGE, revoke(3)), null)
})

test('an older edit does not undo a newer one; of two in one second the later told counts', (t) => {
  const edited = changedMessage(MESSAGE, edit(5, 'second')) ?? MESSAGE
  t.is(changedMessage(edited, edit(4, 'older')), null)
  t.is(changedMessage(edited, edit(5, 'third'))?.content?.text, 'third')
})

test('an edit does not reveal content that privacy withholds', (t) => {
  t.deepEqual(changedMessage({ ...MESSAGE, content: null }, edit(1, 'x')), {
    ...MESSAGE,
    content: null,
    editedAt: at(1),
  })
  t.is(changedMessage({ ...MESSAGE, content: null }, revoke(1))?.content, null)
})

test('an edit makes a message readable that was not', (t) => {
  t.like(changedMessage({ ...MESSAGE, type: 'unsupported', content: NO_CONTENT }, edit(1, 'now')), {
    type: 'text',
    content: { text: 'now' },
  })
})

test('waiting changes that are applied together have the same result as one by one', (t) => {
  const changes = [edit(2, 'b'), edit(1, 'a'), edit(3, 'c'), revoke(4), edit(5, 'd')]
  for (let count = 1; count <= changes.length; count++) {
    const told = changes.slice(0, count)
    const direct = told.reduce((message, change) => changedMessage(message, change) ?? message, MESSAGE)
    const waiting = told.reduce<Parameters<typeof changedWaiting>[0]>(
      (before, change) => changedWaiting(before, change) ?? before,
      null,
    )
    const later = (waiting ? waitingChanges('m', waiting) : []).reduce(
      (message, change) => changedMessage(message, change) ?? message,
      MESSAGE,
    )
    t.deepEqual(later, direct)
  }
})
