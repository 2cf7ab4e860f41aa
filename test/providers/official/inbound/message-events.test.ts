import * as fc from 'fast-check'
import test from 'ava'
import { newId } from '../../../../src/domain/ids.ts'
import { NO_CONTENT } from '../../../../src/domain/message.ts'
import type { MessageContent, MessageType } from '../../../../src/domain/message.ts'
import type { OfficialMessageEvent } from '../../../../src/ports/official/changes.ts'
import { readMessageEvents } from '../../../../src/providers/official/inbound/message-events.ts'

const META = { messaging_product: 'whatsapp', metadata: { display_phone_number: '+1 555-012-3456', phone_number_id: '1001' } }
const CONTACTS = [{ profile: { name: 'Ann' }, wa_id: '5511988887777' }]
const AT = new Date(1_752_583_107_000)
const MESSAGE = { from: '5511988887777', id: 'wamid.A', timestamp: '1752583107' }

function read(value: unknown, field = 'messages'): OfficialMessageEvent[] {
  return readMessageEvents(field, JSON.stringify(value))
}

const idOf = (event: OfficialMessageEvent) => 'externalMessageId' in event && event.externalMessageId

/** The one message a message item says. */
function told(item: object, more: object = { contacts: CONTACTS }) {
  const [event, ...others] = read({ ...META, ...more, messages: [{ ...MESSAGE, ...item }] }).filter(({ type }) => type !== 'peerNamed')
  if (event?.type !== 'messageReceived' || others.length > 0) throw new Error('not one message')
  return event
}

test('a text is told with all that is around it', (t) => {
  t.deepEqual(told({ type: 'text', text: { body: 'Hello' }, context: { from: '15550123456', id: 'wamid.Q' } }), {
    type: 'messageReceived', externalMessageId: 'wamid.A', from: '5511988887777', fromName: 'Ann', to: '15550123456', isFromMe: false,
    group: null, newsletter: null, isStory: false, isHistorical: false, at: AT, messageType: 'text', content: { ...NO_CONTENT, text: 'Hello' },
    quotedMessageId: 'wamid.Q',
  })
})

const BUTTON_REPLY = { type: 'button_reply', button_reply: { id: 'id-1', title: 'Yes' } }
const LIST_REPLY = { type: 'list_reply', list_reply: { id: 'id-2', title: 'Row', description: 'Long' } }
const FLOW_REPLY = { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"a":1}' } }
const ORDER = { catalog_id: '9', text: 'Please', product_items: [{ product_retailer_id: 'p', quantity: 1, item_price: 2, currency: 'USD' }] }
const REASON = { code: 131_051, title: 'Unsupported message type', error_data: { details: 'Not supported here' } }
const CARD = { name: { formatted_name: 'Bob' }, phones: [{ phone: '+1 555' }] }
const file = (id: string, mimeType: string, fileName: string | null = null) => ({ id, url: null, mimeType, fileName })

const TYPES: readonly (readonly [name: string, item: object, messageType: MessageType, content: Partial<MessageContent>])[] = [
  ['image', { type: 'image', image: { id: '1', mime_type: 'image/jpeg', sha256: 'x', caption: 'Look', url: 'https://x' } }, 'image', { text: 'Look', media: file('1', 'image/jpeg') }],
  ['video', { type: 'video', video: { id: '2', mime_type: 'video/mp4' } }, 'video', { media: file('2', 'video/mp4') }],
  ['audio', { type: 'audio', audio: { id: '3', mime_type: 'audio/ogg; codecs=opus', voice: true } }, 'audio', { media: { ...file('3', 'audio/ogg; codecs=opus'), isVoice: true } }],
  ['document', { type: 'document', document: { id: 4, mime_type: 'application/pdf', filename: 'a.pdf', caption: 'Read' } }, 'document', { text: 'Read', media: file('4', 'application/pdf', 'a.pdf') }],
  ['sticker', { type: 'sticker', sticker: { id: '5', mime_type: 'image/webp', animated: false } }, 'sticker', { media: file('5', 'image/webp') }],
  ['image too large for upstream', { type: 'image', image: {}, errors: [{ code: 131052 }] }, 'image', {}],
  ['location', { type: 'location', location: { latitude: -23.5, longitude: 0, name: 'Here' } }, 'location', { location: { latitude: -23.5, longitude: 0, name: 'Here' } }],
  ['contacts', { type: 'contacts', contacts: [CARD, null] }, 'contacts', { contacts: [CARD] }],
  ['button reply', { type: 'interactive', interactive: BUTTON_REPLY }, 'interactive', { text: 'Yes', interactive: BUTTON_REPLY }],
  ['list reply', { type: 'interactive', interactive: LIST_REPLY }, 'interactive', { text: 'Row', interactive: LIST_REPLY }],
  ['Flow reply', { type: 'interactive', interactive: FLOW_REPLY }, 'interactive', { text: 'Sent', interactive: FLOW_REPLY }],
  ['unknown reply', { type: 'interactive', interactive: { type: 'new' } }, 'interactive', { interactive: { type: 'new' } }],
  ['template button', { type: 'button', button: { payload: 'p', text: 'Stop' } }, 'button', { text: 'Stop', interactive: { payload: 'p', text: 'Stop' } }],
  ['reaction', { type: 'reaction', reaction: { message_id: 'wamid.R', emoji: '👍' } }, 'reaction', { reaction: { messageId: 'wamid.R', emoji: '👍' } }],
  ['reaction taken back', { type: 'reaction', reaction: { message_id: 'wamid.R' } }, 'reaction', { reaction: { messageId: 'wamid.R', emoji: null } }],
  ['reaction emptied', { type: 'reaction', reaction: { message_id: 'wamid.R', emoji: '' } }, 'reaction', { reaction: { messageId: 'wamid.R', emoji: null } }],
  ['notice of the system', { type: 'system', system: { body: 'Ann has a new number', type: 'user_changed_number' } }, 'system', { text: 'Ann has a new number', upstream: { body: 'Ann has a new number', type: 'user_changed_number' } }],
  ['message upstream cannot show', { type: 'unsupported', errors: [REASON], unsupported: { type: 'poll' } }, 'unsupported', { text: 'Not supported here', upstream: { type: 'poll', errors: [REASON] } }],
  ['message of which upstream says nothing', { type: 'unsupported' }, 'unsupported', { upstream: { errors: [] } }],
  ['type of the future', { type: 'hologram', hologram: { depth: 3 } }, 'unsupported', { upstream: { type: 'hologram', hologram: { depth: 3 } } }],
  ['type that is a word of the language', { type: 'constructor' }, 'unsupported', { upstream: { type: 'constructor' } }],
  ['order', { type: 'order', order: ORDER }, 'interactive', { text: 'Please', interactive: { type: 'order', order: ORDER } }],
]
for (const [name, item, messageType, content] of TYPES) {
  test(`a ${name} is told as ${messageType}`, (t) => {
    const event = told(item)
    t.is(event.messageType, messageType)
    t.deepEqual(event.content, { ...NO_CONTENT, ...content })
  })
}

const ANSWERS: readonly (readonly [what: string, told: unknown, reply: object])[] = [
  ['fields', '{"name":"Ada","photos":[{"id":"7"}],"flow_token":"ft_1"}', { flowToken: 'ft_1', response: { name: 'Ada', photos: [{ id: '7' }] }, rawResponse: null }],
  ['no token', '{"name":"Ada"}', { flowToken: null, response: { name: 'Ada' }, rawResponse: null }],
  ['a token that is none', '{"flow_token":{"a":1}}', { flowToken: null, response: {}, rawResponse: null }],
  ['integers that no number holds', '{"cpf":12345678901234567890}', { flowToken: null, response: { cpf: '12345678901234567890' }, rawResponse: null }],
  ['keys of every object', '{"__proto__":{"a":1},"constructor":"b"}', { flowToken: null, response: JSON.parse('{"__proto__":{"a":1},"constructor":"b"}') as object, rawResponse: null }],
  ['fields that are no text', { name: 'Ada', flow_token: 'ft_1' }, { flowToken: 'ft_1', response: { name: 'Ada' }, rawResponse: null }],
  ['what cannot be read', '{"name": ', { flowToken: null, response: null, rawResponse: '{"name": ' }],
  ['a list', '[1]', { flowToken: null, response: null, rawResponse: '[1]' }],
  ['nothing', undefined, { flowToken: null, response: null, rawResponse: 'null' }],
]
for (const [what, answer, reply] of ANSWERS) {
  test(`an answer to a Flow that holds ${what} is told apart from its token`, (t) => {
    const item = { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: answer } }, context: { id: 'wamid.Q' } }
    t.deepEqual(told(item).flowReply, reply as never)
    t.like(told(item), { messageType: 'interactive', quotedMessageId: 'wamid.Q', content: { text: 'Sent' } })
  })
}

test('other messages answer no Flow, nor do those that the business wrote', (t) => {
  t.false('flowReply' in told({ type: 'interactive', interactive: BUTTON_REPLY }))
  const [echo] = read({ ...META, message_echoes: [{ ...MESSAGE, from: '15550123456', to: '5511988887777', type: 'interactive', interactive: FLOW_REPLY }] })
  t.like(echo, { type: 'messageReceived', isFromMe: true })
  t.false(echo !== undefined && 'flowReply' in echo)
})

test('the ad a user came from goes along with what the user wrote', (t) => {
  const referral = {
    source_url: 'https://fb.me/x', source_id: '1', source_type: 'ad', headline: 'Buy', body: 'Now', media_type: 'video', video_url: 'https://cdn.example/v', thumbnail_url: 'https://cdn.example/t',
    welcome_message: { text: 'Hello' }, ctwa_clid: 'c',
  }
  const message = told({ type: 'text', text: { body: 'Hi' }, referral })
  t.deepEqual(message.content, { ...NO_CONTENT, text: 'Hi' })
  t.deepEqual(message.referral, {
    sourceId: '1', sourceType: 'ad', sourceUrl: 'https://fb.me/x', headline: 'Buy', body: 'Now', mediaType: 'video', imageUrl: null, videoUrl: 'https://cdn.example/v',
    thumbnailUrl: 'https://cdn.example/t', welcomeMessage: 'Hello', ctwaClid: 'c',
  })
  t.false('referral' in told({ type: 'text', text: { body: 'Hi' }, referral: {} }))
  t.false('referral' in told({ type: 'text', text: { body: 'Hi' }, referral: 'an ad' }))
})

test('an id of an ad beyond 2^53 keeps every digit, as a number and as a text; an unknown type of source is none', (t) => {
  const idOf = (written: string) => readMessageEvents('messages', `{"metadata":{"display_phone_number":"15550123456"},"messages":[{"from":"5511988887777","id":"wamid.1","timestamp":"1","type":"text","text":{"body":"x"},
    "referral":{"source_id":${written},"source_type":"STORY"}}]}`).map((event) => event.type === 'messageReceived' ? event.referral : null)
  for (const written of ['120219999999999999999', '"120219999999999999999"']) t.like(idOf(written), [{ sourceId: '120219999999999999999', sourceType: null }])
})

test('what an ad says is bounded: texts are cut, no character in two, and ids and addresses that long are none', (t) => {
  const referral = told({ type: 'text', text: { body: 'Hi' }, referral: { source_id: '1'.repeat(256), source_url: `https://${'x'.repeat(9_000)}`, headline: `${'h'.repeat(4_095)}😀`, body: 'b'.repeat(5_000) } }).referral
  t.like(referral, { sourceId: null, sourceUrl: null, headline: 'h'.repeat(4_095), body: 'b'.repeat(4_096) })
})

test('an id that upstream writes as a number keeps every digit, in a referral and in an order alike', (t) => {
  const id = '120213456789012345678'
  const message = `{"from":"5511988887777","id":"wamid.A","timestamp":"1752583107","type":"order","order":{"catalog_id":${id}},"referral":{"source_id":${id},"source_type":"ad"}}`
  const [event] = readMessageEvents('messages', `{"metadata":{"phone_number_id":"1001"},"messages":[${message}]}`)
  t.like(event, { referral: { sourceId: id, sourceType: 'ad' }, content: { interactive: { order: { catalog_id: id } } } })
})

const SILENT: readonly (readonly [name: string, item: object])[] = [
  ['welcome request', { type: 'request_welcome' }],
  ['edit of nothing', { type: 'edit', edit: { message: { type: 'text', text: { body: 'x' } } } }],
  ['revocation of nothing', { type: 'revoke' }],
  ['answer to a permission request', { type: 'interactive', interactive: { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } } }],
  ['reaction to nothing', { type: 'reaction', reaction: { emoji: '👍' } }],
  ['message without id', { type: 'text', text: { body: 'x' }, id: undefined }],
  ['message of nobody', { type: 'text', text: { body: 'x' }, from: undefined }],
]
for (const [name, item] of SILENT) {
  test(`a ${name} says nothing, and loses no message beside it`, (t) => {
    const events = read({ ...META, messages: [{ ...MESSAGE, ...item }, { ...MESSAGE, id: 'wamid.B', type: 'text', text: { body: 'x' } }] })
    t.deepEqual(events.map(idOf), ['wamid.B'])
  })
}

const EDITS: readonly (readonly [name: string, message: object | undefined, edited: object | null])[] = [
  ['of a text', { type: 'text', text: { body: 'Now' } }, { messageType: 'text', content: { ...NO_CONTENT, text: 'Now' } }],
  ['whose type is left out', { text: { body: 'Now' } }, { messageType: 'text', content: { ...NO_CONTENT, text: 'Now' } }],
  ['of a caption', { type: 'image', image: { id: '7', mime_type: 'image/png', caption: 'Now' } }, { messageType: 'image', content: { ...NO_CONTENT, text: 'Now', media: file('7', 'image/png') } }],
  ['that is not spelled out', undefined, null],
  ['that upstream cannot show', { type: 'unsupported', errors: [REASON] }, null],
]
for (const [name, message, edited] of EDITS) {
  test(`an edit ${name} tells what the message says now`, (t) => {
    const item = { ...MESSAGE, type: 'edit', edit: { original_message_id: 'wamid.B', ...(message ? { message } : {}) } }
    t.deepEqual(read({ ...META, contacts: CONTACTS, messages: [item] }) as unknown, [{ type: 'messageChanged', externalMessageId: 'wamid.B', kind: 'EDIT', at: AT, edited }])
  })
}

test('a revocation names the message that was taken back, an echo too', (t) => {
  const item = { ...MESSAGE, type: 'revoke', revoke: { original_message_id: 'wamid.B' } }
  const told: unknown = [{ type: 'messageChanged', externalMessageId: 'wamid.B', kind: 'REVOKE', at: AT, edited: null }]
  t.deepEqual(read({ ...META, messages: [item] }) as unknown, told)
  t.deepEqual(read({ ...META, message_echoes: [{ ...item, from: '15550123456', to: '5511988887777' }] }, 'smb_message_echoes') as unknown, told)
})

const named = (value: object, field?: string): unknown[] => read({ ...META, ...value }, field).flatMap((event) => event.type === 'peerNamed' ? [[event.digits, event.userId]] : [])
const ANN = ['5511988887777', 'US.13491208655302741918']
const PLACES: readonly (readonly [where: string, field: string, value: object])[] = [
  ['a contact', 'messages', { contacts: [{ wa_id: '+55 11 98888-7777', user_id: ANN[1] }] }],
  ['a message', 'messages', { messages: [{ ...MESSAGE, from_user_id: ANN[1], type: 'request_welcome' }] }],
  ['a status', 'messages', { statuses: [{ id: 'x', status: 'odd', recipient_id: ANN[0], recipient_user_id: ANN[1] }] }],
  ['an echo', 'smb_message_echoes', { message_echoes: [{ to: ANN[0], to_user_id: ANN[1] }] }],
  ['a call', 'calls', { contacts: [{ wa_id: ANN[0], user_id: ANN[1] }], calls: [{ id: 'wacid.1' }] }],
]
for (const [where, field, value] of PLACES) {
  test(`a user whom ${where} names by number and by id is told by both`, (t) => {
    t.deepEqual(named(value, field), [ANN])
  })
}

test('a user is named once a change, and not by halves or by words that are no ids', (t) => {
  t.deepEqual(named({ contacts: [{ wa_id: ANN[0], user_id: ANN[1] }], statuses: [{ recipient_id: ANN[0], recipient_user_id: ANN[1] }] }), [ANN])
  t.deepEqual(named({ contacts: [{ wa_id: ANN[0] }, { user_id: ANN[1] }, { wa_id: 'x', user_id: ANN[1] }, { wa_id: ANN[0], user_id: 'Ann' }] }), [])
})

test('a sender who stands only beside the message is the one contact there is', (t) => {
  const item = { type: 'text', text: { body: 'x' }, from: undefined }
  t.like(told(item, { contacts: [{ profile: { name: 'Ann' }, user_id: 'US.1' }] }), { from: 'US.1', fromName: 'Ann' })
  t.like(told(item, { contacts: [{ profile: { name: 'Ann' }, wa_id: '+55 11 98888-7777', user_id: 'US.1' }] }), { from: '5511988887777', fromName: 'Ann' })
  t.deepEqual(read({ ...META, contacts: [{ user_id: 'US.1' }, { user_id: 'US.2' }], messages: [{ ...MESSAGE, ...item }] }), [])
})

test('a user whose number stands beside the message goes by the number', (t) => {
  const contacts = [{ profile: { name: 'Bob' }, wa_id: '551100000000', user_id: 'US.2' }, { profile: { name: 'Ann' }, wa_id: '5511988887777', user_id: 'US.1' }]
  t.like(told({ type: 'text', text: { body: 'x' }, from: undefined, from_user_id: 'US.1' }, { contacts }), { from: '5511988887777', fromName: 'Ann' })
})

test('a user who hides the number goes by upstream’s id', (t) => {
  const contacts = [{ profile: { name: 'Ann' }, user_id: 'US.1' }, { profile: { name: 'Bob' }, user_id: 'US.2' }]
  t.like(told({ type: 'text', text: { body: 'x' }, from: undefined, from_user_id: 'US.2' }, { contacts }), { from: 'US.2', fromName: 'Bob' })
  t.like(told({ type: 'text', text: { body: 'x' }, from_user_id: 'US.2' }, { contacts }), { from: '5511988887777', fromName: 'Bob' })
})

test('a writer without a profile has no name, and one whose number has two forms has', (t) => {
  const item = { type: 'text', text: { body: 'x' } }
  t.is(told(item, {}).fromName, null)
  t.is(told(item, { contacts: [{ wa_id: '5511988887777' }] }).fromName, null)
  t.is(told(item, { contacts: [{ profile: { name: 'Ann' }, wa_id: '551188887777' }] }).fromName, 'Ann')
  t.is(told(item, { contacts: [{ profile: { name: 'Eve' }, wa_id: '1' }, { profile: { name: 'Ann' }, wa_id: '+55 11 98888-7777' }] }).fromName, 'Ann')
})

test('a message of a group names it', (t) => {
  t.like(told({ type: 'text', text: { body: 'x' }, group_id: 'G1' }), { from: '5511988887777', group: { id: 'G1', name: null } })
})

test('a number without metadata is left empty', (t) => {
  t.is(read({ messages: [{ ...MESSAGE, type: 'text', text: { body: 'x' } }] }).map((event) => 'to' in event && event.to)[0], '')
})

for (const field of ['smb_message_echoes', 'message_echoes', 'messages']) {
  test(`an echo in field ${field} is written by the number itself`, (t) => {
    const echo = { from: '15550123456', to: '5511988887777', id: 'wamid.E', timestamp: '1752583107', type: 'text', text: { body: 'From the phone' } }
    t.deepEqual(read({ ...META, contacts: CONTACTS, message_echoes: [echo] }, field).map((event) => 'isFromMe' in event && [event.isFromMe, event.from, event.to, event.fromName, event.content.text]), [
      [true, '15550123456', '5511988887777', null, 'From the phone'],
    ])
    t.like(read({ ...META, message_echoes: [{ ...echo, from: undefined, to: undefined, to_user_id: 'US.1' }] }, field)[0], { from: '15550123456', to: 'US.1' })
  })
}

test('a time that is missing or absurd is about now, since a message is not lost for it', (t) => {
  for (const timestamp of [undefined, 'soon', '0', -5, '99999999999999', 1e300]) {
    const { at } = told({ type: 'text', text: { body: 'x' }, timestamp })
    t.true(Math.abs(at.getTime() - Date.now()) < 3_600_000, String(timestamp))
  }
  t.deepEqual(told({ type: 'text', text: { body: 'x' }, timestamp: 1_752_583_107 }).at, AT)
  t.deepEqual(told({ type: 'text', text: { body: 'x' }, timestamp: '1752583107000' }).at, AT)
})

const STATUS = { id: 'wamid.A', timestamp: '1752583107', recipient_id: '5511988887777' }

test('statuses are told in the order upstream listed them, played is read', (t) => {
  const messageId = newId('msg')
  const events = read({ ...META, statuses: ['read', 'sent', 'DELIVERED', 'played', 'deleted', 'warning'].map((status) => ({ ...STATUS, status, biz_opaque_callback_data: messageId })) })
  const common = { type: 'messageStatus', externalMessageId: 'wamid.A', messageId, failure: null, at: AT }
  t.deepEqual(events as unknown, ['READ', 'SENT', 'DELIVERED', 'READ'].map((status) => ({ ...common, status })))
})

test('callback data that is no message id of ours is none', (t) => {
  for (const data of ['order-7', 'msg_', 'msg_x', `${newId('msg')}0`, newId('call'), '', 7, null]) {
    t.like(read({ ...META, statuses: [{ ...STATUS, status: 'sent', biz_opaque_callback_data: data }] })[0], { messageId: null }, String(data))
  }
})

const CODES: readonly (readonly [code: number | string, ours: string])[] = [
  [131026, 'CHANNEL_NOT_EXIST'], [131047, 'OFFICIAL_OUTSIDE_24H_WINDOW'], ['131053', 'OFFICIAL_MEDIA_UPLOAD_ERROR'], [131052, 'OFFICIAL_MEDIA_UPLOAD_ERROR'],
  [132001, 'OFFICIAL_TEMPLATE_NOT_APPROVED'], [132015, 'OFFICIAL_TEMPLATE_PAUSED'], [132016, 'OFFICIAL_TEMPLATE_DISABLED'],
  [132000, 'OFFICIAL_TEMPLATE_VARIABLES_MISMATCH'], ['132069', 'OFFICIAL_FLOW_THROTTLED'],
  [131021, 'INVALID_DESTINATION'], [131030, 'INVALID_DESTINATION'], [130429, 'OFFICIAL_RATE_LIMITED'], [131048, 'OFFICIAL_RATE_LIMITED'],
  [131056, 'OFFICIAL_RATE_LIMITED'], [4, 'OFFICIAL_RATE_LIMITED'], [613, 'OFFICIAL_RATE_LIMITED'], [80007, 'OFFICIAL_RATE_LIMITED'],
  [131049, 'OFFICIAL_MARKETING_LIMITED'], [7_654_321, 'OFFICIAL_ERROR'],
]
for (const [code, ours] of CODES) {
  test(`a message that failed by upstream ${code} failed by ${ours}`, (t) => {
    const errors = [{ code, title: 'Title', message: 'Message', error_data: { details: 'Details' }, href: 'https://' }]
    t.like(read({ ...META, statuses: [{ ...STATUS, status: 'failed', errors }] })[0], {
      status: 'FAILED', failure: { code: ours, message: 'Message', details: 'Details', upstreamCode: Number(code) },
    })
  })
}

test('a failure upstream says little of is a failure', (t) => {
  t.like(read({ statuses: [{ ...STATUS, status: 'failed' }] })[0], { failure: { code: 'OFFICIAL_ERROR', details: null, upstreamCode: null } })
  t.like(read({ statuses: [{ ...STATUS, status: 'failed', errors: [{ title: 'Title', error_data: 'text' }] }] })[0], { failure: { message: 'Title', details: 'text' } })
})

test('a status that did not fail has no failure, whatever comes with it', (t) => {
  t.like(read({ statuses: [{ ...STATUS, status: 'sent', errors: [{ code: 1 }] }] })[0], { status: 'SENT', failure: null })
})

test('a thousand statuses of one change are all told, broken ones apart', (t) => {
  const statuses = Array.from({ length: 1_000 }, (_, index) => index % 10 === 0 ? [null, 3, {}, { id: 'x' }, [[]]][index % 5] : { ...STATUS, id: `wamid.${index}`, status: 'delivered' })
  const events = read({ ...META, statuses })
  t.is(events.length, 900)
  t.deepEqual(events.slice(-1).map(idOf), ['wamid.999'])
})

test('messages and statuses of one change are all told', (t) => {
  const events = read({ ...META, messages: [{ ...MESSAGE, type: 'text', text: { body: 'x' } }], statuses: [{ ...STATUS, status: 'sent' }] })
  t.deepEqual(events.map(({ type }) => type), ['messageReceived', 'messageStatus'])
})

test('a status of another kind than a message, such as a payment, is no delivery and no failure', (t) => {
  for (const type of ['payment', 'call', 'order', 'something_new']) {
    for (const status of ['failed', 'captured', 'pending', 'sent', 'delivered']) {
      t.deepEqual(read({ ...META, statuses: [{ ...STATUS, type, status, payment: { reference_id: 'order-7', amount: { value: 21_000, offset: 100 }, currency: 'BRL' } }] }), [], `${type} ${status}`)
    }
  }
  t.like(read({ ...META, statuses: [{ ...STATUS, type: 'message', status: 'failed' }] })[0], { status: 'FAILED' })
})

test('other fields, and statuses of calls, say nothing of messages', (t) => {
  t.deepEqual(read({ ...META, messages: [{ ...MESSAGE, type: 'text', text: { body: 'x' } }] }, 'calls'), [])
  t.deepEqual(read({ ...META, messages: [{ ...MESSAGE, type: 'text', text: { body: 'x' } }] }, 'toString'), [])
  t.deepEqual(read({ ...META, messages: [{ ...MESSAGE, type: 'text', text: { body: 'x' } }], statuses: [{ ...STATUS, status: 'sent' }] }, 'smb_message_echoes'), [])
  t.deepEqual(read({ statuses: [{ ...STATUS, type: 'call', status: 'read' }] }), [])
})

test('no value makes it throw, and what is told can be stored', (t) => {
  const key = fc.constantFrom(
    'messages', 'statuses', 'message_echoes', 'contacts', 'metadata', 'display_phone_number', 'id', 'type', 'from', 'to', 'text', 'body', 'image', 'interactive',
    'button_reply', 'reaction', 'user_id', 'from_user_id', 'edit', 'revoke', 'original_message_id', 'message', 'message_id', 'timestamp', 'errors', 'code', 'profile', 'name', 'wa_id', 'status', 'context', 'referral', 'group_id', 'location', 'order',
  )
  const leaf = fc.oneof(
    fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null),
    fc.constantFrom('text', 'image', 'interactive', 'reaction', 'location', 'contacts', 'order', 'failed', 'sent', 'wamid.A', '1752583107', '5511988887777', '999999999999999'),
  )
  const { tree } = fc.letrec((tie) => ({ tree: fc.oneof({ maxDepth: 6 }, leaf, fc.array(tie('tree'), { maxLength: 3 }), fc.dictionary(key, tie('tree'), { maxKeys: 6 })) }))
  fc.assert(fc.property(tree, fc.constantFrom('messages', 'message_echoes'), (value, field) => {
    for (const event of readMessageEvents(field, JSON.stringify(value) ?? '')) {
      if (event.type === 'peerNamed') continue
      t.true(event.externalMessageId !== '')
      t.true(event.at.getTime() > 0 && event.at.getUTCFullYear() < 3_000)
    }
  }), { numRuns: 500 })
  t.deepEqual(readMessageEvents('messages', 'no json'), [])
  t.deepEqual(readMessageEvents('messages', '[1]'), [])
})
