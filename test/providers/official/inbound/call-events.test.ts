import * as fc from 'fast-check'
import test from 'ava'
import { readCallEvents } from '../../../../src/providers/official/inbound/call-events.ts'

const META = {
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: '+1 555-012-3456', phone_number_id: '1001' },
}
const AT = new Date(1_752_583_107_000)
const OFFER = {
  id: 'wacid.A',
  from: '5511988887777',
  to: '15550123456',
  event: 'connect',
  timestamp: '1752583107',
  direction: 'USER_INITIATED',
  session: { sdp_type: 'offer', sdp: 'v=0\r\n' },
}
const END = {
  id: 'wacid.A',
  from: '15550123456',
  to: '5511988887777',
  event: 'terminate',
  timestamp: '1752583107',
  direction: 'BUSINESS_INITIATED',
  status: 'COMPLETED',
}

function read(value: unknown, field = 'calls') {
  return readCallEvents(field, JSON.stringify(value))
}

test('an offer of a user is an incoming call', (t) => {
  t.deepEqual(read({ ...META, contacts: [{ profile: { name: 'Ann' }, wa_id: '5511988887777' }], calls: [OFFER] }), [
    { type: 'incomingCall', externalCallId: 'wacid.A', from: '5511988887777', sdp: 'v=0\r\n', fromName: 'Ann', at: AT },
  ])
})

test('the caller is found when upstream swaps the ends, writes numbers, or hides the number', (t) => {
  const from = (call: object, more: object = {}) =>
    read({ ...META, ...more, calls: [{ ...OFFER, ...call }] }).map((event) => ('from' in event ? event.from : ''))
  t.deepEqual(from({ from: '15550123456', to: '5511988887777' }), ['5511988887777'])
  t.deepEqual(from({ from: 5_511_988_887_777 }), ['5511988887777'])
  t.deepEqual(from({ from: undefined }, { contacts: [{ wa_id: '5511988887777' }] }), ['5511988887777'])
  t.deepEqual(from({ from: undefined }, { contacts: [{ user_id: 'US.13491' }] }), ['US.13491'])
  t.deepEqual(from({ from: 'US.13491' }), ['US.13491'])
  t.deepEqual(
    read({ calls: [{ ...OFFER, from: '+55 11 98888-7777' }] }).map((event) => 'from' in event && event.from),
    ['5511988887777'],
  )
})

test('an answer is the SDP of an outbound call, not its acceptance', (t) => {
  t.deepEqual(
    read({
      ...META,
      calls: [{ ...OFFER, direction: 'BUSINESS_INITIATED', session: { sdp_type: 'answer', sdp: 'v=1' } }],
    }),
    [{ type: 'callSdp', externalCallId: 'wacid.A', sdp: 'v=1', at: AT }],
  )
})

test('statuses are ringing, accepted and declined', (t) => {
  const status = (name: string) => ({
    id: 'wacid.A',
    type: 'call',
    status: name,
    timestamp: '1752583107',
    recipient_id: '5511',
    biz_opaque_callback_data: 'b',
  })
  const events = read({ ...META, statuses: ['RINGING', 'ACCEPTED', 'REJECTED', 'SOMETHING'].map(status) })
  t.deepEqual(
    events.map(({ type }) => type),
    ['callRinging', 'callAccepted', 'callEnded'],
  )
  t.like(events[2], {
    reason: 'declined',
    externalCallId: 'wacid.A',
    end: { isAnswered: false, direction: 'OUTBOUND', bizOpaqueCallbackData: 'b' },
  })
})

test('the end of a conversation carries its times', (t) => {
  t.deepEqual(
    read({
      ...META,
      calls: [
        {
          ...END,
          start_time: '1752583000',
          end_time: '1752583107',
          duration: 107,
          biz_opaque_callback_data: 'order-1',
        },
      ],
    }),
    [
      {
        type: 'callEnded',
        externalCallId: 'wacid.A',
        reason: 'hangup',
        at: AT,
        end: {
          direction: 'OUTBOUND',
          isAnswered: true,
          startedAt: new Date(1_752_583_000_000),
          endedAt: AT,
          durationSeconds: 107,
          bizOpaqueCallbackData: 'order-1',
          failure: null,
        },
      },
    ],
  )
})

test('an end without an answer means that nobody answered, or that the caller gave up', (t) => {
  t.like(read({ ...META, calls: [END] })[0], { reason: 'timeout', end: { isAnswered: false, durationSeconds: null } })
  t.like(read({ ...META, calls: [{ ...END, status: 'Failed', direction: 'USER_INITIATED', duration: 0 }] })[0], {
    reason: 'canceled',
    end: { isAnswered: false, durationSeconds: null },
  })
})

test('an error beside the end of a call is why it failed', (t) => {
  const errors = [
    { code: 138021, message: 'Media receive timeout', href: 'https://', error_data: { details: 'No media for 20 s' } },
  ]
  t.like(read({ ...META, calls: [{ ...END, status: 'FAILED', start_time: '1752583000', duration: 20 }], errors })[0], {
    reason: 'failed',
    end: {
      isAnswered: true,
      failure: {
        code: 'MEDIA_TIMEOUT',
        message: '(#138021) Media receive timeout: No media for 20 s',
        retryable: false,
      },
    },
  })
})

test('an error without an end is told by itself', (t) => {
  t.deepEqual(read({ ...META, errors: [{ code: '131044', message: '(#131044) Pay', error_data: 'now' }] }), [
    {
      type: 'callsFailing',
      failures: [{ code: 'OFFICIAL_CALLING_PAYMENT_REQUIRED', message: '(#131044) Pay: now', retryable: false }],
    },
  ])
})

test('one value may tell of several calls', (t) => {
  const events = read({
    ...META,
    calls: [OFFER, { ...END, id: 'wacid.B' }, { ...END, id: 'wacid.C' }],
    errors: [{ code: 138020 }],
    statuses: [{ id: 'wacid.D', status: 'RINGING' }],
  })
  t.deepEqual(
    events.map((event) => [event.type, 'externalCallId' in event ? event.externalCallId : null]),
    [
      ['incomingCall', 'wacid.A'],
      ['callEnded', 'wacid.B'],
      ['callEnded', 'wacid.C'],
      ['callRinging', 'wacid.D'],
      ['callsFailing', null],
    ],
  )
})

const REPLY = { from: '5511988887777', id: 'wamid.R', timestamp: '1752583107', type: 'interactive' }
const reply = (fields: object, message: object = {}) =>
  read(
    {
      ...META,
      messages: [
        { ...REPLY, ...message, interactive: { type: 'call_permission_reply', call_permission_reply: fields } },
      ],
    },
    'messages',
  )

// [events.data.6]
test('the status of a permission is derived from the reply', (t) => {
  const peer = { type: 'permissionChanged', peer: '5511988887777', at: AT } as const
  t.deepEqual(reply({ response: 'accept', is_permanent: true, response_source: 'user_action' }), [
    { ...peer, status: 'PERMANENT', expiresAt: null },
  ])
  t.deepEqual(reply({ response: 'accept', is_permanent: false, expiration_timestamp: 1_753_186_982 }), [
    { ...peer, status: 'TEMPORARY', expiresAt: new Date(1_753_186_982_000) },
  ])
  t.deepEqual(reply({ response: 'accept', expiration_timestamp: '1753186982' }), [
    { ...peer, status: 'TEMPORARY', expiresAt: new Date(1_753_186_982_000) },
  ])
  for (const response of ['reject', 'revoke'])
    t.deepEqual(reply({ response, is_permanent: false }), [{ ...peer, status: 'NO_PERMISSION', expiresAt: null }])
  t.deepEqual(reply({ response: 'think' }), [])
})

test('a reply of a user without a number is of the id upstream gives', (t) => {
  t.like(reply({ response: 'reject' }, { from: undefined, from_user_id: 'US.1' })[0], { peer: 'US.1' })
  t.deepEqual(reply({ response: 'reject' }, { from: undefined }), [])
})

test('other messages and other fields say nothing of calls', (t) => {
  t.deepEqual(read({ ...META, messages: [{ ...REPLY, type: 'text', text: { body: 'x' } }] }, 'messages'), [])
  t.deepEqual(read({ ...META, calls: [OFFER] }, 'account_update'), [])
  t.deepEqual(read({ ...META, calls: [{ ...OFFER, event: 'call_created' }, { ...OFFER, session: {} }, null, 3] }), [])
})

test('no value makes it throw', (t) => {
  const key = fc.constantFrom(
    'calls',
    'statuses',
    'errors',
    'messages',
    'contacts',
    'metadata',
    'id',
    'event',
    'session',
    'sdp',
    'status',
    'timestamp',
    'code',
    'interactive',
    'call_permission_reply',
    'duration',
    'start_time',
    'from',
    'error_data',
  )
  const leaf = fc.oneof(
    fc.string(),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom('connect', 'terminate', 'wacid.A', '1752583107', '99999999999999', 'offer'),
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
    fc.property(tree, fc.constantFrom('calls', 'messages'), (value, field) => {
      for (const event of readCallEvents(field, JSON.stringify(value) ?? '')) {
        if ('at' in event && event.at) t.false(Number.isNaN(event.at.getTime()))
      }
    }),
    { numRuns: 500 },
  )
  t.deepEqual(readCallEvents('calls', 'no json'), [])
})

test('webhook-1: a time in milliseconds is read as that', (t) => {
  for (const timestamp of ['1752583107000', 1_752_583_107_000, '1752583107000000'])
    t.like(read({ ...META, calls: [{ ...OFFER, timestamp }] })[0], { type: 'incomingCall', at: AT })
})

test('webhook-2: a duration that 4 bytes do not hold is the longest that they do', (t) => {
  const end = { ...END, start_time: '1752583000', end_time: '1752583107', duration: 2_147_483_648 }
  t.like(read({ ...META, calls: [end] })[0], {
    reason: 'hangup',
    end: { isAnswered: true, durationSeconds: 2_147_483_647 },
  })
})

test('webhook-3: a duration below zero is none', (t) => {
  const end = { ...END, start_time: '1752583107', end_time: '1752583098', duration: -9 }
  t.like(read({ ...META, calls: [end] })[0], { reason: 'hangup', end: { isAnswered: true, durationSeconds: 0 } })
})

test("a time of zero is no time, and an id longer than any of the upstream's names no call", (t) => {
  t.like(read({ ...META, calls: [{ ...END, timestamp: '0', start_time: 0, end_time: '0' }] })[0], {
    at: null,
    end: { isAnswered: false, startedAt: null, endedAt: null },
  })
  t.deepEqual(read({ ...META, calls: [{ ...OFFER, id: 'x'.repeat(3_000) }] }), [])
})
