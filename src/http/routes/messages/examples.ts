import { DEVICE_OPS } from '../../../domain/device-ops.ts'
import { SAMPLE } from '../samples.ts'

const TO = { destinationNumber: '+55 11 99999-0001' }
const QUICK = { type: 'QUICK_REPLY', text: 'Yes, please', id: 'yes' }
const CARDS = [
  {
    image: 'https://example.com/shoe.jpg',
    text: 'Running shoe',
    buttons: [{ type: 'QUICK_REPLY', text: 'I want it', id: 'shoe' }],
  },
  {
    image: 'https://example.com/shirt.jpg',
    text: 'Shirt',
    buttons: [{ type: 'QUICK_REPLY', text: 'I want it', id: 'shirt' }],
  },
]

/**
 * Examples of every mode of sending ([messages.modes.1] to [messages.modes.5], [message-verbs.modes.1] to
 * [message-verbs.modes.6]).
 */
export const SEND = {
  Text: { ...TO, text: 'Your order is on its way', correlationId: 'order-4711' },
  'Text with buttons': {
    ...TO,
    text: 'Shall we deliver today?',
    footer: 'Acme',
    buttons: [QUICK, { type: 'QUICK_REPLY', text: 'Tomorrow', id: 'no' }],
  },
  'Text with a link button': {
    ...TO,
    text: 'Your parcel has left us.',
    buttons: [{ type: 'URL', text: 'Track it', url: 'https://example.com/track/4711' }],
  },
  'Image by address': { ...TO, media: 'https://example.com/parcel.jpg', mediaType: 'image', caption: 'Your parcel' },
  'Image as data': {
    ...TO,
    media:
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    mediaType: 'image',
  },
  Document: {
    ...TO,
    media: 'https://example.com/invoice-4711.pdf',
    mediaType: 'document',
    mediaFilename: 'Invoice 4711.pdf',
    caption: 'Your invoice',
  },
  'Voice note': { ...TO, media: 'https://example.com/hello.ogg', mediaType: 'voice' },
  Sticker: { ...TO, media: 'https://example.com/thanks.webp', mediaType: 'sticker' },
  Carousel: { ...TO, carousel: { text: 'New this week', cards: CARDS } },
  Template: {
    ...TO,
    templateId: 'order_sent',
    language: 'pt_BR',
    variables: { name: 'Ana', button_2: '4711?from=chat' },
  },
  'Template with another file': {
    ...TO,
    templateId: 'invoice',
    variables: { name: 'Ana' },
    media: 'https://example.com/invoice-4711.pdf',
    mediaFilename: 'Invoice 4711.pdf',
  },
  'Template carousel (OFFICIAL)': {
    ...TO,
    templateId: 'new_this_week',
    variables: { name: 'Ana' },
    cards: [
      { variables: { 1: 'R$ 99' } },
      { variables: { 1: 'R$ 79' }, media: { url: 'https://example.com/shirt.png' } },
    ],
  },
  'Flow (OFFICIAL)': {
    ...TO,
    flow: {
      flowId: 'flow_01kb0000000000000000000000',
      text: 'Book a table',
      cta: 'Book',
      screen: 'START',
      data: { guests: 2 },
    },
  },
  Location: {
    ...TO,
    location: { latitude: -23.5614, longitude: -46.6559, name: 'Acme', address: 'Avenida Paulista 1578, São Paulo' },
  },
  Contacts: {
    ...TO,
    contacts: [
      {
        name: { formatted: 'Ana Souza', first: 'Ana', last: 'Souza' },
        phones: [{ phone: '+55 11 99999-0002', type: 'WORK' }],
        emails: ['ana@example.com'],
        org: 'Acme',
      },
    ],
  },
  List: {
    ...TO,
    list: {
      text: 'When shall we deliver?',
      button: 'Times',
      sections: [
        {
          rows: [
            { id: 'morning', title: 'Morning', description: '8 to 12' },
            { id: 'evening', title: 'Evening', description: '18 to 21' },
          ],
        },
      ],
    },
  },
  'Reaction to a message': { reaction: { messageId: SAMPLE.messageId, emoji: '👍' } },
  'Request of a number (OFFICIAL)': {
    destinationNumber: 'US.13491208655302741918',
    contactRequest: { text: 'May we call you about your order?' },
  },
  'Poll (UNOFFICIAL)': { ...TO, poll: { question: 'When shall we meet?', options: ['Monday', 'Tuesday'] } },
  'Reply to a message': { ...TO, text: 'Gladly!', quotedMessageId: SAMPLE.messageId },
  'Later, and not after': {
    ...TO,
    text: 'Good morning',
    deliverAt: '2030-01-05T08:00:00Z',
    deliverUntil: '2030-01-05T10:00:00Z',
  },
  'To a group (UNOFFICIAL)': { groupId: '120363000000000001@g.us', text: 'Hello, all' },
  'To a channel (UNOFFICIAL)': { newsletterId: '120363000000000002@newsletter', text: 'We are open on Sunday' },
}
export const ACCEPTED = {
  id: SAMPLE.messageId,
  correlationId: 'order-4711',
  status: 'QUEUED',
  createdAt: SAMPLE.createdAt,
  sourceNumber: SAMPLE.number,
}

const TIMES = { sentAt: SAMPLE.soonAfter, deliveredAt: SAMPLE.later, readAt: null, failedAt: null }
const MESSAGE = {
  id: SAMPLE.messageId,
  status: 'DELIVERED',
  direction: 'OUTBOUND',
  correlationId: 'order-4711',
  destinationNumber: SAMPLE.peer,
  type: 'text',
  template: null,
  createdAt: SAMPLE.createdAt,
  ...TIMES,
  externalMessageId: '3EB0A9C1D2',
  errorCode: null,
  errorMessage: null,
}
export const READ = {
  Delivered: MESSAGE,
  Failed: {
    ...MESSAGE,
    status: 'FAILED',
    sentAt: null,
    deliveredAt: null,
    failedAt: SAMPLE.later,
    externalMessageId: null,
    errorCode: 'CHANNEL_NOT_EXIST',
    errorMessage: 'The destination is not registered on this channel',
  },
}

export const ITEM = {
  id: SAMPLE.messageId,
  conversationId: SAMPLE.conversationId,
  direction: 'INBOUND',
  type: 'text',
  content: 'Good morning',
  from: SAMPLE.peer,
  to: SAMPLE.number,
  fromName: 'Ana',
  externalMessageId: '3EB0A9C1D2',
  status: 'RECEIVED',
  quotedMessageId: null,
  media: null,
  referral: null,
  reaction: null,
  location: null,
  contacts: null,
  interactive: null,
  upstream: null,
  editedAt: null,
  revokedAt: null,
  redacted: false,
  createdAt: SAMPLE.createdAt,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
  groupId: null,
  groupName: null,
  conversationUnreadCount: 1,
}
const PHOTO = {
  ...ITEM,
  type: 'image',
  content: 'Is this the one?',
  media: {
    provider: SAMPLE.provider,
    id: null,
    url: 'https://api.example.com/media/file_01kb0000000000000000000000/photo.jpg',
    mimeType: 'image/jpeg',
    fileName: 'photo.jpg',
  },
}

function page(...messages: object[]) {
  return { messages, total: messages.length, page: 1, pageSize: 30, totalPages: 1 }
}

const EDITED = { ...ITEM, content: 'Good evening', editedAt: SAMPLE.later }
const REVOKED = { ...ITEM, content: null, revokedAt: SAMPLE.later }

export const HISTORY = page(PHOTO, EDITED, REVOKED, ITEM)
export const UNREAD = page(ITEM)
export const OF_GROUPS = page({ ...ITEM, groupId: '120363000000000001@g.us', groupName: 'Support' })

export const MARK_READ = {
  'Some messages': { messageIds: [SAMPLE.messageId] },
  'A whole conversation': { conversationId: SAMPLE.conversationId },
}
export const TYPING = {
  'To a contact': { to: '+55 11 99999-0001', state: 'typing' },
  'In a conversation': { conversationId: SAMPLE.conversationId, state: 'recording' },
}
export const TYPING_SHOWN = DEVICE_OPS.showTyping.example.answer
export const MARKED_READ = { read: 1 }
export const EDIT = { text: 'Your order arrives at nine, not at eight' }
const CHANGED = { id: SAMPLE.messageId, externalMessageId: '3EB0A9C1D2' }
export const EDITED_MESSAGE = { ...CHANGED, content: EDIT.text, editedAt: SAMPLE.later }
export const REVOKED_MESSAGE = { ...CHANGED, revokedAt: SAMPLE.later }
export const CANCELED = {
  cancelled: [SAMPLE.messageId],
  failed: [{ id: 'msg_01kb0000000000000000000001', reason: 'The message was sent already' }],
}

export const BATCH = {
  messages: [
    { ...TO, text: 'Your order is on its way', correlationId: 'order-4711' },
    { destinationNumber: '+55 11 99999-0002', text: 'Your order is on its way', correlationId: 'order-4712' },
    { text: 'Nobody is named here' },
  ],
  pace: { perMinute: 120 },
}
const BATCH_ID = 'bat_01kb0000000000000000000000'
export const BATCH_ACCEPTED = {
  batchId: BATCH_ID,
  accepted: 2,
  refused: [
    {
      index: 2,
      error: 'Invalid body: destinationNumber: is needed, or groupId or newsletterId',
      code: null,
    },
  ],
}
export const BATCH_COUNTS = {
  batchId: BATCH_ID,
  createdAt: SAMPLE.later,
  pace: { perMinute: 120 },
  accepted: 2,
  counts: { QUEUED: 1, SENT: 1, DELIVERED: 0, READ: 0, FAILED: 0, CANCELED: 0 },
}
export const BATCH_CANCELED = { batchId: BATCH_ID, cancelled: 1 }
