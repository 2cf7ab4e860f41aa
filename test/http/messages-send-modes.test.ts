import test from 'ava'
import * as schema from '../../src/http/routes/messages/schema.ts'
import { open, TO } from './sending-world.ts'

const PLACE = { latitude: -23.5614, longitude: -46.6559, name: 'Acme' }
const CARD = { name: { formatted: 'Ana' }, phones: [{ phone: '+55 11 99999-0002' }] }
const row = (id: string, fields: object = {}) => ({ id, title: `Row ${id}`, ...fields })
const list = (fields: object = {}) => ({ text: 'Choose', button: 'Open', sections: [{ rows: [row('a')] }], ...fields })
const withRow = (fields: object) => ({ list: list({ sections: [{ rows: [row('a', fields)] }] }) })
const POLL = { question: 'When?', options: ['Now', 'Later'] }

// [message-verbs.modes.1] [message-verbs.modes.2]
test('a place and cards are accepted on both kinds, and stored as they were sent', async (t) => {
  for (const provider of ['OFFICIAL', 'UNOFFICIAL'] as const) {
    const { send, accepted } = await open(t, provider)
    const { status, body } = await send({ ...TO, location: { ...PLACE, address: null } })
    t.is(status, 202)
    t.deepEqual(schema.acceptedMessage.parse(body), body)
    t.is((await send({ ...TO, contacts: [CARD] })).status, 202)
    const [place, cards] = accepted.map(({ message }) => message)
    t.like(place, {
      type: 'location',
      content: { text: null, location: PLACE },
      outgoing: { mode: 'location', location: PLACE },
    })
    t.like(cards, { type: 'contacts', content: { contacts: [CARD] }, outgoing: { mode: 'contacts' } })
  }
})

// [message-verbs.modes.3] [message-verbs.modes.11]
test('a list goes in words where the network shows no lists, which the answer says', async (t) => {
  const official = await open(t, 'OFFICIAL')
  const shown = await official.send({ ...TO, list: list() })
  t.deepEqual([shown.status, shown.body.notice], [202, undefined])
  t.like(official.accepted[0]?.message, {
    type: 'interactive',
    content: { text: 'Choose', interactive: { type: 'list', button: 'Open', sections: [{ rows: [row('a')] }] } },
  })
  const { world, send, number } = await open(t)
  const told = await send({ ...TO, list: list() })
  t.deepEqual([told.status, told.body.notice], [202, 'LIST_SENT_AS_TEXT'])
  t.deepEqual(schema.acceptedMessage.parse(told.body), told.body)
  world.numbers.find = async () => ({
    ...number,
    engine: { name: 'x', version: null, capabilities: ['lists'], callMedia: null },
  })
  t.is((await send({ ...TO, list: list() })).body.notice, undefined, 'its engine draws lists')
})

// [message-verbs.modes.6] [message-verbs.modes.7]
test('a poll is refused where the engine says that it has none, and taken where it says nothing', async (t) => {
  const { world, send, number, accepted } = await open(t)
  t.is((await send({ ...TO, poll: POLL })).status, 202)
  t.like(accepted[0]?.message, {
    type: 'interactive',
    content: { text: 'When?', interactive: { type: 'poll', question: 'When?', options: ['Now', 'Later'] } },
  })
  const engine = { name: 'old', version: null, capabilities: ['text', 'media'], callMedia: null } as const
  world.numbers.find = async () => ({ ...number, engine })
  const { status, body } = await send({ ...TO, poll: POLL })
  t.deepEqual([status, body.code, body.details], [400, 'FEATURE_NOT_SUPPORTED', { engine: 'old', capability: 'polls' }])
  const official = await open(t, 'OFFICIAL')
  const refused = await official.send({ ...TO, poll: POLL })
  t.deepEqual(
    [refused.status, refused.body.code, refused.body.details],
    [400, 'FEATURE_NOT_SUPPORTED', { capability: 'polls' }],
  )
})

// [message-verbs.modes.5]
test('a user who hides the number is asked for it by an OFFICIAL number', async (t) => {
  const { send, accepted } = await open(t, 'OFFICIAL')
  const contactRequest = { text: 'May we call?' }
  t.is((await send({ destinationNumber: 'US.13491208655302741918', contactRequest })).status, 202)
  t.like(accepted[0]?.message, {
    type: 'interactive',
    content: { text: 'May we call?', interactive: { type: 'request_contact_info' } },
    outgoing: { mode: 'contactRequest', contactRequest },
  })
  const { status, body } = await (await open(t)).send({ ...TO, contactRequest })
  t.deepEqual([status, body.code, body.details], [400, 'FEATURE_NOT_SUPPORTED', { capability: 'contactRequests' }])
})

// [message-verbs.modes.4] [message-verbs.modes.10]
test('a reaction names its message by any of its ids, and goes to its chat', async (t) => {
  const { world, send, number, accepted } = await open(t)
  const inbound = world.messages.add(number)
  const sent = world.messages.add(number, {
    direction: 'OUTBOUND',
    status: 'SENT',
    to: '5511999990007',
    correlationId: 'order-1',
  })
  const inGroup = world.messages.add(number, { groupId: '1@g.us', groupName: 'Us' })
  for (const [messageId, address] of [
    [inbound.id, '5511999990001'],
    [inbound.externalMessageId, '5511999990001'],
    ['order-1', '5511999990007'],
    [inGroup.id, '1@g.us'],
  ]) {
    const { status, body } = await send({ reaction: { messageId, emoji: '👍' } })
    t.is(status, 202, JSON.stringify(body))
    t.is(accepted.at(-1)?.message.to.address, address ?? '')
  }
  t.like(accepted[2]?.message, {
    type: 'reaction',
    content: { text: null, reaction: { messageId: sent.externalMessageId, emoji: '👍' } },
    outgoing: { mode: 'reaction', reaction: { messageId: sent.externalMessageId, emoji: '👍', fromMe: true } },
    quotedMessageId: null,
  })
  t.is((await send({ ...TO, reaction: { messageId: inbound.id, emoji: '' } })).status, 202)
  t.like(accepted.at(-1)?.message.content, { reaction: { emoji: null } })
})

// [message-verbs.modes.10]
test('a reaction that cannot go out is refused, and stores nothing', async (t) => {
  const { world, send, number, accepted } = await open(t)
  const inbound = world.messages.add(number)
  const of = (fields: object) => world.messages.add(number, fields).id
  const hidden = of({ from: null, isRedacted: true })
  const react = (messageId: string, more: object = {}) => send({ reaction: { messageId, emoji: '👍' }, ...more })
  for (const [answer, wanted] of [
    [await react('msg_00000000000000000000000000'), [404, undefined]],
    [await react(of({ direction: 'OUTBOUND', externalMessageId: null })), [404, undefined]],
    [await react(of({ type: 'reaction' })), [400, 'reaction.messageId']],
    [await react(of({ revokedAt: new Date(0) })), [400, 'reaction.messageId']],
    [await react(inbound.id, { destinationNumber: '5511999990009' }), [400, 'destinationNumber']],
    [await react(inbound.id, { groupId: '2@g.us' }), [400, 'groupId']],
    [await react(hidden), [400, 'destinationNumber']],
    [await react(inbound.id, { quotedMessageId: inbound.id }), [400, 'quotedMessageId']],
  ] as const) {
    t.deepEqual([answer.status, answer.body.details?.[0]?.path], wanted as [number, string | undefined])
    t.is(typeof answer.body.error, 'string')
  }
  t.deepEqual(accepted, [])
})

const WRONG: Readonly<Record<string, readonly [body: object, path: string]>> = {
  'a place off the globe': [{ location: { latitude: 91, longitude: 0 } }, 'location.latitude'],
  'a place without a longitude': [{ location: { latitude: 1 } }, 'location.longitude'],
  'degrees as text': [{ location: { latitude: '1', longitude: 0 } }, 'location.latitude'],
  'a place of a blank name': [{ location: { ...PLACE, name: ' ' } }, 'location.name'],
  'a place and a text': [{ location: PLACE, text: 'a' }, 'location'],
  'a place with buttons': [{ location: PLACE, buttons: [{ type: 'QUICK_REPLY', text: 'a' }] }, 'buttons'],
  'no cards': [{ contacts: [] }, ''],
  'eleven cards': [{ contacts: Array.from({ length: 11 }, () => CARD) }, 'contacts'],
  'a card without a name': [{ contacts: [{ phones: CARD.phones }] }, 'contacts.0.name'],
  'a card of a blank name': [{ contacts: [{ ...CARD, name: { formatted: '\u200B' } }] }, 'contacts.0.name.formatted'],
  'a card without phones': [{ contacts: [{ ...CARD, phones: [] }] }, 'contacts.0.phones'],
  'a phone without digits': [{ contacts: [{ ...CARD, phones: [{ phone: 'home' }] }] }, 'contacts.0.phones.0.phone'],
  'a list without sections': [{ list: list({ sections: [] }) }, 'list.sections'],
  'a section without rows': [{ list: list({ sections: [{ rows: [] }] }) }, 'list.sections.0.rows'],
  'eleven rows': [
    { list: list({ sections: [{ rows: Array.from({ length: 11 }, (_, at) => row(String(at))) }] }) },
    'list.sections.0.rows',
  ],
  'a list without a button': [{ list: list({ button: null }) }, 'list.button'],
  'a list of a blank text': [{ list: list({ text: '\n' }) }, 'list.text'],
  'a row title of 25 emojis': [withRow({ title: '😀'.repeat(25) }), 'list.sections.0.rows.0.title'],
  'a row description of 73 emojis': [withRow({ description: '😀'.repeat(73) }), 'list.sections.0.rows.0.description'],
  'two rows of one title': [
    { list: list({ sections: [{ rows: [row('a'), row('b', { title: 'Row a' })] }] }) },
    'list.sections.0.rows.1.title',
  ],
  'two words as emoji': [{ reaction: { messageId: 'm', emoji: 'ok' } }, 'reaction.emoji'],
  'a reaction without emoji': [{ reaction: { messageId: 'm' } }, 'reaction.emoji'],
  'a reaction to nothing': [{ reaction: { messageId: '', emoji: '👍' } }, 'reaction.messageId'],
}
const WRONG_HERE = {
  OFFICIAL: {
    'a blank request of a number': [{ contactRequest: { text: ' ' } }, 'contactRequest.text'],
    'a request of a number of 1,025 characters': [
      { contactRequest: { text: '😀'.repeat(1_025) } },
      'contactRequest.text',
    ],
  },
  UNOFFICIAL: {
    'a poll of one option': [{ poll: { question: 'a', options: ['b'] } }, 'poll.options'],
    'a poll of 13 options': [
      { poll: { question: 'a', options: Array.from({ length: 13 }, (_, at) => String(at)) } },
      'poll.options',
    ],
    'a poll of two equal options': [{ poll: { question: 'a', options: ['b', 'b'] } }, 'poll.options.1'],
    'a blank option': [{ poll: { question: 'a', options: ['b', ' '] } }, 'poll.options.1'],
    'a blank question': [{ poll: { question: '', options: ['b', 'c'] } }, 'poll.question'],
  },
} as const

// [message-verbs.modes.8] [message-verbs.modes.9]
for (const provider of ['OFFICIAL', 'UNOFFICIAL'] as const)
  test(`every wrong send of a mode of an ${provider} number is a 400 that names the field, and stores nothing`, async (t) => {
    const { send, accepted } = await open(t, provider)
    for (const [what, [body, path]] of Object.entries({ ...WRONG, ...WRONG_HERE[provider] })) {
      const { status, body: answer } = await send({ ...TO, ...body })
      t.deepEqual([status, answer.details?.[0]?.path], [400, path], what)
    }
    t.deepEqual(accepted, [])
    t.is((await send({ ...TO, ...withRow({ title: '😀'.repeat(24), description: '😀'.repeat(72) }) })).status, 202)
  })
