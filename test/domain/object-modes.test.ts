import test from 'ava'
import { faultsIn } from '../../src/domain/fault.ts'
import { upstreamContacts, readContacts } from '../../src/domain/modes/contacts.ts'
import { listInWords, readList } from '../../src/domain/modes/list.ts'
import type { ListBody } from '../../src/domain/modes/list.ts'
import { readLocation } from '../../src/domain/modes/location.ts'
import { readPoll } from '../../src/domain/modes/poll.ts'
import { isEmoji, readReaction } from '../../src/domain/modes/reaction.ts'
import { shownMode } from '../../src/domain/modes/shown.ts'
import { readOrder } from '../../src/domain/send-reading.ts'
import type { SendBody } from '../../src/domain/send-modes.ts'

const TO = { destinationNumber: '5511999990001' }
const orderOf = (body: SendBody, provider: 'OFFICIAL' | 'UNOFFICIAL' = 'UNOFFICIAL') => readOrder(body, provider, 0)
const detailsOf = (body: SendBody, provider: 'OFFICIAL' | 'UNOFFICIAL') => {
  const order = orderOf(body, provider)
  return order.ok ? null : [order.error.code, order.error.details]
}

// [message-verbs.modes.1]
test('a place keeps its degrees and the words that say something; what lies off the globe is refused', (t) => {
  t.deepEqual(readLocation({ latitude: -90, longitude: 180, name: 'Pole', address: null }), {
    ok: true,
    value: { mode: 'location', location: { latitude: -90, longitude: 180, name: 'Pole' } },
  })
  t.deepEqual(
    faultsIn(readLocation({ latitude: 90.1, longitude: -181 })).map(({ path }) => path),
    ['location.latitude', 'location.longitude'],
  )
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
  ])
  if (!cards.ok) return t.fail()
  t.deepEqual(cards.value.contacts, [
    {
      name: { formatted: 'Ana Souza' },
      phones: [{ phone: '+55 11 99999-0002', type: 'WORK' }],
      emails: [{ email: 'a@b.io' }, { email: 'c@d.io', type: 'HOME' }],
      org: { company: 'Acme' },
      urls: [{ url: 'https://b.io' }],
    },
    { name: { formatted: 'Bia', last: 'Lima' }, phones: [{ phone: '190' }], org: { title: 'Boss' } },
  ])
  t.deepEqual(
    upstreamContacts(cards.value).map(({ name }) => name as object),
    [
      { formatted_name: 'Ana Souza', first_name: 'Ana Souza' },
      { formatted_name: 'Bia', last_name: 'Lima' },
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
  const pathsOf = (sections: ListBody['sections']) => faultsIn(readList(list(sections))).map(({ path }) => path)
  t.deepEqual(
    pathsOf([
      { title: 'A', rows: rows(0, 5) },
      { title: 'B', rows: rows(5, 6) },
    ]),
    ['list.sections'],
  )
  t.deepEqual(pathsOf([{ rows: rows(0, 1) }, { title: 'B', rows: rows(1, 1) }]), ['list.sections.0.title'])
  t.deepEqual(
    pathsOf([
      { title: 'A', rows: [row('a', 'Same'), row('b', 'Same ')] },
      { title: 'B', rows: [row('a', 'Other')] },
    ]),
    ['list.sections.0.rows.1.title', 'list.sections.1.rows.0.id'],
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
})

// [message-verbs.modes.4]
test('a reaction is one emoji as people see it, or empty', (t) => {
  const emojis = ['👍', '❤️', '❤', '👍🏽', '👨‍👩‍👧‍👦', '🏳️‍🌈', '🇧🇷', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '1️⃣', '#⃣', '😮‍💨', '👩🏾‍🚀', '🐈‍⬛', '©️']
  for (const emoji of emojis) t.true(isEmoji(emoji), emoji)
  for (const text of ['👍👍', 'a', '1', 'ok', ' 👍', '👍 ', '👍\u0301', '🇧🇷🇧🇷', '🇧', ':)', '\u200D', '\uFE0F', '❤️‍'])
    t.false(isEmoji(text), JSON.stringify(text))
  t.true(readReaction({ messageId: 'm', emoji: '' }).ok)
  t.deepEqual(
    faultsIn(readReaction({ messageId: 'm', emoji: 'ok' })).map(({ path }) => path),
    ['reaction.emoji'],
  )
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
  t.deepEqual(
    faultsIn(readPoll({ question: 'When?', options: ['Now', ' Now', 'Now'] })).map(({ path }) => path),
    ['poll.options.1', 'poll.options.2'],
  )
})

// [message-verbs.modes.5] [message-verbs.modes.7]
test('what a kind of number cannot send is refused with the capability that it lacks', (t) => {
  const poll = { question: 'a', options: ['b', 'c'] }
  t.deepEqual(detailsOf({ ...TO, poll }, 'OFFICIAL'), ['FEATURE_NOT_SUPPORTED', { capability: 'polls' }])
  t.deepEqual(detailsOf({ ...TO, contactRequest: { text: 'a' } }, 'UNOFFICIAL'), [
    'FEATURE_NOT_SUPPORTED',
    { capability: 'contactRequests' },
  ])
  t.true(orderOf({ ...TO, contactRequest: { text: 'a' } }, 'OFFICIAL').ok)
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
