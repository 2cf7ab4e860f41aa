import test from 'ava'
import { faultsIn } from '../../src/domain/fault.ts'
import type { Read } from '../../src/domain/fault.ts'
import { upstreamContacts, readContacts } from '../../src/domain/modes/contacts.ts'
import { listInWords, readList } from '../../src/domain/modes/list.ts'
import type { ListBody } from '../../src/domain/modes/list.ts'
import { readLocation } from '../../src/domain/modes/location.ts'
import { readPoll } from '../../src/domain/modes/poll.ts'
import { isEmoji, readReaction } from '../../src/domain/modes/reaction.ts'
import { shownMode } from '../../src/domain/modes/shown.ts'
import { NO_CONTENT } from '../../src/domain/message.ts'
import { readOrder } from '../../src/domain/send-reading.ts'
import type { SendBody } from '../../src/domain/send-modes.ts'

const TO = { destinationNumber: '5511999990001' }
const orderOf = (body: SendBody, provider: 'OFFICIAL' | 'UNOFFICIAL' = 'UNOFFICIAL') => readOrder(body, provider, 0)
const detailsOf = (body: SendBody, provider: 'OFFICIAL' | 'UNOFFICIAL') => {
  const order = orderOf(body, provider)
  return order.ok ? null : [order.error.code, order.error.details]
}
/** What is wrong with a mode: the path and the words of each fault. */
const wrongWith = (mode: Read<unknown>) => faultsIn(mode).map(({ path, message }) => [path, message])

// [message-verbs.modes.1]
test('a place keeps its degrees and the words that say something; what lies off the globe is refused', (t) => {
  t.deepEqual(readLocation({ latitude: -90, longitude: 180, name: 'Pole', address: null }), {
    ok: true,
    value: { mode: 'location', location: { latitude: -90, longitude: 180, name: 'Pole' } },
  })
  t.deepEqual(readLocation({ latitude: 90, longitude: -180, name: '', address: 'Road 1' }), {
    ok: true,
    value: { mode: 'location', location: { latitude: 90, longitude: -180, address: 'Road 1' } },
  })
  t.deepEqual(wrongWith(readLocation({ latitude: 90.1, longitude: -181 })), [
    ['location.latitude', 'must be degrees from -90 to 90'],
    ['location.longitude', 'must be degrees from -180 to 180'],
  ])
})

// [message-verbs.modes.2]
test('a card takes its values with a type or without, and upstream gets a part of the name beside the whole', (t) => {
  const cards = readContacts([
    {
      name: { formatted: 'Ana Souza', first: null },
      phones: [{ phone: '+55 11 99999-0002', type: 'WORK' }],
      emails: ['a@b.io', { email: 'c@d.io', type: 'HOME' }],
      org: 'Acme',
      urls: [{ url: 'https://b.io', type: null }],
    },
    {
      name: { formatted: 'Bia', last: 'Lima' },
      phones: [{ phone: '190' }],
      org: { title: 'Boss' },
      emails: [],
      urls: null,
    },
    { name: { formatted: 'Dr. Eva Alves', first: 'Eva', last: '' }, phones: [] },
    { name: { formatted: 'Rui Reis Jr.', first: 'Rui', last: 'Reis' }, phones: [], org: null },
  ])
  if (!cards.ok) return t.fail()
  t.is(cards.value.mode, 'contacts')
  t.deepEqual(cards.value.contacts, [
    {
      name: { formatted: 'Ana Souza' },
      phones: [{ phone: '+55 11 99999-0002', type: 'WORK' }],
      emails: [{ email: 'a@b.io' }, { email: 'c@d.io', type: 'HOME' }],
      org: { company: 'Acme' },
      urls: [{ url: 'https://b.io' }],
    },
    { name: { formatted: 'Bia', last: 'Lima' }, phones: [{ phone: '190' }], org: { title: 'Boss' } },
    { name: { formatted: 'Dr. Eva Alves', first: 'Eva' }, phones: [] },
    { name: { formatted: 'Rui Reis Jr.', first: 'Rui', last: 'Reis' }, phones: [] },
  ])
  t.deepEqual(
    upstreamContacts(cards.value).map(({ name }) => name as object),
    [
      { formatted_name: 'Ana Souza', first_name: 'Ana Souza' },
      { formatted_name: 'Bia', last_name: 'Lima' },
      { formatted_name: 'Dr. Eva Alves', first_name: 'Eva' },
      { formatted_name: 'Rui Reis Jr.', first_name: 'Rui', last_name: 'Reis' },
    ],
  )
})

const row = (id: string, title = `Row ${id}`, description?: string) => ({ id, title, description })
const list = (sections: ListBody['sections']): ListBody => ({ text: 'Choose', button: 'Open', sections })

// [message-verbs.modes.3] [message-verbs.modes.9]
test('a list has at most ten rows over all sections, each of its own title and id, and titles of several sections', (t) => {
  const rows = (from: number, count: number) => Array.from({ length: count }, (_, at) => row(String(from + at)))
  t.true(readList(list([{ rows: rows(0, 10) }])).ok)
  t.true(
    readList(
      list([
        { title: 'A', rows: rows(0, 4) },
        { title: 'B', rows: rows(4, 6) },
      ]),
    ).ok,
  )
  const wrong = (sections: ListBody['sections']) => wrongWith(readList(list(sections)))
  t.deepEqual(
    wrong([
      { title: 'A', rows: rows(0, 5) },
      { title: 'B', rows: rows(5, 6) },
    ]),
    [['list.sections', 'must have at most 10 rows together']],
  )
  t.deepEqual(wrong([{ rows: rows(0, 1) }, { title: 'B', rows: rows(1, 1) }]), [
    ['list.sections.0.title', 'is needed where there are several sections'],
  ])
  t.deepEqual(
    wrong([
      { title: 'A', rows: [row('a', 'Same'), row('b', 'Same ')] },
      { title: 'B', rows: [row('a', 'Other')] },
    ]),
    [
      ['list.sections.0.rows.1.title', 'must differ from the titles of the other rows'],
      ['list.sections.1.rows.0.id', 'must differ from the ids of the other rows'],
    ],
  )
})

test('a list in words numbers its rows from one over all sections', (t) => {
  const read = readList({
    ...list([
      { title: 'Days', rows: [row('a', 'Monday', '8 to 12'), row('b', 'Tuesday')] },
      { title: 'Else', rows: [row('c', 'Never')] },
    ]),
    header: 'Acme',
    footer: 'Thanks',
  })
  t.is(
    read.ok ? listInWords(read.value.list) : '',
    'Acme\n\nChoose\n\nDays\n1. Monday: 8 to 12\n2. Tuesday\n\nElse\n3. Never\n\nThanks',
  )
  const plain = readList({ ...list([{ title: '', rows: [row('a', 'Now', '')] }]), header: null, footer: '' })
  t.deepEqual(plain, {
    ok: true,
    value: {
      mode: 'list',
      list: { text: 'Choose', button: 'Open', sections: [{ rows: [{ id: 'a', title: 'Now' }] }] },
    },
  })
  t.is(plain.ok ? listInWords(plain.value.list) : '', 'Choose\n\n1. Now', 'without header, footer and title')
})

// [message-verbs.modes.4]
test('a reaction is one emoji as people see it, or empty', (t) => {
  const emojis = ['👍', '❤️', '❤', '👍🏽', '👨‍👩‍👧‍👦', '🏳️‍🌈', '🇧🇷', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '1️⃣', '#⃣', '😮‍💨', '👩🏾‍🚀', '🐈‍⬛', '©️']
  for (const emoji of emojis) t.true(isEmoji(emoji), emoji)
  for (const text of ['👍👍', 'a', '1', 'ok', ' 👍', '👍 ', '👍\u0301', '🇧🇷🇧🇷', '🇧', ':)', '\u200D', '\uFE0F', '❤️‍'])
    t.false(isEmoji(text), JSON.stringify(text))
  t.true(readReaction({ messageId: 'm', emoji: '' }).ok)
  t.deepEqual(wrongWith(readReaction({ messageId: 'm', emoji: 'ok' })), [
    ['reaction.emoji', 'must be one emoji, or empty to take the reaction back'],
  ])
})

test('a reaction alone may leave its destination out, and quotes nothing', (t) => {
  const reaction = { messageId: 'msg_1', emoji: '👍' }
  t.like(orderOf({ reaction }), { ok: true, value: { to: null, content: { mode: 'reaction', reaction } } })
  t.like(orderOf({ ...TO, reaction }), { value: { to: { type: 'DIRECT', address: TO.destinationNumber } } })
  t.like(detailsOf({ reaction, quotedMessageId: 'msg_2' }, 'UNOFFICIAL'), ['VALIDATION', [{ path: 'quotedMessageId' }]])
  t.like(detailsOf({ location: { latitude: 0, longitude: 0 } }, 'UNOFFICIAL'), [
    'VALIDATION',
    [{ path: 'destinationNumber' }],
  ])
})

// [message-verbs.modes.6]
test('a poll asks for one option unless it says otherwise, and its options differ', (t) => {
  t.deepEqual(readPoll({ question: 'When?', options: ['Now', 'Later'], multiple: null }), {
    ok: true,
    value: { mode: 'poll', poll: { question: 'When?', options: ['Now', 'Later'], multiple: false } },
  })
  t.deepEqual(wrongWith(readPoll({ question: 'When?', options: ['Now', ' Now', 'Now'] })), [
    ['poll.options.1', 'must differ from the other options'],
    ['poll.options.2', 'must differ from the other options'],
  ])
})

// [message-verbs.modes.5] [message-verbs.modes.7]
test('what a kind of number cannot send is refused with the capability that it lacks', (t) => {
  const poll = { question: 'a', options: ['b', 'c'] }
  t.deepEqual(detailsOf({ ...TO, poll }, 'OFFICIAL'), ['FEATURE_NOT_SUPPORTED', { capability: 'polls' }])
  t.deepEqual(detailsOf({ ...TO, contactRequest: { text: 'a' } }, 'UNOFFICIAL'), [
    'FEATURE_NOT_SUPPORTED',
    { capability: 'contactRequests' },
  ])
  t.like(orderOf({ ...TO, contactRequest: { text: 'a' } }, 'OFFICIAL'), {
    ok: true,
    value: { content: { mode: 'contactRequest', contactRequest: { text: 'a' } } },
  })
})

// [message-verbs.modes.12]
test('reads show a choice as interactive, and its words as the text', (t) => {
  t.like(shownMode({ mode: 'poll', poll: { question: 'When?', options: ['a', 'b'], multiple: true } }), {
    type: 'interactive',
    content: { text: 'When?', interactive: { type: 'poll', options: ['a', 'b'], multiple: true } },
  })
  t.like(shownMode({ mode: 'reaction', reaction: { messageId: 'up', emoji: '' } }), {
    type: 'reaction',
    content: { text: null, reaction: { messageId: 'up', emoji: null } },
  })
})

test('reads show a place, cards and a reaction as they were sent, and of a choice all but its text', (t) => {
  const location = { latitude: 1, longitude: 2, name: 'Here' }
  t.deepEqual(shownMode({ mode: 'location', location }), { type: 'location', content: { ...NO_CONTENT, location } })
  const contacts = [{ name: { formatted: 'Ana' }, phones: [{ phone: '190' }] }]
  t.deepEqual(shownMode({ mode: 'contacts', contacts }), { type: 'contacts', content: { ...NO_CONTENT, contacts } })
  const reaction = { messageId: 'up', emoji: '👍' }
  t.deepEqual(shownMode({ mode: 'reaction', reaction: { ...reaction, fromMe: true } }), {
    type: 'reaction',
    content: { ...NO_CONTENT, reaction },
  })
  const sections = [{ rows: [{ id: 'a', title: 'Now' }] }]
  t.deepEqual(shownMode({ mode: 'list', list: { text: 'Choose', button: 'Open', footer: 'Thanks', sections } }), {
    type: 'interactive',
    content: {
      ...NO_CONTENT,
      text: 'Choose',
      interactive: { type: 'list', button: 'Open', footer: 'Thanks', sections },
    },
  })
  t.deepEqual(shownMode({ mode: 'contactRequest', contactRequest: { text: 'Which number?' } }), {
    type: 'interactive',
    content: { ...NO_CONTENT, text: 'Which number?', interactive: { type: 'request_contact_info' } },
  })
})
