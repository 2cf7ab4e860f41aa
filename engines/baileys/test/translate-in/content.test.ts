import test from 'ava'
import { generateWAMessageContent, proto } from 'baileys'
import type { AnyMessageContent } from 'baileys'
import { readContent } from '../../translate-in/content.ts'

/** Encodes a content with the library's own writer and decodes it again, as if it crossed the wire. */
async function written(content: AnyMessageContent): Promise<proto.IMessage> {
  const made = await generateWAMessageContent(content, {
    upload: async () => ({ mediaUrl: 'https://media.example/f', directPath: '/v/f.enc' }),
  })
  return overTheWire(made)
}

function overTheWire(message: proto.IMessage): proto.IMessage {
  return proto.Message.decode(proto.Message.encode(proto.Message.fromObject(message)).finish())
}

test('a text is told as it was written, with the message that it quotes', async (t) => {
  const quoting = overTheWire({
    extendedTextMessage: { text: 'yes', contextInfo: { stanzaId: 'ABC', participant: '4915100000001@s.whatsapp.net' } },
  })
  t.deepEqual(readContent(await written({ text: 'hello' })), {
    content: { type: 'text', text: 'hello' },
    media: null,
    quoted: null,
  })
  t.deepEqual(readContent(overTheWire({ conversation: 'plain' }))?.content, { type: 'text', text: 'plain' })
  t.is(readContent(quoting)?.quoted, 'ABC')
})

test('an image is told with its caption, its type and its size; keys stay in the reference', async (t) => {
  const read = readContent(
    await written({
      image: Buffer.from('not really a picture'),
      caption: 'look',
      jpegThumbnail: '',
      mimetype: 'image/png',
    }),
  )
  t.deepEqual(read?.content, { type: 'image', text: 'look', media: { mimeType: 'image/png', size: 20 } })
  t.is(read?.media?.directPath, '/v/f.enc')
  t.is(Buffer.from(read?.media?.mediaKey ?? '', 'base64').length, 32)
  t.false(JSON.stringify(read?.content).includes(String(read?.media?.mediaKey)))
})

test('a push-to-talk note is told as voice, with its waveform; another sound is not', async (t) => {
  const waveform = Array.from({ length: 64 }, (_, index) => index)
  const note = overTheWire({
    audioMessage: {
      url: 'https://media.example/a',
      mimetype: 'audio/ogg; codecs=opus',
      ptt: true,
      waveform: Uint8Array.from(waveform),
      mediaKey: new Uint8Array(32),
      fileLength: 5,
    },
  })
  const sound = overTheWire({
    audioMessage: { url: 'https://media.example/a', mimetype: 'audio/mpeg', mediaKey: new Uint8Array(32) },
  })
  t.deepEqual(readContent(note)?.content, {
    type: 'audio',
    media: { mimeType: 'audio/ogg; codecs=opus', size: 5, voice: true, waveform },
  })
  t.deepEqual(readContent(sound)?.content, { type: 'audio', media: { mimeType: 'audio/mpeg' } })
  t.is(readContent(note)?.media?.mediaClass, 'ptt')
})

test('wrappers of disappearing, view-once and captioned messages are taken off', async (t) => {
  const inner = await written({
    document: Buffer.from('file'),
    mimetype: 'application/pdf',
    fileName: 'a.pdf',
    caption: 'read me',
  })
  const expected = {
    type: 'document',
    text: 'read me',
    media: { mimeType: 'application/pdf', fileName: 'a.pdf', size: 4 },
  }
  for (const wrapper of [
    'ephemeralMessage',
    'viewOnceMessage',
    'viewOnceMessageV2',
    'viewOnceMessageV2Extension',
    'documentWithCaptionMessage',
  ]) {
    t.deepEqual(readContent(overTheWire({ [wrapper]: { message: inner } }))?.content, expected, wrapper)
  }
  t.deepEqual(
    readContent(overTheWire({ ephemeralMessage: { message: { viewOnceMessageV2: { message: inner } } } }))?.content,
    expected,
  )
})

test('stickers, films and video notes have their own types', (t) => {
  const file = { url: 'https://media.example/s', mediaKey: new Uint8Array(32) }
  t.deepEqual(readContent(overTheWire({ stickerMessage: file }))?.content, {
    type: 'sticker',
    media: { mimeType: 'image/webp' },
  })
  t.deepEqual(readContent(overTheWire({ videoMessage: { ...file, caption: 'film' } }))?.content, {
    type: 'video',
    text: 'film',
    media: { mimeType: 'video/mp4' },
  })
  t.is(readContent(overTheWire({ ptvMessage: file }))?.content.type, 'video')
})

test('a media without an address is told as a message without media', (t) => {
  t.deepEqual(readContent(overTheWire({ imageMessage: { caption: 'gone' } })), {
    content: { type: 'image', text: 'gone' },
    media: null,
    quoted: null,
  })
})

test('a place and contacts are told in the shape that official numbers have too', async (t) => {
  const place = await written({
    location: { degreesLatitude: 1.5, degreesLongitude: -2.25, name: 'Harbour', address: 'Quay 1' },
  })
  const vcard = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nitem1.TEL;waid=4915100000001:+49 151 00000001\r\nEND:VCARD'
  const person = await written({ contacts: { contacts: [{ displayName: 'Ann', vcard }] } })
  const two = await written({
    contacts: {
      displayName: '2 contacts',
      contacts: [
        { displayName: 'Ann', vcard },
        { displayName: 'Bob', vcard: 'TEL:+1' },
      ],
    },
  })
  t.deepEqual(readContent(place)?.content, {
    type: 'location',
    location: { latitude: 1.5, longitude: -2.25, name: 'Harbour', address: 'Quay 1' },
  })
  const ann = {
    name: { formatted_name: 'Ann' },
    phones: [{ phone: '+49 151 00000001', wa_id: '4915100000001' }],
    vcard,
  }
  t.deepEqual(readContent(person)?.content, { type: 'contacts', contacts: [ann] })
  t.deepEqual(readContent(two)?.content.contacts, [
    ann,
    { name: { formatted_name: 'Bob' }, phones: [{ phone: '+1' }], vcard: 'TEL:+1' },
  ])
})

test('a reaction names the message; without an emoji it is taken back', async (t) => {
  const key = { remoteJid: '4915100000001@s.whatsapp.net', id: 'M1', fromMe: true }
  t.deepEqual(readContent(await written({ react: { key, text: '👍' } }))?.content, {
    type: 'reaction',
    reaction: { messageId: 'M1', emoji: '👍' },
  })
  t.deepEqual(readContent(await written({ react: { key, text: '' } }))?.content, {
    type: 'reaction',
    reaction: { messageId: 'M1', emoji: null },
  })
})

test('a choice of a button or list is told in the same form as on official numbers', (t) => {
  const contextInfo = { stanzaId: 'ASKED' }
  const button = readContent(
    overTheWire({ buttonsResponseMessage: { selectedButtonId: 'b1', selectedDisplayText: 'Yes', contextInfo } }),
  )
  t.deepEqual(button, {
    content: {
      type: 'interactive',
      text: 'Yes',
      interactive: { type: 'button_reply', button_reply: { id: 'b1', title: 'Yes' } },
    },
    media: null,
    quoted: 'ASKED',
  })
  const list = readContent(
    overTheWire({
      listResponseMessage: { title: 'Row', description: 'more', singleSelectReply: { selectedRowId: 'r1' } },
    }),
  )
  t.deepEqual(list?.content.interactive, {
    type: 'list_reply',
    list_reply: { id: 'r1', title: 'Row', description: 'more' },
  })
  const template = readContent(
    overTheWire({ templateButtonReplyMessage: { selectedId: 'button_1', selectedDisplayText: 'Stop' } }),
  )
  t.deepEqual(template?.content, { type: 'button', text: 'Stop', interactive: { text: 'Stop', payload: 'button_1' } })
  const quick = readContent(
    overTheWire({
      interactiveResponseMessage: {
        body: { text: 'Go' },
        nativeFlowResponseMessage: { name: 'quick_reply', paramsJson: '{"id":"q1"}' },
      },
    }),
  )
  t.deepEqual(quick?.content.interactive, { type: 'button_reply', button_reply: { id: 'q1', title: 'Go' } })
  const form = readContent(
    overTheWire({
      interactiveResponseMessage: {
        body: { text: 'Sent' },
        nativeFlowResponseMessage: { name: 'flow', paramsJson: '{"a":1}' },
      },
    }),
  )
  t.deepEqual(form?.content.interactive, {
    type: 'nfm_reply',
    nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"a":1}' },
  })
})

test('texts with buttons of businesses are read: the words, and the picture above them', (t) => {
  const template = overTheWire({
    templateMessage: {
      hydratedTemplate: { hydratedTitleText: 'Title', hydratedContentText: 'Body', hydratedFooterText: 'Foot' },
    },
  })
  t.deepEqual(readContent(template)?.content, { type: 'text', text: 'Title\n\nBody\n\nFoot' })
  const picture = overTheWire({
    interactiveMessage: {
      header: { title: 'Head', imageMessage: { url: 'https://media.example/i' } },
      body: { text: 'Body' },
    },
  })
  t.deepEqual(readContent(picture)?.content, { type: 'image', text: 'Head\n\nBody', media: { mimeType: 'image/jpeg' } })
})

test('a poll is shown as its question and options', async (t) => {
  t.deepEqual(readContent(await written({ poll: { name: 'When?', values: ['Now', 'Later'] } }))?.content, {
    type: 'text',
    text: 'When?\n• Now\n• Later',
  })
})

const KEY = { remoteJid: '4915100000001@s.whatsapp.net', fromMe: false, id: 'M1' }
const SEALED = { encPayload: new Uint8Array([1]), encIv: new Uint8Array([2]) }

// [message-verbs.none.1]
test('no kind of message that the network has is told by a name that nobody knows', (t) => {
  const known = new Set(['text', 'image', 'video', 'audio', 'document', 'sticker', 'location', 'contacts', 'reaction'])
  // Answers, and templates without a text, have types of their own.
  for (const type of ['interactive', 'button', 'template']) known.add(type)
  const kinds = Object.entries(proto.Message.prototype).flatMap(([name, value]) => (value === null ? [name] : []))
  t.true(kinds.length > 80, String(kinds.length))
  // Some kinds only wrap a message.
  const inside = { message: { conversation: 'hi', stickerMessage: {} } }
  const told = kinds.map((kind) => [
    kind,
    readContent({ [kind]: kind === 'conversation' ? 'hi' : inside })?.content.type,
  ])
  t.deepEqual(
    told.filter(([, type]) => type !== undefined && !known.has(type)),
    [],
  )
})

// [message-verbs.none.1]
test('frames that are no messages are not told: votes, encrypted reactions, edits and comments, album headers, mentions in a status, notices of calls and payments', (t) => {
  const none: Readonly<Record<string, proto.IMessage>> = {
    vote: { pollUpdateMessage: { pollCreationMessageKey: KEY, vote: SEALED, senderTimestampMs: 5 } },
    reaction: { encReactionMessage: { targetMessageKey: KEY, ...SEALED } },
    edit: { secretEncryptedMessage: { targetMessageKey: KEY, ...SEALED, secretEncType: 2 } },
    comment: { encCommentMessage: { targetMessageKey: KEY, ...SEALED } },
    'answer to an event': { encEventResponseMessage: { eventCreationMessageKey: KEY, ...SEALED } },
    album: { albumMessage: { expectedImageCount: 3, expectedVideoCount: 1 } },
    'status mention': { statusMentionMessage: { message: { protocolMessage: { key: KEY, type: 25 } } } },
    'mention of a group in a status': {
      groupStatusMentionMessage: { message: { protocolMessage: { key: KEY, type: 25 } } },
    },
    'notice of a status': { statusNotificationMessage: { responseMessageKey: KEY } },
    'log of a call': { callLogMesssage: { isVideo: false } },
    'refused payment': { declinePaymentRequestMessage: { key: KEY } },
    'called off payment': { cancelPaymentRequestMessage: { key: KEY } },
    'kept message': { keepInChatMessage: { key: KEY } },
    'pinned message': { pinInChatMessage: { key: KEY } },
    'keys and a vote': {
      senderKeyDistributionMessage: { groupId: '1@g.us' },
      messageContextInfo: {},
      pollUpdateMessage: { pollCreationMessageKey: KEY },
    },
  }
  for (const [what, message] of Object.entries(none)) t.is(readContent(overTheWire(message)), null, what)
})

// [message-verbs.none.2]
test('orders, events, products, invitations, payments and results of polls are told as the words in them', (t) => {
  const worded: readonly (readonly [message: proto.IMessage, text: string])[] = [
    [
      {
        orderMessage: {
          orderTitle: 'Flowers',
          message: 'for Friday',
          itemCount: 2,
          totalAmount1000: 21_000,
          totalCurrencyCode: 'BRL',
        },
      },
      'Flowers\nfor Friday\n× 2\nBRL 21.00',
    ],
    [
      {
        productMessage: {
          product: { title: 'Vase', description: 'of glass', priceAmount1000: 9_900, currencyCode: 'EUR' },
          body: 'Still there?',
        },
      },
      'Vase\nof glass\nEUR 9.90\nStill there?',
    ],
    [
      {
        eventMessage: {
          name: 'Picnic',
          description: 'Bring cake',
          location: { name: 'Park', address: 'Main St 1' },
          startTime: 1_767_614_400,
          joinLink: 'https://call.example/a',
        },
      },
      'Picnic\nBring cake\n2026-01-05T12:00:00Z\nPark\nMain St 1\nhttps://call.example/a',
    ],
    [
      { scheduledCallCreationMessage: { title: 'Planning', scheduledTimestampMs: 1_767_614_400_000 } },
      'Planning\n2026-01-05T12:00:00Z',
    ],
    [
      {
        groupInviteMessage: { groupName: 'Runners', caption: 'Join us', inviteCode: 'x', groupJid: '1@g.us' },
        messageContextInfo: {},
      },
      'Runners\nJoin us',
    ],
    [{ newsletterAdminInviteMessage: { newsletterName: 'News', caption: 'Write with me' } }, 'News\nWrite with me'],
    [
      {
        requestPaymentMessage: {
          noteMessage: { extendedTextMessage: { text: 'for lunch' } },
          amount: { value: 1_250, offset: 100, currencyCode: 'BRL' },
        },
      },
      'for lunch\nBRL 12.50',
    ],
    [{ requestPaymentMessage: { amount1000: 5_000, currencyCodeIso4217: 'INR' } }, 'INR 5.00'],
    [{ sendPaymentMessage: { noteMessage: { conversation: 'thanks' } } }, 'thanks'],
    [{ invoiceMessage: { note: 'Bill 7' } }, 'Bill 7'],
    [
      {
        pollResultSnapshotMessage: {
          name: 'When?',
          pollVotes: [{ optionName: 'Now', optionVoteCount: 3 }, { optionName: 'Later' }],
        },
      },
      'When?\n• Now: 3\n• Later: 0',
    ],
    [
      {
        pollCreationMessageV4: {
          message: { pollCreationMessageV3: { name: 'Who?', options: [{ optionName: 'Me' }] } },
        },
      },
      'Who?\n• Me',
    ],
    [{ stickerPackMessage: { name: 'Cats', publisher: 'Ann' } }, 'Cats\nAnn'],
    [{ commentMessage: { message: { conversation: 'nice' }, targetMessageKey: KEY } }, 'nice'],
    [{ groupMentionedMessage: { message: { extendedTextMessage: { text: 'all of you' } } } }, 'all of you'],
  ]
  for (const [message, text] of worded)
    t.deepEqual(readContent(overTheWire(message))?.content, { type: 'text', text }, text)
  const quoting = readContent(overTheWire({ orderMessage: { orderTitle: 'Flowers', contextInfo: { stanzaId: 'M1' } } }))
  t.is(quoting?.quoted, 'M1')
  const shown = readContent(
    overTheWire({ productMessage: { product: { title: 'Vase', productImage: { url: 'https://media.example/v' } } } }),
  )
  t.deepEqual(shown?.content, { type: 'image', text: 'Vase', media: { mimeType: 'image/jpeg' } })
  // A message without words still gets a text, because somebody did write something.
  for (const name of [
    'orderMessage',
    'productMessage',
    'eventMessage',
    'groupInviteMessage',
    'sendPaymentMessage',
    'paymentInviteMessage',
  ]) {
    t.truthy(readContent(overTheWire({ [name]: {} }))?.content.text, name)
  }
})

test('an unknown type of message is told by its name; messages that only carry keys or settings are not told', (t) => {
  const later = { hologramMessage: {}, messageContextInfo: {} } as proto.IMessage
  t.deepEqual(readContent(later)?.content, { type: 'hologram' })
  t.is(readContent(overTheWire({ senderKeyDistributionMessage: { groupId: '1@g.us' } })), null)
  t.is(readContent(overTheWire({})), null)
  t.is(readContent(null), null)
})
