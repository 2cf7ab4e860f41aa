import test from 'ava'
import {
  messageEvent,
  revokedEvent,
  sentElsewhereEvent,
  shownAddress,
  type ToldMessage,
} from '../../src/domain/message-event.ts'
import { NO_CONTENT, type MessageMedia, type MessageType } from '../../src/domain/message.ts'

const AT = new Date('2026-11-30T10:00:00.123Z')
const MEDIA: MessageMedia = { id: null, url: 'https://a.example/1', mimeType: 'image/png', fileName: 'a.png' }
const TOLD: ToldMessage = {
  id: 'msg_1',
  numberId: 'num_1',
  externalMessageId: 'wamid.1',
  from: '5511999999999',
  fromName: 'Ana',
  to: '5511888888888',
  isFromMe: false,
  type: 'text',
  content: { ...NO_CONTENT, text: 'Hi' },
  groupId: null,
  groupName: null,
  quotedMessageId: null,
  at: AT,
}
const DATA = {
  id: 'msg_1',
  messageId: 'wamid.1',
  channelNumberId: 'num_1',
  from: '+5511999999999',
  to: '+5511888888888',
  fromMe: false,
  participantName: 'Ana',
  type: 'text',
  content: 'Hi',
  mediaType: null,
  mediaLink: null,
  mediaId: null,
  mediaMimeType: null,
  mediaCaption: null,
  mediaFilename: null,
  mediaDownloadHint: null,
  location: null,
  contacts: null,
  reaction: null,
  interactive: null,
  groupId: null,
  groupName: null,
  createdAt: '2026-11-30T10:00:00.123Z',
}

// [rest.phones.2]
test('digits alone are shown as E.164, and every other address as it is', (t) => {
  t.is(shownAddress('5511999999999'), '+5511999999999')
  for (const address of ['1@g.us', 'user_1', '12@lid', '+5511999999999', '55 11']) t.is(shownAddress(address), address)
})

// [events.data.1]
test('the event of a text says all of it, and nothing of media', (t) => {
  t.deepEqual(messageEvent('message.received', TOLD), { event: 'message.received', data: DATA })
})

test('a story is addressed to nobody, and a reply names what it answers', (t) => {
  const { to: _to, ...story } = DATA
  t.deepEqual(messageEvent('message.stories', { ...TOLD, to: null }).data, story)
  t.deepEqual(messageEvent('message.reply', { ...TOLD, quotedMessageId: 'wamid.0' }).data, {
    ...DATA,
    quotedMessageId: 'wamid.0',
  })
})

test('what a message has beside its text stands in fields of its own', (t) => {
  const beside = {
    location: { latitude: 1 },
    contacts: [{ name: 'Bo' }],
    reaction: { messageId: 'wamid.0', emoji: null },
    interactive: { id: 'button_1' },
  }
  const said = messageEvent('message.group', {
    ...TOLD,
    content: { ...TOLD.content, ...beside },
    groupId: '1@g.us',
    groupName: 'Friends',
    isFromMe: true,
  })
  t.deepEqual(said.data, { ...DATA, ...beside, groupId: '1@g.us', groupName: 'Friends', fromMe: true })
})

// [events.data.9]
test('the type of a message is named as that of its media, but for messages that are words or none', (t) => {
  const typed = (type: MessageType) => messageEvent('message.received', { ...TOLD, type }).data
  for (const type of ['text', 'carousel', 'template', 'flow', 'unsupported', 'system'] as const)
    t.like(typed(type), { mediaType: null, mediaCaption: null })
  for (const type of ['image', 'video', 'audio', 'document', 'sticker'] as const)
    t.like(typed(type), { mediaType: type, mediaCaption: 'Hi', content: 'Hi' })
  t.like(typed('location'), { mediaType: 'location', mediaCaption: null })
})

// [media.inbound.8]
test('media are described with how to get at their bytes', (t) => {
  const told = (media: MessageMedia) =>
    messageEvent('message.received', { ...TOLD, type: 'image', content: { ...TOLD.content, media } }).data
  const facts = { mediaMimeType: 'image/png', mediaFilename: 'a.png' }
  t.like(told(MEDIA), {
    ...facts,
    mediaId: null,
    mediaLink: 'https://a.example/1',
    mediaDownloadHint: 'GET mediaLink before it expires',
  })
  t.like(told({ ...MEDIA, id: '77', url: null }), {
    ...facts,
    mediaId: '77',
    mediaLink: null,
    mediaDownloadHint: 'GET /v1/media/77?phoneNumberId=<upstream phone number id>',
  })
  t.like(told({ ...MEDIA, url: null }), {
    mediaLink: null,
    mediaDownloadHint: 'The media could not be fetched from the device',
  })
})

// [events.data.12]
test('a message that was taken back is named, and nothing of what it said', (t) => {
  const { id, numberId, externalMessageId } = TOLD
  t.deepEqual(revokedEvent({ id, numberId, externalMessageId, correlationId: 'mine', isFromMe: true, at: AT }), {
    event: 'message.revoked',
    data: {
      id: 'msg_1',
      messageId: 'wamid.1',
      channelNumberId: 'num_1',
      correlationId: 'mine',
      fromMe: true,
      createdAt: '2026-11-30T10:00:00.123Z',
    },
  })
})

// [engines.bridge.4]
test('a message that the owner wrote elsewhere has the fields of one that came and those of one that was sent', (t) => {
  t.deepEqual(sentElsewhereEvent({ ...TOLD, isFromMe: true }, '5511777777777'), {
    event: 'message.sent',
    data: { ...DATA, fromMe: true, internalMessageId: 'msg_1', correlationId: null, destination: '+5511777777777' },
  })
})
