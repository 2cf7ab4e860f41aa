import test from 'ava'
import * as fc from 'fast-check'
import { NO_CONTENT } from '../../../src/domain/message.ts'
import { readEvent } from '../../../src/providers/unofficial/events.ts'
import { until } from '../../helpers/until.ts'
import { probe } from '../session-probe.ts'
import { received, OWN, AT, RECEIVED, MEDIA } from './read-messages.ts'

// [bridge.events.4]
test('a message is told with all that is around it', (t) => {
  t.deepEqual(received({ quoted: 'm0' }), {
    type: 'messageReceived',
    externalMessageId: 'm1',
    from: '5511988880001',
    fromName: 'Ann',
    to: OWN,
    isFromMe: false,
    group: null,
    newsletter: null,
    isStory: false,
    isHistorical: false,
    at: AT,
    messageType: 'text',
    content: { ...NO_CONTENT, text: 'Hello' },
    quotedMessageId: 'm0',
  })
})

test('a missing field is null, and an empty message is a text', (t) => {
  const bare = received({ fromName: null, to: undefined, historical: undefined, content: undefined })
  t.like(bare, { fromName: null, to: OWN, isHistorical: false, messageType: 'text', quotedMessageId: null })
  t.deepEqual(bare.content, NO_CONTENT)
})

test('numbers come as digits, whatever form the engine writes', (t) => {
  t.like(received({ from: '+55 11 98888-0001', to: '+55 (11) 90000-0000' }), { from: '5511988880001', to: OWN })
  t.like(received({ from: 'hidden-user@lid' }), { from: 'hidden-user@lid' })
})

test("a message that the number's owner wrote on another device is marked as such", (t) => {
  t.like(received({ from: '+55 11 90000-0000', to: '5511988880001' }), {
    isFromMe: true,
    from: OWN,
    to: '5511988880001',
  })
  t.like(received({ from: OWN, to: '1@g.us', group: '1@g.us' }), {
    isFromMe: true,
    group: { id: '1@g.us', name: null },
  })
})

test('groups and channels are read by id alone or with a name', (t) => {
  t.like(received({ group: { id: '1@g.us', name: 'Team', extra: 1 } }), {
    from: '5511988880001',
    fromName: 'Ann',
    group: { id: '1@g.us', name: 'Team' },
    newsletter: null,
  })
  t.like(received({ group: { id: '1@g.us' } }), { group: { id: '1@g.us', name: null } })
  t.like(received({ group: '1@g.us' }), { group: { id: '1@g.us', name: null } })
  t.like(received({ group: 7 }), { group: null })
})

test('a post of a channel is written by the channel', (t) => {
  t.like(received({ newsletter: { id: '9@newsletter', name: 'News' } }), {
    from: '9@newsletter',
    fromName: 'News',
    newsletter: { id: '9@newsletter', name: 'News' },
    group: null,
    isFromMe: false,
  })
  t.like(received({ newsletter: '9@newsletter', from: OWN }), {
    from: '9@newsletter',
    fromName: 'Ann',
    isFromMe: false,
  })
})

test('a message with any story field is a status post', (t) => {
  for (const story of [true, 'status', { id: 1 }]) t.true(received({ story }).isStory)
  for (const story of [false, null, undefined, '']) t.false(received({ story }).isStory)
})

test("messages of a device's history are marked as such", (t) => {
  t.true(received({ historical: true }).isHistorical)
})

test('times come in seconds or milliseconds, and a missing one is about now', (t) => {
  t.deepEqual(received({ timestamp: 1_752_583_107 }).at, AT)
  for (const timestamp of [undefined, null, 'soon', -1, 1e300])
    t.true(Math.abs(received({ timestamp }).at.getTime() - Date.now()) < 3_600_000)
})

function sentElsewhere(fields: object) {
  return readEvent(
    'message.sent_elsewhere',
    JSON.parse(
      JSON.stringify({
        ...RECEIVED,
        ev: 'message.sent_elsewhere',
        from: OWN,
        fromName: null,
        to: '+55 11 98888-0001',
        ...fields,
      }),
    ),
    OWN,
  )
}

test('a message that the owner wrote on another device is a message of the number to its peer, under any address that the device uses', (t) => {
  for (const from of [OWN, 'device-7@lid', undefined]) {
    t.like(sentElsewhere({ from }), {
      kind: 'event',
      event: {
        type: 'messageReceived',
        externalMessageId: 'm1',
        from: OWN,
        to: '5511988880001',
        isFromMe: true,
        isHistorical: false,
      },
    })
  }
  t.like(sentElsewhere({ group: { id: '1@g.us', name: 'Team' }, to: '1@g.us' }), {
    event: { isFromMe: true, from: OWN, group: { id: '1@g.us', name: 'Team' } },
  })
  t.like(sentElsewhere({ newsletter: '9@newsletter', to: undefined }), {
    event: { isFromMe: true, from: OWN, newsletter: { id: '9@newsletter', name: null } },
  })
  t.is(sentElsewhere({ to: undefined }).kind, 'invalid')
})

function changed(ev: 'message.edited' | 'message.revoked', fields: object = {}) {
  return readEvent(
    ev,
    JSON.parse(JSON.stringify({ ev, seq: 2, externalMessageId: 'm1', timestamp: 1_752_583_107_000, ...fields })),
    OWN,
  )
}

test('an edit tells what the message says now; its media is that of the message', (t) => {
  const told = { type: 'messageChanged', externalMessageId: 'm1', kind: 'EDIT', at: AT }
  const content = { type: 'image', text: 'Now', media: MEDIA }
  t.deepEqual((changed('message.edited', { content }) as any).event, {
    ...told,
    edited: { messageType: 'image', content: { ...NO_CONTENT, text: 'Now' } },
  })
  t.deepEqual((changed('message.edited') as any).event, { ...told, edited: null })
})

test('a revocation tells which message was taken back', (t) => {
  t.deepEqual((changed('message.revoked', { content: { type: 'text', text: 'x' } }) as any).event, {
    type: 'messageChanged',
    externalMessageId: 'm1',
    kind: 'REVOKE',
    at: AT,
    edited: null,
  })
  t.is(changed('message.revoked', { externalMessageId: '' }).kind, 'invalid')
})

test('two edits of a message are two, and one that is told again is one', (t) => {
  const [one, again, other] = ['a', 'a', 'b'].map(
    (text) => (changed('message.edited', { content: { type: 'text', text } }) as any).fingerprint,
  )
  t.is(one, again)
  t.not(one, other)
})

function status(fields: object) {
  const reading = readEvent(
    'message.status',
    JSON.parse(JSON.stringify({ externalMessageId: 'm1', status: 'SENT', timestamp: 1_752_583_107_000, ...fields })),
    OWN,
  )
  return reading.kind === 'event' ? reading.event : reading
}

test('an edit that cannot be read leaves what the message says', (t) => {
  const reading = readEvent(
    'message.edited',
    {
      ev: 'message.edited',
      seq: 1,
      externalMessageId: 'm1',
      timestamp: RECEIVED.timestamp,
      content: { type: 'secretEncrypted' },
    },
    OWN,
  )
  t.like(reading.kind === 'event' ? reading.event : {}, { type: 'messageChanged', kind: 'EDIT', edited: null })
})

// [bridge.events.5]
test('a status is told in our words', (t) => {
  const common = { type: 'messageStatus', externalMessageId: 'm1', messageId: null, failure: null, at: AT }
  for (const [word, ours] of [
    ['SENT', 'SENT'],
    ['DELIVERED', 'DELIVERED'],
    ['READ', 'READ'],
    ['PLAYED', 'READ'],
    ['read', 'READ'],
  ] as const) {
    t.deepEqual(status({ status: word }) as unknown, { ...common, status: ours })
  }
  const messageId = 'msg_01kb0000000000000000000000'
  t.deepEqual(status({ messageId }) as unknown, { ...common, messageId, status: 'SENT' })
  for (const other of ['3EB0', '', 7, null])
    t.deepEqual(status({ messageId: other }) as unknown, { ...common, status: 'SENT' })
  t.deepEqual(status({ status: 'PENDING' }) as unknown, { type: 'unused' })
})

// [bridge.events.5]
test('a failure has the engine’s reason', (t) => {
  const failed = (error?: unknown) => status({ status: 'FAILED', error })
  t.like(failed({ code: 'NOT_REGISTERED', message: 'why', retryable: false }), {
    failure: { code: 'CHANNEL_NOT_EXIST', details: 'why', upstreamCode: 'NOT_REGISTERED' },
  })
  t.like(failed({ code: 'SOMETHING' }), {
    failure: { code: 'DELIVERY_TIMEOUT', details: null, upstreamCode: 'SOMETHING' },
  })
  t.like(failed(), { status: 'FAILED', failure: { code: 'DELIVERY_TIMEOUT', upstreamCode: null } })
  t.like(status({ status: 'SENT', error: { code: 'X' } }), { failure: null })
})

test('only a message without id or writer cannot be read', (t) => {
  const kind = (fields: object) => readEvent('message.received', { ...RECEIVED, ...fields }, OWN).kind
  t.is(kind({ externalMessageId: '' }), 'invalid')
  t.is(kind({ from: null }), 'invalid')
  t.is(readEvent('message.status', { externalMessageId: 'm1' }, OWN).kind, 'invalid')
})

test('no frame makes the reader throw', (t) => {
  const known = fc.constantFrom(
    'externalMessageId',
    'from',
    'to',
    'content',
    'type',
    'media',
    'url',
    'group',
    'newsletter',
    'id',
    'timestamp',
    'status',
    'error',
    'code',
    'reaction',
  )
  fc.assert(
    fc.property(
      fc.dictionary(known, fc.jsonValue()),
      fc.constantFrom(
        'message.received',
        'message.sent_elsewhere',
        'message.status',
        'message.edited',
        'message.revoked',
      ),
      (frame, ev) => {
        const reading = readEvent(ev, { externalMessageId: 'm', from: '5511988880001', ...frame }, OWN)
        t.true(['event', 'invalid'].includes(reading.kind))
      },
    ),
    { numRuns: 300 },
  )
})

test('a re-sent message is told once, also when its time was guessed', async (t) => {
  const { number, told, session } = await probe(t)
  await until('up', () => told.length === 1)
  const { seq: _seq, timestamp: _timestamp, ...event } = RECEIVED
  number.emit(event as never)
  await until('it is told', () => told.length === 2)
  number.drop()
  await until('up again', () => told.filter(({ type }) => type === 'linkUp').length === 2)
  t.true((await session.markRead(['m1'])).ok)
  t.is(told.filter(({ type }) => type === 'messageReceived').length, 1)
})

function voted(fields: object = {}) {
  return readEvent(
    'message.poll_vote',
    JSON.parse(
      JSON.stringify({
        externalMessageId: 'p1',
        from: '+55 11 99999-0001',
        options: ['a'],
        timestamp: 1_752_583_107_000,
        ...fields,
      }),
    ),
    OWN,
  )
}

// [engines.bridge.10]
test('a vote tells the poll, the voter and all that is chosen now', (t) => {
  const vote = {
    type: 'pollVoted',
    externalMessageId: 'p1',
    messageId: null,
    from: '5511999990001',
    fromName: null,
    group: null,
    options: ['a'],
    at: AT,
  }
  t.deepEqual((voted({ messageId: 'not ours' }) as any).event, vote)
  const group = { id: '1@g.us', name: null }
  t.deepEqual((voted({ options: [], group: '1@g.us', fromName: 'Ana' }) as any).event, {
    ...vote,
    options: [],
    group,
    fromName: 'Ana',
  })
  for (const fields of [{ options: null }, { options: [1] }, { from: '' }, { externalMessageId: undefined }])
    t.is(voted(fields).kind, 'invalid')
})

test('two votes in a poll are two, and one that is told again is one', (t) => {
  const [one, again, other, later] = [{}, {}, { options: ['b'] }, { timestamp: 1_752_583_108_000 }].map(
    (fields) => (voted(fields) as any).fingerprint,
  )
  t.is(one, again)
  t.is(new Set([one, other, later]).size, 3)
})
