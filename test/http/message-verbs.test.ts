import test from 'ava'
import type { ExecutionContext } from 'ava'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import { NO_CONTENT } from '../../src/domain/message.ts'
import * as schema from '../../src/http/routes/messages/schema.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

async function open(t: ExecutionContext) {
  const world = new World()
  const client = await serve(t, world)
  const { number } = world
  const sentAt = new Date(world.clock.now())
  const sent = world.messages.add(number, {
    direction: 'OUTBOUND',
    status: 'SENT',
    to: '5511999990001',
    correlationId: 'order-1',
    sentAt,
  })
  const send = (method: string, id: string, body?: object) =>
    client.send(method, `/v1/messages/${id}`, { key: world.numberKey.raw, ...(body ? { body } : {}) })
  /** What the owner of the number stores before it answers. */
  const stores = (fields: object) => () => {
    Object.assign(sent, fields)
    return succeed({})
  }
  return { world, client, number, sent, send, stores }
}

// [message-verbs.verbs.1]
test('PATCH edits a sent text through the device and answers what is stored, by any id of the message', async (t) => {
  const { world, sent, send, stores } = await open(t)
  const editedAt = new Date(world.clock.now() + 5)
  world.directory.script.editMessage = stores({ editedAt, content: { ...NO_CONTENT, text: 'now this' } })
  for (const id of [sent.id, 'order-1', sent.externalMessageId ?? '']) {
    const { status, body } = await send('PATCH', id, { text: 'now this' })
    t.is(status, 200)
    t.deepEqual(schema.editedMessage.parse(body), body)
    t.deepEqual(body, {
      id: sent.id,
      externalMessageId: sent.externalMessageId,
      content: 'now this',
      editedAt: editedAt.toISOString(),
    })
    t.deepEqual(world.directory.asked.at(-1), {
      type: 'editMessage',
      fields: { externalMessageId: sent.externalMessageId, to: '5511999990001', text: 'now this' },
    })
  }
})

// [message-verbs.verbs.2]
test('DELETE takes a sent message back through the device and answers when', async (t) => {
  const { world, sent, send, stores } = await open(t)
  const revokedAt = new Date(world.clock.now() + 5)
  world.directory.script.revokeMessage = stores({ revokedAt, content: NO_CONTENT })
  const { status, body } = await send('DELETE', sent.id)
  t.is(status, 200)
  t.deepEqual(schema.revokedMessage.parse(body), body)
  t.deepEqual(body, {
    id: sent.id,
    externalMessageId: sent.externalMessageId,
    revokedAt: revokedAt.toISOString(),
  })
  t.deepEqual(world.directory.asked, [
    { type: 'revokeMessage', fields: { externalMessageId: sent.externalMessageId, to: '5511999990001' } },
  ])
  const again = await send('DELETE', sent.id)
  t.deepEqual(
    [again.status, again.body.code, again.body.details],
    [409, 'MESSAGE_INVALID_STATE', { revokedAt: revokedAt.toISOString() }],
  )
})

test('what cannot be changed is refused before the device is asked', async (t) => {
  const { world, number, sent, send } = await open(t)
  const inbound = world.messages.add(number)
  const image = world.messages.add(number, {
    direction: 'OUTBOUND',
    status: 'READ',
    type: 'image',
    sentAt: sent.sentAt,
  })
  const queued = world.messages.add(number, { direction: 'OUTBOUND', status: 'QUEUED' })
  const foreign = world.messages.add(world.foreignNumber, {
    direction: 'OUTBOUND',
    status: 'SENT',
    sentAt: sent.sentAt,
  })
  const text = { text: 'new' }
  for (const [method, id, body, expected] of [
    ['PATCH', inbound.id, text, [409, 'MESSAGE_INVALID_STATE']],
    ['PATCH', queued.id, text, [409, 'MESSAGE_INVALID_STATE']],
    ['PATCH', image.id, text, [400, 'MESSAGE_NOT_TEXT']],
    ['PATCH', foreign.id, text, [404, undefined]],
    ['PATCH', 'a'.repeat(256), text, [404, undefined]],
    ['PATCH', sent.id, { text: ' ' }, [400, undefined]],
    ['PATCH', sent.id, {}, [400, undefined]],
    ['DELETE', inbound.id, undefined, [409, 'MESSAGE_INVALID_STATE']],
    ['DELETE', foreign.id, undefined, [404, undefined]],
  ] as const) {
    const { status, body: answered } = await send(method, id, body)
    t.deepEqual([status, answered.code], [...expected], `${method} ${id}`)
  }
  world.clock.advance(15 * 60_000 + 1)
  const late = await send('PATCH', sent.id, text)
  t.deepEqual(
    [late.status, late.body.code, late.body.details],
    [409, 'MESSAGE_TOO_OLD', { until: new Date(world.clock.now() - 1).toISOString() }],
  )
  t.deepEqual(world.directory.asked, [])
})

// [message-verbs.verbs.3]
test('typing is asked of the number with the last message of the peer, which is read once upstream says so', async (t) => {
  const { world, number, client } = await open(t)
  const talk = world.messages.talk(number, { peer: '5511999990001' })
  const inbound = world.messages.add(number, { conversationId: talk.id, externalMessageId: 'wamid.9' })
  const type = (body: object) =>
    client.send('POST', '/v1/messages/typing', { key: world.numberKey.raw, body: { state: 'typing', ...body } })
  world.directory.script.showTyping = () => succeed({ forwarded: true, read: true })
  for (const [at, asked] of [
    [{ conversationId: talk.id }, { to: '5511999990001', lastInboundId: inbound.externalMessageId }],
    [{ to: '+55 11 99999-0001' }, { to: '5511999990001', lastInboundId: inbound.externalMessageId }],
    [{ to: '+55 11 99999-0009' }, { to: '5511999990009', lastInboundId: null }],
    [
      { to: '77@g.us', state: 'paused' },
      { to: '77@g.us', lastInboundId: null, state: 'paused' },
    ],
  ] as const) {
    const { status, body } = await type(at)
    t.is(status, 200)
    t.deepEqual(schema.typingShown.parse(body), body)
    t.deepEqual(body, { forwarded: true, read: true })
    t.deepEqual(world.directory.asked.at(-1)?.fields, { state: 'typing', ...asked })
  }
  t.deepEqual(world.messages.marked, [['wamid.9'], ['wamid.9']])
  const count = world.directory.asked.length
  const foreign = world.messages.talk(world.foreignNumber)
  for (const [body, expected] of [
    [{ conversationId: foreign.id }, 404],
    [{}, 400],
    [{ to: '+55 11 99999-0001', conversationId: talk.id }, 400],
    [{ to: '+55 11 99999-0001', state: 'sleeping' }, 400],
    [{ to: 'US.1349' }, 400],
    [{ to: 'nobody' }, 400],
  ] as const)
    t.is((await type(body)).status, expected, JSON.stringify(body))
  const { key } = world.addOfficial()
  const group = await client.send('POST', '/v1/messages/typing', {
    key: key.raw,
    body: { to: '77@g.us', state: 'typing' },
  })
  t.deepEqual([group.status, group.body.details], [400, { capability: 'groups' }])
  t.is(world.directory.asked.length, count)
})

// [message-verbs.modes.7]
test('a refusal of the device is the answer, and an OFFICIAL number names the capability that it lacks', async (t) => {
  const { world, client, sent, send } = await open(t)
  world.directory.script.revokeMessage = () => fail(refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'closed'))
  const closed = await send('DELETE', sent.id)
  t.deepEqual([closed.status, closed.body.code], [409, 'CHANNEL_INSTANCE_NOT_CONNECTED'])
  const { key } = world.addOfficial()
  for (const [method, capability, body] of [
    ['PATCH', 'edits', { text: 'new' }],
    ['DELETE', 'revocations', undefined],
  ] as const) {
    const refused = await client.send(method, '/v1/messages/any', { key: key.raw, ...(body ? { body } : {}) })
    t.deepEqual(
      [refused.status, refused.body.code, refused.body.details],
      [400, 'FEATURE_NOT_SUPPORTED', { capability }],
    )
  }
})
