import test from 'ava'
import { proto } from 'baileys'
import type { WAMessage } from 'baileys'
import { readMessage } from '../../translate-in/message.ts'
import type { ReadingContext } from '../../translate-in/message.ts'
import { isWanted } from '../../translate-in/wanted.ts'

const ME = '4915100000009'
const PEER = '4915100000001'
const LID = '777000111'
const GROUP = '120363000000000001@g.us'
const CHANNEL = '120363000000000002@newsletter'
const AT_S = 1_700_000_000

const context: ReadingContext = {
  number: ME,
  phoneOf: (lid) => (lid === LID ? PEER : null),
  roomName: (id) => (id === GROUP ? 'Team' : null),
  isOurs: false,
  historical: false,
  now: 5,
}

function message(
  key: WAMessage['key'],
  content: proto.IMessage = { conversation: 'hi' },
  more: Partial<WAMessage> = {},
): WAMessage {
  return {
    key: { id: 'M1', fromMe: false, ...key },
    messageTimestamp: AT_S,
    pushName: 'Ann',
    message: proto.Message.fromObject(content),
    ...more,
  }
}

const eventOf = (given: WAMessage, with_: Partial<ReadingContext> = {}): Readonly<Record<string, unknown>> => ({
  ...readMessage(given, { ...context, ...with_ })?.event,
})

test('a direct message is told with digits, a name and milliseconds', (t) => {
  t.deepEqual(eventOf(message({ remoteJid: `${PEER}@s.whatsapp.net` })), {
    ev: 'message.received',
    externalMessageId: 'M1',
    from: PEER,
    to: ME,
    fromName: 'Ann',
    historical: false,
    timestamp: AT_S * 1_000,
    content: { type: 'text', text: 'hi' },
  })
})

test('the device of a writer is no part of his number', (t) => {
  t.is(eventOf(message({ remoteJid: `${PEER}:12@s.whatsapp.net` })).from, PEER)
})

// [engines.baileys-duties.5]
test('a sender with a private id gets a phone number from the stanza, or else from memory', (t) => {
  t.is(eventOf(message({ remoteJid: '999@lid', remoteJidAlt: `${PEER}@s.whatsapp.net` })).from, PEER)
  t.is(eventOf(message({ remoteJid: `${LID}@lid` })).from, PEER)
  t.is(eventOf(message({ remoteJid: GROUP, participant: `${LID}@lid` })).from, PEER)
  t.is(
    eventOf(message({ remoteJid: GROUP, participant: '999@lid', participantAlt: `${PEER}@s.whatsapp.net` })).from,
    PEER,
  )
})

test('a private id that nobody has told is the sender until it is', (t) => {
  t.is(eventOf(message({ remoteJid: '999@lid' })).from, '999@lid')
})

// [engines.baileys-duties.5]
test('a group is told with its name, a channel writes as itself, a status post is a story', (t) => {
  const inGroup = eventOf(message({ remoteJid: GROUP, participant: `${PEER}@s.whatsapp.net` }))
  t.deepEqual([inGroup.from, inGroup.group], [PEER, { id: GROUP, name: 'Team' }])
  const post = eventOf(message({ remoteJid: CHANNEL }))
  t.deepEqual([post.from, post.newsletter, post.ev], [CHANNEL, { id: CHANNEL }, 'message.received'])
  const story = eventOf(message({ remoteJid: 'status@broadcast', participant: `${PEER}@s.whatsapp.net` }))
  t.deepEqual([story.from, story.story], [PEER, true])
})

test('a broadcast list is the direct chat of its writer', (t) => {
  const event = eventOf(message({ remoteJid: '123@broadcast', participant: `${PEER}@s.whatsapp.net` }))
  t.deepEqual([event.from, event.group, event.story], [PEER, undefined, undefined])
})

test('a message that the owner wrote elsewhere is told with its recipient, one that the gateway sent is not told again', (t) => {
  const elsewhere = eventOf(message({ remoteJid: `${PEER}@s.whatsapp.net`, fromMe: true }))
  t.deepEqual([elsewhere.ev, elsewhere.from, elsewhere.to], ['message.sent_elsewhere', ME, PEER])
  t.is(eventOf(message({ remoteJid: `${LID}@lid`, remoteJidAlt: `${ME}@s.whatsapp.net`, fromMe: true })).to, PEER)
  t.is(eventOf(message({ remoteJid: GROUP, fromMe: true })).to, GROUP)
  t.deepEqual(eventOf(message({ remoteJid: `${PEER}@s.whatsapp.net`, fromMe: true }), { isOurs: true }), {})
})

test('a message taken back names the message, who did it and where', (t) => {
  const revoke = { protocolMessage: { key: { id: 'OLD' }, type: proto.Message.ProtocolMessage.Type.REVOKE } }
  t.deepEqual(eventOf(message({ remoteJid: GROUP, participant: `${PEER}@s.whatsapp.net` }, revoke)), {
    ev: 'message.revoked',
    externalMessageId: 'OLD',
    timestamp: AT_S * 1_000,
    from: PEER,
    group: { id: GROUP, name: 'Team' },
  })
})

test('an edit tells the new text and the time of the edit, wrapped or not', (t) => {
  const edit = {
    protocolMessage: {
      key: { id: 'OLD' },
      type: proto.Message.ProtocolMessage.Type.MESSAGE_EDIT,
      timestampMs: 1_700_000_000_123,
      editedMessage: { conversation: 'new' },
    },
  }
  const expected = {
    ev: 'message.edited',
    externalMessageId: 'OLD',
    timestamp: 1_700_000_000_123,
    from: PEER,
    content: { type: 'text', text: 'new' },
  }
  t.deepEqual(eventOf(message({ remoteJid: `${PEER}@s.whatsapp.net` }, edit)), expected)
  t.deepEqual(eventOf(message({ remoteJid: `${PEER}@s.whatsapp.net` }, { editedMessage: { message: edit } })), expected)
})

test('a message that cannot be decrypted yet is not told, because it comes again; a view-once message without content is told', (t) => {
  const stub = { message: null, messageStubType: proto.WebMessageInfo.StubType.CIPHERTEXT }
  t.deepEqual(eventOf(message({ remoteJid: `${PEER}@s.whatsapp.net` }, {}, stub)), {})
  t.deepEqual(
    eventOf(message({ remoteJid: `${PEER}@s.whatsapp.net`, isViewOnce: true }, {}, { message: null })).content,
    { type: 'viewOnce' },
  )
})

test('a changed key and other notices of the network are no messages, nor is a vote', (t) => {
  const chat = { remoteJid: `${PEER}@s.whatsapp.net` }
  t.is(
    readMessage(
      {
        ...message(chat),
        message: null,
        messageStubType: proto.WebMessageInfo.StubType.E2E_IDENTITY_CHANGED,
      } as WAMessage,
      context,
    ),
    null,
  )
  t.is(readMessage(message(chat, { pollUpdateMessage: { pollCreationMessageKey: { id: 'M0' } } }), context), null)
  t.is(readMessage(message({ ...chat, fromMe: true }, { albumMessage: { expectedImageCount: 2 } }), context), null)
})

test('history says so, and a message without a time has the time of reading', (t) => {
  const event = eventOf(
    message({ remoteJid: `${PEER}@s.whatsapp.net` }, { conversation: 'old' }, { messageTimestamp: null }),
    { historical: true },
  )
  t.deepEqual([event.historical, event.timestamp], [true, 5])
})

// [engines.baileys-duties.6]
test('groups and channels are told unless ignored, stories only when asked for', (t) => {
  const story = { remoteJid: 'status@broadcast' }
  t.false(isWanted(story, {}))
  t.false(isWanted(story, { ignoreStatus: false }))
  t.true(isWanted(story, { stories: true }))
  t.false(isWanted(story, { stories: true, ignoreStatus: true }))
  t.true(isWanted({ remoteJid: GROUP }, {}))
  t.false(isWanted({ remoteJid: GROUP }, { ignoreGroups: true }))
  t.false(isWanted({ remoteJid: GROUP }, { groups: false }))
  t.false(isWanted({ remoteJid: CHANNEL }, { newsletters: false }))
  t.true(isWanted({ remoteJid: `${PEER}@s.whatsapp.net` }, { ignoreGroups: true, newsletters: false }))
})
