import * as fc from 'fast-check'
import test from 'ava'
import { NO_CONTENT } from '../../../../src/domain/message.ts'
import { readMessageEvents } from '../../../../src/providers/official/inbound/message-events.ts'
import { told, AT, read, META, MESSAGE, idOf, file, REASON, CONTACTS, STATUS } from './read-messages.ts'

test('a text is told with all that is around it', (t) => {
  t.deepEqual(told({ type: 'text', text: { body: 'Hello' }, context: { from: '15550123456', id: 'wamid.Q' } }), {
    type: 'messageReceived',
    externalMessageId: 'wamid.A',
    from: '5511988887777',
    fromName: 'Ann',
    to: '15550123456',
    isFromMe: false,
    group: null,
    newsletter: null,
    isStory: false,
    isHistorical: false,
    at: AT,
    messageType: 'text',
    content: { ...NO_CONTENT, text: 'Hello' },
    quotedMessageId: 'wamid.Q',
  })
})

const SILENT: readonly (readonly [name: string, item: object])[] = [
  ['welcome request', { type: 'request_welcome' }],
  ['edit of nothing', { type: 'edit', edit: { message: { type: 'text', text: { body: 'x' } } } }],
  ['revocation of nothing', { type: 'revoke' }],
  [
    'answer to a permission request',
    {
      type: 'interactive',
      interactive: { type: 'call_permission_reply', call_permission_reply: { response: 'accept' } },
    },
  ],
  ['reaction to nothing', { type: 'reaction', reaction: { emoji: '👍' } }],
  ['message without id', { type: 'text', text: { body: 'x' }, id: undefined }],
  ['message of nobody', { type: 'text', text: { body: 'x' }, from: undefined }],
]
for (const [name, item] of SILENT) {
  test(`a ${name} is ignored, and messages beside it are read`, (t) => {
    const events = read({
      ...META,
      messages: [
        { ...MESSAGE, ...item },
        { ...MESSAGE, id: 'wamid.B', type: 'text', text: { body: 'x' } },
      ],
    })
    t.deepEqual(events.map(idOf), ['wamid.B'])
  })
}

const EDITS: readonly (readonly [name: string, message: object | undefined, edited: object | null])[] = [
  [
    'of a text',
    { type: 'text', text: { body: 'Now' } },
    { messageType: 'text', content: { ...NO_CONTENT, text: 'Now' } },
  ],
  [
    'whose type is left out',
    { text: { body: 'Now' } },
    { messageType: 'text', content: { ...NO_CONTENT, text: 'Now' } },
  ],
  [
    'of a caption',
    { type: 'image', image: { id: '7', mime_type: 'image/png', caption: 'Now' } },
    { messageType: 'image', content: { ...NO_CONTENT, text: 'Now', media: file('7', 'image/png') } },
  ],
  ['that is not spelled out', undefined, null],
  ['that upstream cannot show', { type: 'unsupported', errors: [REASON] }, null],
]
for (const [name, message, edited] of EDITS) {
  test(`an edit ${name} tells what the message says now`, (t) => {
    const item = { ...MESSAGE, type: 'edit', edit: { original_message_id: 'wamid.B', ...(message ? { message } : {}) } }
    t.deepEqual(read({ ...META, contacts: CONTACTS, messages: [item] }) as unknown, [
      { type: 'messageChanged', externalMessageId: 'wamid.B', kind: 'EDIT', at: AT, edited },
    ])
  })
}

test('a revocation names the message that was taken back, an echo too', (t) => {
  const item = { ...MESSAGE, type: 'revoke', revoke: { original_message_id: 'wamid.B' } }
  const told: unknown = [{ type: 'messageChanged', externalMessageId: 'wamid.B', kind: 'REVOKE', at: AT, edited: null }]
  t.deepEqual(read({ ...META, messages: [item] }) as unknown, told)
  t.deepEqual(
    read(
      { ...META, message_echoes: [{ ...item, from: '15550123456', to: '5511988887777' }] },
      'smb_message_echoes',
    ) as unknown,
    told,
  )
})

const named = (value: object, field?: string): unknown[] =>
  read({ ...META, ...value }, field).flatMap((event) => (event.type === 'peerNamed' ? [event.addresses] : []))
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

test('a contact is told by the form that upstream knows, then by what a send called it, its id and that of its parent', (t) => {
  const contact = { wa_id: '551187654321', input: '+55 (11) 98765-4321', user_id: ANN[1], parent_user_id: 'US.ENT.7' }
  t.deepEqual(named({ contacts: [contact] }), [['551187654321', '5511987654321', ANN[1], 'US.ENT.7']])
  t.deepEqual(named({ contacts: [{ wa_id: '551187654321', input: '551187654321' }] }), [])
  t.deepEqual(named({ contacts: [{ wa_id: '551187654321', input: 'Ana', user_id: 'ann' }] }), [], 'no addresses')
})

const CHANGES: readonly (readonly [what: string, system: object, from: string | undefined, told: string[]])[] = [
  [
    'an id',
    { type: 'user_changed_user_id', user_id: 'US.333CCC', previous_user_id: 'US.222BBB' },
    undefined,
    ['US.333CCC', 'US.222BBB'],
  ],
  [
    'a number',
    { type: 'user_changed_number', wa_id: '5511988887777' },
    '5511977776666',
    ['5511988887777', '5511977776666'],
  ],
  [
    'a number, in its old form',
    { type: 'user_changed_number', new_wa_id: '5511988887777', customer: '5511977776666' },
    '5511977776666',
    ['5511988887777', '5511977776666'],
  ],
  [
    'both',
    { type: 'user_changed_number', wa_id: '5511988887777', user_id: 'US.333CCC', previous_user_id: 'US.222BBB' },
    undefined,
    ['5511988887777', 'US.333CCC', 'US.222BBB'],
  ],
]
for (const [what, system, from, told] of CHANGES) {
  test(`a system message that tells of a change of ${what} names the user, and is one of that user`, (t) => {
    const message = {
      id: 'wamid.s',
      timestamp: '1700000000',
      type: 'system',
      from,
      system: { body: 'Changed', ...system },
    }
    t.deepEqual(named({ messages: [message] }), [told])
    const [received] = read({ ...META, messages: [message] }).filter((event) => event.type === 'messageReceived')
    t.like(received, { from: from ?? told[0], messageType: 'system' })
  })
}

test("a change links a user's number and id once, and only if both are valid", (t) => {
  t.deepEqual(
    named({
      contacts: [{ wa_id: ANN[0], user_id: ANN[1] }],
      statuses: [{ recipient_id: ANN[0], recipient_user_id: ANN[1] }],
    }),
    [ANN],
  )
  t.deepEqual(
    named({
      contacts: [
        { wa_id: ANN[0] },
        { user_id: ANN[1] },
        { wa_id: 'x', user_id: ANN[1] },
        { wa_id: ANN[0], user_id: 'Ann' },
      ],
    }),
    [],
  )
})

test('a message without a sender is from the only contact beside it', (t) => {
  const item = { type: 'text', text: { body: 'x' }, from: undefined }
  t.like(told(item, { contacts: [{ profile: { name: 'Ann' }, user_id: 'US.1' }] }), { from: 'US.1', fromName: 'Ann' })
  t.like(told(item, { contacts: [{ profile: { name: 'Ann' }, wa_id: '+55 11 98888-7777', user_id: 'US.1' }] }), {
    from: '5511988887777',
    fromName: 'Ann',
  })
  t.deepEqual(
    read({ ...META, contacts: [{ user_id: 'US.1' }, { user_id: 'US.2' }], messages: [{ ...MESSAGE, ...item }] }),
    [],
  )
})

test('a user whose number stands beside the message goes by the number', (t) => {
  const contacts = [
    { profile: { name: 'Bob' }, wa_id: '551100000000', user_id: 'US.2' },
    { profile: { name: 'Ann' }, wa_id: '5511988887777', user_id: 'US.1' },
  ]
  t.like(told({ type: 'text', text: { body: 'x' }, from: undefined, from_user_id: 'US.1' }, { contacts }), {
    from: '5511988887777',
    fromName: 'Ann',
  })
})

// [official.hidden-users.1]
test('a user who hides the number goes by upstream’s id', (t) => {
  const contacts = [
    { profile: { name: 'Ann' }, user_id: 'US.1' },
    { profile: { name: 'Bob' }, user_id: 'US.2' },
  ]
  t.like(told({ type: 'text', text: { body: 'x' }, from: undefined, from_user_id: 'US.2' }, { contacts }), {
    from: 'US.2',
    fromName: 'Bob',
  })
  t.like(told({ type: 'text', text: { body: 'x' }, from_user_id: 'US.2' }, { contacts }), {
    from: '5511988887777',
    fromName: 'Bob',
  })
})

test('a writer without a profile has no name, and one whose number has two forms has', (t) => {
  const item = { type: 'text', text: { body: 'x' } }
  t.is(told(item, {}).fromName, null)
  t.is(told(item, { contacts: [{ wa_id: '5511988887777' }] }).fromName, null)
  t.is(told(item, { contacts: [{ profile: { name: 'Ann' }, wa_id: '551188887777' }] }).fromName, 'Ann')
  t.is(
    told(item, {
      contacts: [
        { profile: { name: 'Eve' }, wa_id: '1' },
        { profile: { name: 'Ann' }, wa_id: '+55 11 98888-7777' },
      ],
    }).fromName,
    'Ann',
  )
})

test('a message of a group names it', (t) => {
  t.like(told({ type: 'text', text: { body: 'x' }, group_id: 'G1' }), {
    from: '5511988887777',
    group: { id: 'G1', name: null },
  })
})

test('a number without metadata is left empty', (t) => {
  t.is(
    read({ messages: [{ ...MESSAGE, type: 'text', text: { body: 'x' } }] }).map(
      (event) => 'to' in event && event.to,
    )[0],
    '',
  )
})

for (const field of ['smb_message_echoes', 'message_echoes', 'messages']) {
  test(`an echo in field ${field} is written by the number itself`, (t) => {
    const echo = {
      from: '15550123456',
      to: '5511988887777',
      id: 'wamid.E',
      timestamp: '1752583107',
      type: 'text',
      text: { body: 'From the phone' },
    }
    t.deepEqual(
      read({ ...META, contacts: CONTACTS, message_echoes: [echo] }, field).map(
        (event) => 'isFromMe' in event && [event.isFromMe, event.from, event.to, event.fromName, event.content.text],
      ),
      [[true, '15550123456', '5511988887777', null, 'From the phone']],
    )
    t.like(
      read({ ...META, message_echoes: [{ ...echo, from: undefined, to: undefined, to_user_id: 'US.1' }] }, field)[0],
      { from: '15550123456', to: 'US.1' },
    )
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

test('messages and statuses of one change are all told', (t) => {
  const events = read({
    ...META,
    messages: [{ ...MESSAGE, type: 'text', text: { body: 'x' } }],
    statuses: [{ ...STATUS, status: 'sent' }],
  })
  t.deepEqual(
    events.map(({ type }) => type),
    ['messageReceived', 'messageStatus'],
  )
})

test('other fields, and statuses of calls, say nothing of messages', (t) => {
  t.deepEqual(read({ ...META, messages: [{ ...MESSAGE, type: 'text', text: { body: 'x' } }] }, 'calls'), [])
  t.deepEqual(read({ ...META, messages: [{ ...MESSAGE, type: 'text', text: { body: 'x' } }] }, 'toString'), [])
  t.deepEqual(
    read(
      {
        ...META,
        messages: [{ ...MESSAGE, type: 'text', text: { body: 'x' } }],
        statuses: [{ ...STATUS, status: 'sent' }],
      },
      'smb_message_echoes',
    ),
    [],
  )
  t.deepEqual(read({ statuses: [{ ...STATUS, type: 'call', status: 'read' }] }), [])
})

test('no value makes the reader throw, and every event that it reads can be stored', (t) => {
  const key = fc.constantFrom(
    'messages',
    'statuses',
    'message_echoes',
    'contacts',
    'metadata',
    'display_phone_number',
    'id',
    'type',
    'from',
    'to',
    'text',
    'body',
    'image',
    'interactive',
    'button_reply',
    'reaction',
    'user_id',
    'from_user_id',
    'edit',
    'revoke',
    'original_message_id',
    'message',
    'message_id',
    'timestamp',
    'errors',
    'code',
    'profile',
    'name',
    'wa_id',
    'status',
    'context',
    'referral',
    'group_id',
    'location',
    'order',
  )
  const leaf = fc.oneof(
    fc.string(),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom(
      'text',
      'image',
      'interactive',
      'reaction',
      'location',
      'contacts',
      'order',
      'failed',
      'sent',
      'wamid.A',
      '1752583107',
      '5511988887777',
      '999999999999999',
    ),
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6 },
      leaf,
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 6 }),
    ),
  }))
  fc.assert(
    fc.property(tree, fc.constantFrom('messages', 'message_echoes'), (value, field) => {
      for (const event of readMessageEvents(field, JSON.stringify(value) ?? '')) {
        if (event.type === 'peerNamed') continue
        t.true(event.externalMessageId !== '')
        t.true(event.at.getTime() > 0 && event.at.getUTCFullYear() < 3_000)
      }
    }),
    { numRuns: 500 },
  )
  t.deepEqual(readMessageEvents('messages', 'no json'), [])
  t.deepEqual(readMessageEvents('messages', '[1]'), [])
})
