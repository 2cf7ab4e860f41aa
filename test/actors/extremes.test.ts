import * as fc from 'fast-check'
import test from 'ava'
import { readEvent } from '../../src/providers/unofficial/events.ts'
import { madeFlow } from '../contracts/flow-world.ts'
import { HOUR_MS, upstreamDigits } from '../contracts/lead-world.ts'
import { newMessage } from '../contracts/message-world.ts'
import { newTenant } from '../contracts/official-store.ts'
import { newNumber } from '../contracts/world.ts'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'
import { textOf, twisted } from '../helpers/twisted.ts'
import { until } from '../helpers/until.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'
import { METADATA, storedNode, toldNumber, toldText, type ToldChange } from './stored-node.ts'

const database = sharedDatabase(test, openTestPglite)
const worlds = worldsOver(database)

const CONTACTS = [{ profile: { name: 'Ana' }, wa_id: '5511888777666', user_id: 'US.13491' }]
const FROM = { from: '5511888777666', timestamp: '1795586125' }
const message = (id: string, type: string, body: object) => ({ ...FROM, id, type, ...body })
const SAMPLES: readonly (readonly [field: string, value: object])[] = [
  [
    'calls',
    {
      calls: [
        {
          ...FROM,
          id: 'wacid.1',
          to: '15550783881',
          event: 'connect',
          direction: 'USER_INITIATED',
          session: { sdp_type: 'offer', sdp: 'v=0' },
        },
      ],
    },
  ],
  [
    'calls',
    {
      calls: [
        {
          ...FROM,
          id: 'wacid.1',
          to: '15550783881',
          event: 'terminate',
          direction: 'USER_INITIATED',
          status: 'COMPLETED',
          start_time: '1795586120',
          end_time: '1795586125',
          duration: 5,
          biz_opaque_callback_data: 'b',
        },
      ],
      errors: [{ code: 138_000, message: 'm', error_data: { details: 'd' } }],
    },
  ],
  [
    'calls',
    {
      statuses: [
        { id: 'wacid.1', type: 'call', status: 'REJECTED', timestamp: '1795586125', recipient_id: '5511888777666' },
      ],
    },
  ],
  [
    'messages',
    {
      messages: [
        message('wamid.1', 'text', {
          text: { body: 'hi' },
          context: { id: 'wamid.0' },
          group_id: 'g',
          referral: {
            source_id: '1',
            source_type: 'ad',
            source_url: 'https://a.example',
            headline: 'h',
            body: 'b',
            ctwa_clid: 'c',
          },
        }),
      ],
    },
  ],
  [
    'messages',
    { messages: [message('wamid.2', 'image', { image: { id: '1', mime_type: 'image/png', caption: 'c' } })] },
  ],
  ['messages', { messages: [message('wamid.3', 'location', { location: { latitude: 1, longitude: 2, name: 'n' } })] }],
  ['messages', { messages: [message('wamid.4', 'contacts', { contacts: [{ name: { formatted_name: 'A' } }] })] }],
  ['messages', { messages: [message('wamid.5', 'reaction', { reaction: { message_id: 'wamid.1', emoji: 'x' } })] }],
  [
    'messages',
    {
      messages: [
        message('wamid.6', 'interactive', {
          interactive: { type: 'nfm_reply', nfm_reply: { body: 'Sent', response_json: '{"flow_token":"t","a":1}' } },
        }),
      ],
    },
  ],
  [
    'messages',
    {
      messages: [
        message('wamid.7', 'interactive', {
          interactive: {
            type: 'call_permission_reply',
            call_permission_reply: { response: 'accept', expiration_timestamp: '1795586125', is_permanent: false },
          },
        }),
      ],
    },
  ],
  [
    'messages',
    {
      messages: [
        message('wamid.8', 'edit', {
          edit: { original_message_id: 'wamid.1', message: { type: 'text', text: { body: 'new' } } },
        }),
      ],
    },
  ],
  ['messages', { messages: [message('wamid.9', 'revoke', { revoke: { original_message_id: 'wamid.1' } })] }],
  [
    'messages',
    {
      statuses: [
        {
          id: 'wamid.S',
          status: 'failed',
          timestamp: '1795586125',
          recipient_id: '5511888777666',
          errors: [{ code: 131_026, title: 't', message: 'm', error_data: { details: 'd' } }],
        },
      ],
    },
  ],
  [
    'smb_message_echoes',
    {
      message_echoes: [
        { ...message('wamid.E', 'text', { text: { body: 'hi' } }), from: '15550783881', to: '5511888777666' },
      ],
    },
  ],
]
const KEPT = ['phone_number_id', 'event', 'type', 'status', 'sdp_type', 'response']
const change = fc
  .constantFrom(...SAMPLES)
  .chain(([field, value]) =>
    twisted({ messaging_product: 'whatsapp', metadata: METADATA, contacts: CONTACTS, ...value }, KEPT).map(
      (value): ToldChange => ({ field, value }),
    ),
  )

/**
 * PostgreSQL rejects the statement of a value that it cannot store. A change that was worked off was therefore stored,
 * or contained nothing to store.
 */
test('a change with any content is worked off, and the number works on with the next one', async (t) => {
  const world = worlds()
  const { numberId, post, workedOff } = await toldNumber(world)
  const { directory } = storedNode(database(), world, 'OFFICIAL')
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 20, maxLength: 30 }), async (changes) => {
      const id = `wamid.after.${runs++}`
      await post([...changes, toldText(id)], textOf)
      await workedOff(directory.receive)
      t.not(await world.stores.messages.find(numberId, id), null)
    }),
    { numRuns: 4, endOnFailure: true },
  )
  await directory.stop()
})

const submitted = fc
  .oneof(twisted({ flow_token: 't', name: 'Ada', day: '2026-01-10', options: ['a', { id: 'b' }] }, []), twisted('', []))
  .chain((value) => fc.constantFrom<unknown>(value, textOf(value)))
const reply = fc.record({
  id: fc.constant(null).map(upstreamDigits),
  value: twisted({ response_json: 'SUBMITTED', body: 'Sent', name: 'flow' }, ['response_json']),
  submitted,
})

test.serial(
  'an answer to a Flow with any content is stored when it can be joined to a Flow, and the number works on with the next one',
  async (t) => {
    const world = worlds()
    const { stores } = world
    const { numberId, post, workedOff } = await toldNumber(world)
    const number = await stores.numbers.load(numberId)
    if (!number?.official) return t.fail('the number is gone')
    const { id } = await madeFlow(
      world,
      { tenantId: number.tenantId, accountId: number.official.accountId },
      { officialFlowId: upstreamDigits(), officialStatus: 'PUBLISHED' },
    )
    const asked = newMessage(
      world,
      { tenantId: number.tenantId, number },
      {
        type: 'flow',
        flow: { id, token: 't', statuses: ['PUBLISHED'] },
        deliverAt: new Date(world.clock.now() + 90 * 24 * HOUR_MS),
      },
    )
    t.is((await stores.messages.accept(asked, null)).kind, 'accepted')
    const { directory } = storedNode(database(), world, 'OFFICIAL')
    const told = (externalId: string, nfm: unknown): ToldChange => ({
      field: 'messages',
      value: {
        metadata: METADATA,
        messages: [
          {
            from: '5511888777666',
            id: externalId,
            timestamp: '1795586125',
            type: 'interactive',
            interactive: { type: 'nfm_reply', nfm_reply: nfm },
          },
        ],
      },
    })
    let stored = 0
    await fc.assert(
      fc.asyncProperty(fc.array(reply, { minLength: 20, maxLength: 30 }), async (replies) => {
        const plain = upstreamDigits()
        await post(
          [
            ...replies.map((one) => told(one.id, { ...(one.value as object), response_json: one.submitted })),
            told(plain, { response_json: '{"flow_token":"t","last":true}' }),
            toldText(`after${plain}`),
          ],
          textOf,
        )
        await workedOff(directory.receive)
        t.not(await stores.messages.find(numberId, `after${plain}`), null)
        const { items, total } = await stores.flowResponses.list(number, id, {
          page: 1,
          pageSize: 100,
          startDate: null,
          endDate: null,
        })
        t.true(
          items.some(({ externalMessageId, response }) => externalMessageId === plain && response?.['last'] === true),
        )
        t.true(total > stored)
        stored = total
        t.deepEqual(await database().query('select line, reason from set_aside where number_id = $1', [numberId]), [])
      }),
      { numRuns: 4, endOnFailure: true },
    )
    await directory.stop()
  },
)

const BRIDGE: readonly (readonly [ev: string, frame: object])[] = [
  ['session.qr', { qr: 'code', pairingCode: 'ABCD', expiresInMs: 20_000 }],
  ['session.state', { state: 'OPEN', reason: null }],
  ['session.credentials', { credentials: { a: 'secret' } }],
  ['session.health', { level: 'OK', code: 'c', text: 't' }],
  ['call.incoming', { callId: 'c1', from: '5511888777666', media: { kind: 'webrtc', sdp: 'v=0' } }],
  ['call.ringing', { callId: 'c1' }],
  ['call.answered', { callId: 'c1', media: { kind: 'webrtc', sdp: 'v=0' } }],
  ['call.ended', { callId: 'c1', reason: 'hangup' }],
  [
    'message.received',
    {
      externalMessageId: 'm1',
      from: '5511888777666',
      fromName: 'Ana',
      to: null,
      group: { id: 'g@g.us', name: 'G' },
      newsletter: null,
      story: null,
      historical: false,
      timestamp: 1_795_586_125,
      content: {
        type: 'text',
        text: 'hi',
        location: { latitude: 1 },
        contacts: [{ name: 'A' }],
        reaction: { messageId: 'm0', emoji: 'x' },
        interactive: { id: 'a' },
      },
      quoted: 'm0',
    },
  ],
  [
    'message.sent_elsewhere',
    {
      externalMessageId: 'm2',
      from: '5511',
      to: '5511888777666',
      timestamp: 1_795_586_125,
      content: { type: 'text', text: 'hi' },
    },
  ],
  [
    'message.status',
    {
      externalMessageId: 'm3',
      status: 'FAILED',
      error: { code: 'X', message: 'm', retryable: false },
      timestamp: 1_795_586_125,
    },
  ],
  ['message.edited', { externalMessageId: 'm1', timestamp: 1_795_586_125, content: { type: 'text', text: 'new' } }],
  ['message.revoked', { externalMessageId: 'm1', timestamp: 1_795_586_125 }],
]
const deviceEvent = fc
  .constantFrom(...BRIDGE)
  .chain(([ev, frame]) =>
    twisted(frame, ['state', 'reason', 'kind', 'type']).map((told) => ({ ev, told: told as Record<string, unknown> })),
  )

test('an event of an engine with any content is stored or skipped, and acknowledged', async (t) => {
  const world = worlds()
  const { stores } = world
  const tenantId = await newTenant(world)
  const created = await stores.numbers.create(newNumber(tenantId))
  if (!created.ok) return t.fail(created.error.code)
  const numberId = created.value.number.id
  const { driver, directory } = storedNode(database(), world, 'UNOFFICIAL')
  await directory.askNumber(numberId, 'Pair', { waitMs: 0 })
  await until('the session is open', () => driver.sessions.length > 0)
  await fc.assert(
    fc.asyncProperty(fc.array(deviceEvent, { minLength: 20, maxLength: 30 }), async (told) => {
      const { last } = driver
      const seqs = told.flatMap(({ ev, told: frame }) => {
        const reading = readEvent(ev, frame, '5511')
        return reading.kind === 'event' ? [last.raise(reading.event)] : []
      })
      await until('every event is settled', () => seqs.every((seq) => last.settled.includes(seq)))
    }),
    { numRuns: 4, endOnFailure: true },
  )
  t.is(driver.sessions.length, 1)
  await directory.stop()
})
