import test from 'ava'
import * as schema from '../../src/http/routes/messages/schema.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { open, REPLY, TO, URL_BUTTON } from './sending-world.ts'

// [messages.send.6]
test('a text is stored as it came, answered with 202, and the owner of the number is woken', async (t) => {
  const { world, send, accepted, number } = await open(t)
  const { status, body } = await send({ ...TO, text: 'Hello 👋' })
  t.is(status, 202)
  t.deepEqual(schema.acceptedMessage.parse(body), body)
  t.is(accepted.length, 1)
  const message = accepted[0]?.message
  t.deepEqual(body, {
    id: message?.id,
    correlationId: message?.id,
    status: 'QUEUED',
    createdAt: new Date(world.clock.now()).toISOString(),
    sourceNumber: '5511988887777',
  })
  t.like(message, {
    tenantId: number.tenantId,
    numberId: number.id,
    provider: 'UNOFFICIAL',
    to: { type: 'DIRECT', address: '5511999990001' },
    type: 'text',
    deliverAt: null,
    deliverUntil: null,
    outgoing: { mode: 'text', text: 'Hello 👋', buttons: [], header: null, footer: null },
    quotedMessageId: null,
    template: null,
  })
  t.is(message?.content.text, 'Hello 👋')
  t.is(accepted[0]?.claim, null)
  t.deepEqual(world.directory.queued, [number.id])
})

test('a plain text asks nothing of the stores but to be accepted', async (t) => {
  const { world, send } = await open(t)
  await send({ ...TO, text: 'warm' })
  const looks = world.keys.lookUps
  world.numbers.find = () => Promise.reject(new Error('asked for the number'))
  world.files.inspect = () => Promise.reject(new Error('asked for files'))
  t.is((await send({ ...TO, text: 'x' })).status, 202)
  t.is(world.keys.lookUps, looks)
  t.deepEqual(world.messages.asked, [])
})

test('a number is sent to as it was pasted, and one without its country to nobody', async (t) => {
  const { send, accepted } = await open(t)
  for (const destinationNumber of [
    '+1 555‑000‑1000',
    '\u202A+1 555 000 1000\u202C',
    '15550001\u200B000',
    '＋１５５５０００１０００',
    '+١٥٥٥٠٠٠١٠٠٠',
    '0015550001000',
  ]) {
    t.is((await send({ destinationNumber, text: 'a' })).status, 202, destinationNumber)
    t.deepEqual(accepted.pop()?.message.to, { type: 'DIRECT', address: '15550001000' }, destinationNumber)
  }
  const { status, body } = await send({ destinationNumber: '020 7946 0958', text: 'a' })
  t.deepEqual([status, accepted.length], [400, 0])
  t.regex(body.details[0].message, /country code, which never begins with 0/)
})

// [messages.send.2]
test('a group and a channel are destinations of an UNOFFICIAL number', async (t) => {
  const { send, accepted } = await open(t)
  t.is((await send({ groupId: '120363000000000001@g.us', text: 'a' })).status, 202)
  t.is((await send({ newsletterId: '120363000000000002@newsletter', text: 'a' })).status, 202)
  t.deepEqual(
    accepted.map(({ message }) => message.to),
    [
      { type: 'GROUP', address: '120363000000000001@g.us' },
      { type: 'NEWSLETTER', address: '120363000000000002@newsletter' },
    ],
  )
})

// [official.hidden-users.1]
test('a user who hides the number is a destination of an OFFICIAL number; an UNOFFICIAL one knows nobody by an id', async (t) => {
  const official = await open(t, 'OFFICIAL')
  t.is((await official.send({ destinationNumber: 'US.13491208655302741918', text: 'a' })).status, 202)
  t.deepEqual(official.accepted[0]?.message.to, { type: 'DIRECT', address: 'US.13491208655302741918' })
  const { send, accepted } = await open(t)
  const { status, body } = await send({ destinationNumber: 'US.13491208655302741918', text: 'a' })
  t.deepEqual([status, body.code, accepted.length], [400, 'FEATURE_NOT_SUPPORTED', 0])
})

// [identities.looking-up.2]
test('a person who hides the number is a destination of an UNOFFICIAL number by ...@lid; an OFFICIAL one knows nobody by it', async (t) => {
  const destinationNumber = '123456789012345@lid'
  const { send, accepted } = await open(t)
  t.is((await send({ destinationNumber, text: 'a' })).status, 202)
  t.deepEqual(accepted[0]?.message.to, { type: 'DIRECT', address: destinationNumber })
  for (const other of ['lid', '@lid', '12a@lid', '12:3@lid', '12@lid ', '12@lids'])
    t.is((await send({ destinationNumber: other, text: 'a' })).status, 400, other)
  const official = await open(t, 'OFFICIAL')
  const { status, body } = await official.send({ destinationNumber, text: 'a' })
  t.deepEqual([status, body.code, official.accepted.length], [400, 'FEATURE_NOT_SUPPORTED', 0])
})

test('buttons carry the id given, or the one of their position', async (t) => {
  const { send, accepted } = await open(t, 'OFFICIAL')
  t.is(
    (
      await send({
        ...TO,
        text: 'Sure?',
        buttons: [REPLY, { ...REPLY, text: 'No', id: 'no' }, { ...REPLY, text: 'Later' }],
        header: 'Order',
        footer: 'Acme',
      })
    ).status,
    202,
  )
  t.is((await send({ ...TO, text: 'Look', buttons: [URL_BUTTON] })).status, 202)
  const [first, second] = accepted.map(({ message }) => message)
  t.is(first?.type, 'interactive')
  t.deepEqual(first?.outgoing, {
    mode: 'text',
    text: 'Sure?',
    header: 'Order',
    footer: 'Acme',
    buttons: [
      { ...REPLY, id: 'button_1' },
      { type: 'QUICK_REPLY', text: 'No', id: 'no' },
      { type: 'QUICK_REPLY', text: 'Later', id: 'button_3' },
    ],
  } as never)
  t.like(second?.outgoing, { buttons: [URL_BUTTON] })
})

test('an UNOFFICIAL number sends all four kinds of button, under either name of their fields', async (t) => {
  const { send, accepted } = await open(t)
  const call = { type: 'PHONE_NUMBER', text: 'Call' }
  const copy = { type: 'COPY_CODE', text: 'Copy' }
  t.is(
    (
      await send({
        ...TO,
        text: 'a',
        buttons: [URL_BUTTON, { ...call, phone_number: '+55 11 99999-0001' }, { ...copy, example: ['SAVE10'] }],
      })
    ).status,
    202,
  )
  t.is(
    (
      await send({
        ...TO,
        text: 'a',
        buttons: [REPLY, { ...call, phoneNumber: '5511999990001' }, { ...copy, code: 'SAVE10' }],
      })
    ).status,
    202,
  )
  const wanted = [
    { ...call, phoneNumber: '5511999990001' },
    { ...copy, code: 'SAVE10' },
  ]
  for (const {
    message: { outgoing },
  } of accepted)
    t.deepEqual(outgoing.mode === 'text' ? outgoing.buttons.slice(1) : [], wanted as never)
})

// [messages.send.5]
test('a quoted message is named by our id, once upstream knows it, or by upstream’s', async (t) => {
  const { world, send, accepted, number } = await open(t)
  const known = world.messages.add(number, { externalMessageId: '3EB0AA' })
  const waiting = world.messages.add(number, { externalMessageId: null })
  const foreign = world.messages.add(world.foreignNumber)
  t.is((await send({ ...TO, text: 'a', quotedMessageId: known.id })).status, 202)
  t.is((await send({ ...TO, text: 'a', quotedMessageId: 'wamid.HBg=' })).status, 202)
  t.deepEqual(
    accepted.map(({ message }) => message.quotedMessageId),
    ['3EB0AA', 'wamid.HBg='],
  )
  for (const quotedMessageId of [waiting.id, foreign.id, 'msg_00000000000000000000000000']) {
    const { status, body } = await send({ ...TO, text: 'a', quotedMessageId })
    t.deepEqual([status, body.code], [404, undefined])
  }
})

// [messages.send.5]
test('a message for later wakes nobody; a time that has passed means now', async (t) => {
  const { world, send, accepted } = await open(t)
  const at = (ms: number) => new Date(world.clock.now() + ms).toISOString()
  t.is(
    (await send({ ...TO, text: 'a', deliverAt: at(3_600_000), deliverUntil: at(7_200_000), correlationId: 'order-1' }))
      .body.correlationId,
    'order-1',
  )
  t.like(accepted[0]?.message, {
    deliverAt: new Date(at(3_600_000)),
    deliverUntil: new Date(at(7_200_000)),
    correlationId: 'order-1',
  })
  t.deepEqual(world.directory.queued, [])
  t.is((await send({ ...TO, text: 'a', deliverAt: at(-1_000) })).status, 202)
  t.is(accepted[1]?.message.deliverAt, null)
  t.is(world.directory.queued.length, 1)
  t.is((await send({ ...TO, text: 'a', deliverAt: '2020-01-01T10:00:00+02:00' })).status, 202)
})

test('null says nothing: every field may be null', async (t) => {
  const { send } = await open(t)
  const empty = Object.fromEntries(
    [
      'groupId',
      'newsletterId',
      'buttons',
      'header',
      'footer',
      'media',
      'mediaType',
      'caption',
      'mediaFilename',
      'carousel',
      'templateId',
      'variables',
      'quotedMessageId',
      'deliverAt',
      'deliverUntil',
      'correlationId',
    ].map((name) => [name, null]),
  )
  t.is((await send({ ...TO, text: 'a', ...empty })).status, 202)
  t.is((await send({ ...TO, text: 'a', variables: {} })).status, 202)
})

test('sends are counted apart from other requests', async (t) => {
  const world = new World()
  world.keys.requestsPerMinute = 1
  world.keys.sendsPerMinute = 2
  const { key } = world.addNumber(world.tenantId, '5511900003333')
  const client = await serve(t, world)
  const send = () => client.send('POST', '/v1/messages/send', { key: key.raw, body: { ...TO, text: 'a' } })
  t.is((await client.send('GET', '/v1/conversations', { key: key.raw })).status, 200)
  t.is((await client.send('GET', '/v1/conversations', { key: key.raw })).status, 429)
  const first = await send()
  t.deepEqual([first.status, first.headers.get('ratelimit-limit')], [202, '2'])
  t.is((await send()).status, 202)
  const over = await send()
  t.deepEqual([over.status, over.body.code, typeof over.body.error], [429, undefined, 'string'])
  t.truthy(over.headers.get('retry-after'))
})

test('GET on the path of sends is 405, whatever a message may be called', async (t) => {
  const { client, key } = await open(t)
  const reply = await client.send('GET', '/v1/messages/send', { key: key.raw })
  t.deepEqual([reply.status, reply.headers.get('allow')], [405, 'OPTIONS, POST'])
})
