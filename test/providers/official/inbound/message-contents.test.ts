import test from 'ava'
import { NO_CONTENT } from '../../../../src/domain/message.ts'
import type { MessageContent, MessageType } from '../../../../src/domain/message.ts'
import { readContent } from '../../../../src/providers/official/inbound/message-content.ts'
import { readMessageEvents } from '../../../../src/providers/official/inbound/message-events.ts'
import { file, REASON, told, read, META, MESSAGE } from './read-messages.ts'

const BUTTON_REPLY = { type: 'button_reply', button_reply: { id: 'id-1', title: 'Yes' } }
const LIST_REPLY = { type: 'list_reply', list_reply: { id: 'id-2', title: 'Row', description: 'Long' } }
const FLOW_REPLY = { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"a":1}' } }
const ORDER = {
  catalog_id: '9',
  text: 'Please',
  product_items: [{ product_retailer_id: 'p', quantity: 1, item_price: 2, currency: 'USD' }],
}
const CARD = { name: { formatted_name: 'Bob' }, phones: [{ phone: '+1 555' }] }

const TYPES: readonly (readonly [
  name: string,
  item: object,
  messageType: MessageType,
  content: Partial<MessageContent>,
])[] = [
  [
    'image',
    { type: 'image', image: { id: '1', mime_type: 'image/jpeg', sha256: 'x', caption: 'Look', url: 'https://x' } },
    'image',
    { text: 'Look', media: file('1', 'image/jpeg') },
  ],
  ['video', { type: 'video', video: { id: '2', mime_type: 'video/mp4' } }, 'video', { media: file('2', 'video/mp4') }],
  [
    'audio',
    { type: 'audio', audio: { id: '3', mime_type: 'audio/ogg; codecs=opus', voice: true } },
    'audio',
    { media: { ...file('3', 'audio/ogg; codecs=opus'), isVoice: true } },
  ],
  [
    'document',
    { type: 'document', document: { id: 4, mime_type: 'application/pdf', filename: 'a.pdf', caption: 'Read' } },
    'document',
    { text: 'Read', media: file('4', 'application/pdf', 'a.pdf') },
  ],
  [
    'sticker',
    { type: 'sticker', sticker: { id: '5', mime_type: 'image/webp', animated: false } },
    'sticker',
    { media: file('5', 'image/webp') },
  ],
  ['image too large for upstream', { type: 'image', image: {}, errors: [{ code: 131052 }] }, 'image', {}],
  [
    'location',
    { type: 'location', location: { latitude: -23.5, longitude: 0, name: 'Here' } },
    'location',
    { location: { latitude: -23.5, longitude: 0, name: 'Here' } },
  ],
  ['contacts', { type: 'contacts', contacts: [CARD, null] }, 'contacts', { contacts: [CARD] }],
  [
    'button reply',
    { type: 'interactive', interactive: BUTTON_REPLY },
    'interactive',
    { text: 'Yes', interactive: BUTTON_REPLY },
  ],
  [
    'list reply',
    { type: 'interactive', interactive: LIST_REPLY },
    'interactive',
    { text: 'Row', interactive: LIST_REPLY },
  ],
  [
    'Flow reply',
    { type: 'interactive', interactive: FLOW_REPLY },
    'interactive',
    { text: 'Sent', interactive: FLOW_REPLY },
  ],
  [
    'unknown reply',
    { type: 'interactive', interactive: { type: 'new' } },
    'interactive',
    { interactive: { type: 'new' } },
  ],
  [
    'template button',
    { type: 'button', button: { payload: 'p', text: 'Stop' } },
    'button',
    { text: 'Stop', interactive: { payload: 'p', text: 'Stop' } },
  ],
  [
    'reaction',
    { type: 'reaction', reaction: { message_id: 'wamid.R', emoji: '👍' } },
    'reaction',
    { reaction: { messageId: 'wamid.R', emoji: '👍' } },
  ],
  [
    'reaction taken back',
    { type: 'reaction', reaction: { message_id: 'wamid.R' } },
    'reaction',
    { reaction: { messageId: 'wamid.R', emoji: null } },
  ],
  [
    'reaction emptied',
    { type: 'reaction', reaction: { message_id: 'wamid.R', emoji: '' } },
    'reaction',
    { reaction: { messageId: 'wamid.R', emoji: null } },
  ],
  [
    'notice of the system',
    { type: 'system', system: { body: 'Ann has a new number', type: 'user_changed_number' } },
    'system',
    { text: 'Ann has a new number', upstream: { body: 'Ann has a new number', type: 'user_changed_number' } },
  ],
  [
    'message upstream cannot show',
    { type: 'unsupported', errors: [REASON], unsupported: { type: 'poll' } },
    'unsupported',
    { text: 'Not supported here', upstream: { type: 'poll', errors: [REASON] } },
  ],
  ['message of which upstream says nothing', { type: 'unsupported' }, 'unsupported', { upstream: { errors: [] } }],
  [
    'type of the future',
    { type: 'hologram', hologram: { depth: 3 } },
    'unsupported',
    { upstream: { type: 'hologram', hologram: { depth: 3 } } },
  ],
  [
    'type that is a word of the language',
    { type: 'constructor' },
    'unsupported',
    { upstream: { type: 'constructor' } },
  ],
  [
    'order',
    { type: 'order', order: ORDER },
    'interactive',
    { text: 'Please\n• p × 1', interactive: { type: 'order', order: ORDER } },
  ],
  [
    'type without a type here',
    { type: 'event', event: { name: 'Picnic', start_time: '2026-01-05T12:00:00Z', location: { name: 'Park' } } },
    'text',
    { text: 'Picnic\n2026-01-05T12:00:00Z\nPark' },
  ],
  [
    'invitation',
    { type: 'group_invite', group_invite: { group_name: 'Runners', caption: 'Join us' } },
    'text',
    { text: 'Runners\nJoin us' },
  ],
]
// [message-verbs.none.1]
test('what is no message is told as none, whether upstream shows it or not', (t) => {
  for (const item of [
    { type: 'poll_update', poll_update: { vote: {} } },
    { type: 'album', album: { expected: 3 } },
    { type: 'unsupported', unsupported: { type: 'poll_update' }, errors: [{ code: 131_051 }] },
    { type: 'unsupported', unsupported: { type: 'enc_reaction' } },
  ])
    t.is(readContent(item), null, JSON.stringify(item))
  t.is(readContent({ type: 'unsupported', unsupported: { type: 'hologram' } })?.messageType, 'unsupported')
})

// [messages.item.2]
for (const [name, item, messageType, content] of TYPES) {
  test(`a ${name} is told as ${messageType}`, (t) => {
    const event = told(item)
    t.is(event.messageType, messageType)
    t.deepEqual(event.content, { ...NO_CONTENT, ...content })
  })
}

const ANSWERS: readonly (readonly [what: string, told: unknown, reply: object])[] = [
  [
    'fields',
    '{"name":"Ada","photos":[{"id":"7"}],"flow_token":"ft_1"}',
    { flowToken: 'ft_1', response: { name: 'Ada', photos: [{ id: '7' }] }, rawResponse: null },
  ],
  ['no token', '{"name":"Ada"}', { flowToken: null, response: { name: 'Ada' }, rawResponse: null }],
  ['a token that is none', '{"flow_token":{"a":1}}', { flowToken: null, response: {}, rawResponse: null }],
  [
    'integers that no number holds',
    '{"cpf":12345678901234567890}',
    { flowToken: null, response: { cpf: '12345678901234567890' }, rawResponse: null },
  ],
  [
    'keys of every object',
    '{"__proto__":{"a":1},"constructor":"b"}',
    { flowToken: null, response: JSON.parse('{"__proto__":{"a":1},"constructor":"b"}') as object, rawResponse: null },
  ],
  [
    'fields that are no text',
    { name: 'Ada', flow_token: 'ft_1' },
    { flowToken: 'ft_1', response: { name: 'Ada' }, rawResponse: null },
  ],
  ['what cannot be read', '{"name": ', { flowToken: null, response: null, rawResponse: '{"name": ' }],
  ['a list', '[1]', { flowToken: null, response: null, rawResponse: '[1]' }],
  ['nothing', undefined, { flowToken: null, response: null, rawResponse: 'null' }],
]
for (const [what, answer, reply] of ANSWERS) {
  test(`an answer to a Flow that holds ${what} is told apart from its token`, (t) => {
    const item = {
      type: 'interactive',
      interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: answer } },
      context: { id: 'wamid.Q' },
    }
    t.deepEqual(told(item).flowReply, reply as never)
    t.like(told(item), { messageType: 'interactive', quotedMessageId: 'wamid.Q', content: { text: 'Sent' } })
  })
}

test('other messages answer no Flow, nor do those that the business wrote', (t) => {
  t.false('flowReply' in told({ type: 'interactive', interactive: BUTTON_REPLY }))
  const [echo] = read({
    ...META,
    message_echoes: [
      { ...MESSAGE, from: '15550123456', to: '5511988887777', type: 'interactive', interactive: FLOW_REPLY },
    ],
  })
  t.like(echo, { type: 'messageReceived', isFromMe: true })
  t.false(echo !== undefined && 'flowReply' in echo)
})

test('the ad a user came from goes along with what the user wrote', (t) => {
  const referral = {
    source_url: 'https://fb.me/x',
    source_id: '1',
    source_type: 'ad',
    headline: 'Buy',
    body: 'Now',
    media_type: 'video',
    video_url: 'https://cdn.example/v',
    thumbnail_url: 'https://cdn.example/t',
    welcome_message: { text: 'Hello' },
    ctwa_clid: 'c',
  }
  const message = told({ type: 'text', text: { body: 'Hi' }, referral })
  t.deepEqual(message.content, { ...NO_CONTENT, text: 'Hi' })
  t.deepEqual(message.referral, {
    sourceId: '1',
    sourceType: 'ad',
    sourceUrl: 'https://fb.me/x',
    headline: 'Buy',
    body: 'Now',
    mediaType: 'video',
    imageUrl: null,
    videoUrl: 'https://cdn.example/v',
    thumbnailUrl: 'https://cdn.example/t',
    welcomeMessage: 'Hello',
    ctwaClid: 'c',
  })
  t.false('referral' in told({ type: 'text', text: { body: 'Hi' }, referral: {} }))
  t.false('referral' in told({ type: 'text', text: { body: 'Hi' }, referral: 'an ad' }))
})

test('an id of an ad beyond 2^53 keeps every digit, as a number and as a text; an unknown type of source is none', (t) => {
  const idOf = (written: string) =>
    readMessageEvents(
      'messages',
      `{"metadata":{"display_phone_number":"15550123456"},"messages":[{"from":"5511988887777","id":"wamid.1","timestamp":"1","type":"text","text":{"body":"x"},
    "referral":{"source_id":${written},"source_type":"STORY"}}]}`,
    ).map((event) => (event.type === 'messageReceived' ? event.referral : null))
  for (const written of ['120219999999999999999', '"120219999999999999999"'])
    t.like(idOf(written), [{ sourceId: '120219999999999999999', sourceType: null }])
})

test('data of an ad is bounded: long texts are cut between characters, and overlong ids and addresses are dropped', (t) => {
  const referral = told({
    type: 'text',
    text: { body: 'Hi' },
    referral: {
      source_id: '1'.repeat(256),
      source_url: `https://${'x'.repeat(9_000)}`,
      headline: `${'h'.repeat(4_095)}😀`,
      body: 'b'.repeat(5_000),
    },
  }).referral
  t.like(referral, { sourceId: null, sourceUrl: null, headline: 'h'.repeat(4_095), body: 'b'.repeat(4_096) })
})

test('an id that upstream writes as a number keeps every digit, in a referral and in an order alike', (t) => {
  const id = '120213456789012345678'
  const message = `{"from":"5511988887777","id":"wamid.A","timestamp":"1752583107","type":"order","order":{"catalog_id":${id}},"referral":{"source_id":${id},"source_type":"ad"}}`
  const [event] = readMessageEvents('messages', `{"metadata":{"phone_number_id":"1001"},"messages":[${message}]}`)
  t.like(event, {
    referral: { sourceId: id, sourceType: 'ad' },
    content: { interactive: { order: { catalog_id: id } } },
  })
})
