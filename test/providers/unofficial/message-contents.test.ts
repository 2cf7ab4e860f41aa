import test from 'ava'
import { NO_CONTENT } from '../../../src/domain/message.ts'
import type { MessageContent, MessageType } from '../../../src/domain/message.ts'
import { readEvent } from '../../../src/providers/unofficial/events.ts'
import { MEDIA, READ_MEDIA, received, RECEIVED, OWN } from './read-messages.ts'

const CONTENTS: readonly (readonly [
  name: string,
  content: object,
  messageType: MessageType,
  read: Partial<MessageContent>,
])[] = [
  ['image', { type: 'image', text: 'Look', media: MEDIA }, 'image', { text: 'Look', media: READ_MEDIA }],
  [
    'video',
    { type: 'video', media: { url: 'u' } },
    'video',
    { media: { id: null, url: 'u', mimeType: null, fileName: null } },
  ],
  [
    'voice note',
    { type: 'audio', media: { ...MEDIA, voice: true } },
    'audio',
    { media: { ...READ_MEDIA, isVoice: true } },
  ],
  ['voice note by another name', { type: 'voice', media: MEDIA }, 'audio', { media: { ...READ_MEDIA, isVoice: true } }],
  ['document', { type: 'document', media: MEDIA }, 'document', { media: READ_MEDIA }],
  ['sticker', { type: 'sticker', media: MEDIA }, 'sticker', { media: READ_MEDIA }],
  [
    'location',
    { type: 'location', location: { latitude: 1, longitude: 2 } },
    'location',
    { location: { latitude: 1, longitude: 2 } },
  ],
  ['contact', { type: 'contacts', contacts: [{ name: 'Bob' }] }, 'contacts', { contacts: [{ name: 'Bob' }] }],
  [
    'reaction',
    { type: 'reaction', reaction: { messageId: 'm0', emoji: '👍' } },
    'reaction',
    { reaction: { messageId: 'm0', emoji: '👍' } },
  ],
  [
    'reaction taken back',
    { type: 'reaction', reaction: { messageId: 'm0', emoji: '' } },
    'reaction',
    { reaction: { messageId: 'm0', emoji: null } },
  ],
  [
    'reply to a list',
    { type: 'interactive', text: 'Yes', interactive: { id: 'yes' } },
    'interactive',
    { text: 'Yes', interactive: { id: 'yes' } },
  ],
  [
    'reply to a button',
    { type: 'button', text: 'Yes', button: { id: 'yes' } },
    'button',
    { text: 'Yes', interactive: { id: 'yes' } },
  ],
  [
    'reply under the name of buttons',
    { type: 'button', text: 'Yes', buttons: { id: 'yes' } },
    'button',
    { text: 'Yes', interactive: { id: 'yes' } },
  ],
  ['unknown type', { type: 'poll', text: 'Which?' }, 'text', { text: 'Which?' }],
  [
    'unknown type that says nothing',
    { type: 'hologram', depth: 3 },
    'unsupported',
    { upstream: { type: 'hologram', depth: 3 } },
  ],
  [
    'message the engine cannot read',
    { type: 'unsupported', text: 'Waiting for this message' },
    'unsupported',
    { text: 'Waiting for this message', upstream: { type: 'unsupported', text: 'Waiting for this message' } },
  ],
  [
    'notice',
    { type: 'system', text: 'Ann joined' },
    'system',
    { text: 'Ann joined', upstream: { type: 'system', text: 'Ann joined' } },
  ],
  [
    'unknown type with a media',
    { type: 'ptv', media: { url: 'u', mimeType: 'video/mp4' } },
    'video',
    { media: { id: null, url: 'u', mimeType: 'video/mp4', fileName: null } },
  ],
  [
    'unknown type with a file',
    { type: 'blob', media: { url: 'u', mimeType: 'application/zip' } },
    'document',
    { media: { id: null, url: 'u', mimeType: 'application/zip', fileName: null } },
  ],
  ['broken parts', { type: 'image', text: 7, media: 'x', location: [], contacts: {}, reaction: 3 }, 'image', {}],
]
// [messages.item.2] [bridge.content.1]
for (const [name, content, messageType, read] of CONTENTS) {
  test(`${name} is told as ${messageType}`, (t) => {
    const event = received({ content })
    t.is(event.messageType, messageType)
    t.deepEqual(event.content, { ...NO_CONTENT, ...read })
  })
}

// [message-verbs.none.1]
test('a frame that is no message, such as a vote, is ignored, whatever type the engine gives it', (t) => {
  for (const type of [
    'pollUpdate',
    'poll_update',
    'pollUpdateMessage',
    'encReaction',
    'encReactionMessage',
    'secretEncrypted',
    'albumMessage',
    'album',
    'senderKeyDistribution',
    'protocol',
    'e2e_notification',
    'statusMention',
    'callLogMesssage',
    'call_log',
    'poll_vote',
    'pinned_message',
    'revoked',
    'messageEdit',
    'encrypted_reaction',
    'scheduledCallEditMessage',
    'newsletter_notification',
  ]) {
    for (const ev of ['message.received', 'message.sent_elsewhere']) {
      const reading = readEvent(ev, { ...RECEIVED, ev, content: { type, text: 'x' } }, OWN)
      t.is(reading.kind === 'event' ? reading.event.type : reading.kind, 'unused', `${ev} ${type}`)
    }
  }
  t.is(received({ content: { type: 'somethingNew' } }).messageType, 'unsupported')
  t.is(received({ content: { type: 'protocolDroid', text: 'x' } }).messageType, 'text')
})

// [message-verbs.none.2]
test('words of orders, events, products, invitations, payments and polls are kept as text', (t) => {
  const worded: readonly (readonly [content: object, text: string])[] = [
    [{ type: 'poll', poll: { name: 'When?', options: ['Now', { optionName: 'Later' }] } }, 'When?\n• Now\n• Later'],
    [
      {
        type: 'order',
        order: {
          title: 'Flowers',
          note: 'for Friday',
          items: [{ name: 'Rose', quantity: 2 }],
          total: 21,
          currency: 'BRL',
        },
      },
      'Flowers\nfor Friday\n• Rose × 2\nBRL 21',
    ],
    [
      {
        type: 'product',
        product: {
          title: 'Vase',
          description: 'of glass',
          price: '9.90',
          currency: 'EUR',
          url: 'https://shop.example/vase',
        },
      },
      'Vase\nof glass\nhttps://shop.example/vase\nEUR 9.90',
    ],
    [
      { type: 'event', event: { name: 'Picnic', startTime: '2026-01-05T12:00:00Z', location: { name: 'Park' } } },
      'Picnic\n2026-01-05T12:00:00Z\nPark',
    ],
    [{ type: 'groupInvite', groupInvite: { groupName: 'Runners', caption: 'Join us' } }, 'Runners\nJoin us'],
    [{ type: 'groups_v4_invite', groupsV4Invite: { groupName: 'Walkers' } }, 'Walkers'],
    [
      { type: 'order', orderMessage: { product_items: [{ product_retailer_id: 'shoe-1', quantity: 2 }] } },
      '• shoe-1 × 2',
    ],
    [{ type: 'payment', payment: { note: 'for lunch', amount: 12.5, currency: 'BRL' } }, 'for lunch\nBRL 12.5'],
  ]
  for (const [content, text] of worded) t.like(received({ content }), { messageType: 'text', content: { text } }, text)
  t.is(
    received({ content: { type: 'poll', text: 'Said already', poll: { name: 'When?' } } }).content.text,
    'Said already',
  )
  t.is(received({ content: { type: 'order', order: { items: 7, title: 3 } } }).messageType, 'unsupported')
})
