import test from 'ava'
import * as fc from 'fast-check'
import { NO_CONTENT, type MessageContent } from '../../src/domain/message.ts'
import {
  changedMessage,
  changedWaiting,
  waitingChanges,
  type ChangeableMessage,
  type MessageChange,
  type WaitingChange,
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

test('parts beside the text stay when an edit leaves them out, and are replaced when it has its own', (t) => {
  const parts = {
    media: MEDIA,
    location: { latitude: 1 },
    contacts: [{ name: 'Bo' }],
    reaction: { messageId: 'o', emoji: '+' },
    interactive: { id: 'a' },
  }
  const others = {
    media: { ...MEDIA, id: '2' },
    location: { latitude: 2 },
    contacts: [],
    reaction: { messageId: 'p', emoji: null },
    interactive: {},
  }
  const after = (before: Partial<MessageContent>, content: Partial<MessageContent>) =>
    changedMessage(
      { ...MESSAGE, content: { ...NO_CONTENT, ...before } },
      { ...edit(1, ''), edited: { messageType: 'text', content: { ...NO_CONTENT, ...content } } },
    )?.content
  t.deepEqual(after({ text: 'a', ...parts }, {}), { text: null, ...parts })
  t.deepEqual(after(parts, { text: 'b', ...others }), { text: 'b', ...others })
  t.deepEqual(after({}, others), { text: null, ...others })
})

test('an edit leaves no order behind that has the words of before', (t) => {
  const content: MessageContent = { ...NO_CONTENT, text: 'a', order: { text: 'a' } }
  t.deepEqual(changedMessage({ ...MESSAGE, type: 'text', content }, edit(1, 'b'))?.content, {
    ...NO_CONTENT,
    text: 'b',
  })
})

test('what upstream told in place of a message is that of the edit alone', (t) => {
  const [old, told] = [{ type: 'old' }, { type: 'new' }]
  const after = (content: Partial<MessageContent>) =>
    changedMessage(
      { ...MESSAGE, content: { ...NO_CONTENT, upstream: old } },
      { ...edit(1, ''), edited: { messageType: 'system', content: { ...NO_CONTENT, ...content } } },
    )?.content
  t.deepEqual(after({ upstream: told }), { ...NO_CONTENT, upstream: told })
  t.deepEqual(after({ upstream: null }), { ...NO_CONTENT, upstream: null })
  t.deepEqual(after({}), NO_CONTENT)
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

test('a revocation counts though an edit has a later time, and has the time that upstream tells', (t) => {
  const edited = { ...MESSAGE, editedAt: at(5) }
  t.deepEqual(changedMessage(edited, revoke(4)), { ...edited, content: NO_CONTENT, revokedAt: at(4) })
  const waiting = { edited: edit(5, 'a').edited, editedAt: at(5), revokedAt: null }
  t.deepEqual(changedWaiting(waiting, revoke(4)), { edited: null, editedAt: at(5), revokedAt: at(4) })
})

// [message-verbs.verbs.1]
test('an edit that was asked for is the newest, and is never dated before the one that it follows', (t) => {
  const asked = (seconds: number) => ({ ...edit(seconds, 'asked'), isAsked: true })
  for (const [before, told, editedAt] of [
    [null, 1, 1],
    [5, 4, 5],
    [5, 5, 5],
    [5, 6, 6],
    [null, -2_000_000_000, -2_000_000_000], // before 1970
  ] as const) {
    const edited = { editedAt: before === null ? null : at(before), revokedAt: null }
    t.like(changedMessage({ ...MESSAGE, ...edited }, asked(told)), {
      content: { text: 'asked' },
      editedAt: at(editedAt),
    })
    t.deepEqual(changedWaiting({ edited: null, ...edited }, asked(told)), {
      edited: asked(told).edited,
      editedAt: at(editedAt),
      revokedAt: null,
    })
  }
  t.is(changedMessage({ ...MESSAGE, revokedAt: at(1) }, asked(2)), null)
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

const parts = fc.record({
  text: fc.constantFrom('a', 'b', null),
  media: fc.constantFrom(null, MEDIA),
  location: fc.constantFrom(null, { latitude: 1 }),
  upstream: fc.constantFrom(undefined, { type: 'poll' }),
})
const anyEdit = fc.option(
  fc.record({
    messageType: fc.constantFrom('text' as const, 'image' as const, 'unsupported' as const),
    content: parts.map(({ upstream, ...said }) => ({
      ...NO_CONTENT,
      ...said,
      ...(upstream === undefined ? {} : { upstream }),
    })),
  }),
)
const anyChange = fc
  .record({ second: fc.integer({ min: 1, max: 4 }), isRevoked: fc.integer({ min: 0, max: 9 }), edited: anyEdit })
  .map(({ second, isRevoked, edited }): MessageChange =>
    isRevoked === 0 ? revoke(second) : { externalMessageId: 'm', kind: 'EDIT', at: at(second), edited },
  )

test('waiting changes that are applied together have the same result as one by one', (t) => {
  const applied = (changes: readonly MessageChange[], message: ChangeableMessage) =>
    changes.reduce((before, change) => changedMessage(before, change) ?? before, message)
  fc.assert(
    fc.property(fc.array(anyChange, { maxLength: 5 }), fc.boolean(), (changes, isReadable) => {
      // Of what was taken back nothing waits that would tell its type.
      const isTyped = isReadable || changes.some(({ kind }) => kind === 'REVOKE')
      const message: ChangeableMessage = isTyped ? MESSAGE : { ...MESSAGE, type: 'unsupported' }
      const waiting = changes.reduce<WaitingChange | null>(
        (before, change) => changedWaiting(before, change) ?? before,
        null,
      )
      t.deepEqual(applied(waiting ? waitingChanges('m', waiting) : [], message), applied(changes, message))
    }),
    { numRuns: 500 },
  )
})

test('an edit that waits keeps what it said when an edit without content follows it (waiting edits that were lost)', (t) => {
  const waiting = [edit(1, 'second'), edit(2, null)].reduce<WaitingChange | null>(
    (before, change) => changedWaiting(before, change) ?? before,
    null,
  )
  t.is(waiting?.edited?.content.text, 'second')
  t.deepEqual(waiting?.editedAt, at(2))
})

test('what waited is told as the edit, then the revocation, each only when there was one', (t) => {
  const { edited } = edit(1, 'a')
  const waited = (editedAt: Date | null, revokedAt: Date | null) => waitingChanges('m', { edited, editedAt, revokedAt })
  t.deepEqual(waited(at(1), at(2)), [edit(1, 'a'), revoke(2)])
  t.deepEqual(waited(at(1), null), [edit(1, 'a')])
  t.deepEqual(waitingChanges('m', { edited: null, editedAt: null, revokedAt: at(2) }), [revoke(2)])
  t.deepEqual(waitingChanges('m', { edited: null, editedAt: null, revokedAt: null }), [])
})
