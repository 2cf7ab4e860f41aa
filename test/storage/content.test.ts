import test from 'ava'
import { NO_CONTENT, type MessageContent } from '../../src/domain/message.ts'
import { contentOf, contentText } from '../../src/storage/messages/content.ts'

const REACTION: MessageContent = { ...NO_CONTENT, reaction: { messageId: 'wamid.1', emoji: null } }

test('a stored content has the fields that say something, the text first', (t) => {
  t.is(contentText({ ...NO_CONTENT, text: 'Hi' }), '{"text":"Hi"}')
  t.is(contentText(NO_CONTENT), '{}')
  t.is(contentText({ ...NO_CONTENT, order: { id: 1 }, text: 'Hi' }), '{"text":"Hi","order":{"id":1}}')
})

test('what stands inside a field is kept as it is, and a null that tells something is', (t) => {
  t.is(contentText(REACTION), '{"reaction":{"messageId":"wamid.1","emoji":null}}')
  t.is(contentText({ ...NO_CONTENT, interactive: { text: null } }), '{"interactive":{"text":null}}')
  t.is(contentText({ ...NO_CONTENT, upstream: null }), '{"upstream":null}')
})

test('a content is read whole, from rows of this version and of earlier ones', (t) => {
  for (const content of [NO_CONTENT, REACTION, { ...NO_CONTENT, text: '', upstream: null }]) {
    t.deepEqual(contentOf(contentText(content)), content)
    t.deepEqual(contentOf(JSON.stringify(content)), content)
  }
})
