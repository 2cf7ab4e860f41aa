import test from 'ava'
import type { Clock } from '../../../../src/ports/clock.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { until } from '../../../helpers/until.ts'
import { BUSINESS, startOfficial, USER, type OfficialPlayground } from '../official-playground.ts'

function text({ graph, seeded }: OfficialPlayground, to: string, more: object = {}) {
  return graph('POST', `${seeded.phoneId}/messages`, {
    messaging_product: 'whatsapp',
    to,
    type: 'text',
    text: { body: 'hello' },
    ...more,
  })
}

async function open(clock?: Clock): Promise<OfficialPlayground> {
  const official = await startOfficial({}, clock ? { clock } : {})
  await official.subscribe()
  return official
}

function write({ control }: OfficialPlayground, user: string, message: object = { text: 'hi' }) {
  return control('POST', `/peers/${user}/messages`, { to: BUSINESS, ...message })
}

// [sandbox.control.4]
test('a message of a user goes out by webhook and can be read', async (t) => {
  const official = await open()
  const { receiver, graph, seeded, get } = official
  const { status, body } = await write(official, `${USER}0001`, { text: 'olá', fromName: 'Ana', quoted: 'wamid.Q' })
  t.is(status, 201)
  await until('it came', () => receiver.changes('messages').length > 0)
  const [{ value }] = receiver.changes('messages')
  t.deepEqual(value.metadata, { display_phone_number: BUSINESS, phone_number_id: seeded.phoneId })
  t.deepEqual(value.contacts, [{ profile: { name: 'Ana' }, wa_id: `${USER}0001` }])
  t.like(value.messages[0], {
    from: `${USER}0001`,
    id: body.externalMessageId,
    type: 'text',
    text: { body: 'olá' },
    context: { from: BUSINESS, id: 'wamid.Q' },
  })
  t.regex(value.messages[0].timestamp, /^\d{10}$/)
  t.deepEqual(
    (
      await graph('POST', `${seeded.phoneId}/messages`, {
        messaging_product: 'whatsapp',
        status: 'read',
        message_id: body.externalMessageId,
      })
    ).body,
    { success: true },
  )
  t.like((await get(`/control/peers/${USER}0001/outbox`)).messages[0], { isRead: true, text: 'olá' })
  t.is(
    (
      await graph('POST', `${seeded.phoneId}/messages`, {
        messaging_product: 'whatsapp',
        status: 'read',
        message_id: 'x',
      })
    ).body.error.code,
    100,
  )
  await official.close()
})

test('a user edits a message and takes it back, and so does the business on its own phone', async (t) => {
  const official = await open()
  const { receiver, control, seeded } = official
  const written = (
    await write(official, `${USER}0001`, { type: 'image', content: { id: '7', mime_type: 'image/png' } })
  ).body.externalMessageId
  const hidden = (await write(official, `${USER}0001`, { text: 'x', hiddenAs: 'US.1' })).body.externalMessageId
  const echoed = (
    await control('POST', `/official/numbers/${seeded.phoneId}/echoes`, { to: `${USER}0001`, text: 'from the phone' })
  ).body.externalMessageId
  t.is((await control('POST', `/messages/${written}/edit`, { text: 'a caption', timestamp: 5_000 })).status, 202)
  t.is((await control('POST', `/messages/${hidden}/revoke`, {})).status, 202)
  t.is((await control('POST', `/messages/${echoed}/edit`, { text: 'better' })).status, 202)
  await until('the echo came', () => receiver.changes('smb_message_echoes').length === 2)
  await until('the others came', () => receiver.messages().length === 4)
  t.like(receiver.messages()[2], {
    from: `${USER}0001`,
    timestamp: '5',
    type: 'edit',
    edit: { original_message_id: written, message: { type: 'image', image: { id: '7', caption: 'a caption' } } },
  })
  t.like(receiver.messages()[3], { from_user_id: 'US.1', type: 'revoke', revoke: { original_message_id: hidden } })
  t.like(receiver.changes('smb_message_echoes')[1].value.message_echoes[0], {
    from: BUSINESS,
    to: `${USER}0001`,
    type: 'edit',
    edit: { original_message_id: echoed, message: { type: 'text', text: { body: 'better' } } },
  })
  await official.close()
})

test('a user who hides the number shows by id alone, is reached by it, and is named both ways once it shows itself', async (t) => {
  const official = await open()
  const { receiver, control, graph, seeded, get } = official
  const user = `${USER}0001`
  const {
    body: { userId },
  } = await control('POST', `/peers/${user}/hide`)
  t.regex(userId, /^US\.\d+$/)
  t.is((await control('POST', `/peers/${user}/hide`)).body.userId, userId)
  await write(official, user, { text: 'who am I' })
  await until('it came', () => receiver.messages().length === 1)
  t.deepEqual(receiver.changes('messages')[0].value.contacts, [{ profile: { name: 'Peer 0001' }, user_id: userId }])
  t.like(receiver.messages()[0], { from_user_id: userId })
  t.false('from' in receiver.messages()[0])
  const { status, body } = await graph('POST', `${seeded.phoneId}/messages`, {
    messaging_product: 'whatsapp',
    recipient: userId,
    type: 'text',
    text: { body: 'you' },
  })
  t.is(status, 200)
  t.deepEqual(body.contacts, [{ input: userId, user_id: userId }])
  await until('it was read', () => receiver.statusesOf(body.messages[0].id).length === 3)
  t.like(receiver.statusesOf(body.messages[0].id)[0], { recipient_user_id: userId })
  t.false('recipient_id' in receiver.statusesOf(body.messages[0].id)[0])
  t.is((await get(`/control/peers/${user}/inbox`)).messages.length, 1)
  t.is((await control('POST', `/peers/${user}/show`)).body.userId, userId)
  await write(official, user, { text: 'it is me', isUnsigned: true })
  await until('it came too', () => receiver.messages().length === 2)
  t.false('from' in receiver.messages()[1])
  t.like(receiver.changes('messages').at(-1)?.value.contacts[0], { wa_id: user, user_id: userId })
  const wrong = await graph('POST', `${seeded.phoneId}/messages`, {
    messaging_product: 'whatsapp',
    recipient: 'US.0',
    type: 'text',
    text: { body: 'x' },
  })
  t.deepEqual([wrong.status, wrong.body.error.code], [400, 100])
  t.is(
    (
      await graph('POST', `${seeded.phoneId}/messages`, {
        messaging_product: 'whatsapp',
        type: 'text',
        text: { body: 'x' },
      })
    ).body.error.code,
    131008,
  )
  await official.close()
})

// [sandbox.control.4]
test('a user may send any type, and where it comes from', async (t) => {
  const official = await open()
  const { receiver } = official
  const location = { latitude: -23.5, longitude: -46.6 }
  const referral = { source_type: 'ad', source_id: '1', ctwa_clid: 'c' }
  await write(official, `${USER}0001`, { type: 'location', location, referral })
  await write(official, `${USER}0001`, { type: 'button', content: { payload: 'yes', text: 'Yes' } })
  await until('both came', () => receiver.messages().length === 2)
  t.like(receiver.messages()[0], { type: 'location', location, referral })
  t.like(receiver.messages()[1], { type: 'button', button: { payload: 'yes', text: 'Yes' } })
  t.is((await write(official, `${USER}0001`, { type: 'image' })).status, 400)
  await official.close()
})

test('a text inside the window reaches the inbox and is reported step by step', async (t) => {
  const official = await open()
  const { receiver, get } = official
  await write(official, `${USER}0001`)
  const { status, body } = await text(official, `+${USER}0001`, { biz_opaque_callback_data: 'ref' })
  t.is(status, 200)
  t.deepEqual(body.contacts, [{ input: `+${USER}0001`, wa_id: `${USER}0001` }])
  const messageId = body.messages[0].id
  await until('it was read', () => receiver.statusesOf(messageId).length === 3)
  t.deepEqual(
    receiver.statusesOf(messageId).map((item) => item.status),
    ['sent', 'delivered', 'read'],
  )
  t.like(receiver.statusesOf(messageId)[0], { recipient_id: `${USER}0001`, biz_opaque_callback_data: 'ref' })
  t.like((await get(`/control/peers/${USER}0001/inbox`)).messages, [
    { externalMessageId: messageId, from: BUSINESS, type: 'text', text: 'hello', status: 'READ' },
  ])
  await official.close()
})

for (const [digits, statuses] of [
  ['0002', ['sent', 'delivered']],
  ['0003', ['sent']],
  ['0004', ['failed']],
  ['0007', ['sent', 'failed']],
] as const) {
  // [sandbox.peers.2] [sandbox.peers.3] [sandbox.peers.7]
  test(`a text to a user ending in ${digits} is ${statuses.join(', then ')}`, async (t) => {
    const official = await open()
    const { receiver } = official
    await write(official, USER + digits)
    const { body } = await text(official, USER + digits)
    await until('all came', () => receiver.statusesOf(body.messages[0].id).length === statuses.length)
    t.deepEqual(
      receiver.statusesOf(body.messages[0].id).map(({ status }) => status),
      [...statuses],
    )
    if (statuses.at(-1) === 'failed') t.is(receiver.statusesOf(body.messages[0].id).at(-1).errors[0].code, 131026)
    await official.close()
  })
}

test('a user ending in 0005 writes the same back', async (t) => {
  const official = await open()
  const { receiver } = official
  await write(official, `${USER}0005`)
  const { body } = await text(official, `${USER}0005`)
  const echo = await until('the echo came', () => receiver.messages()[1])
  t.like(echo, { type: 'text', text: { body: 'hello' }, context: { id: body.messages[0].id } })
  await official.close()
})

test('a closed window shows in the answer, or as a failed status where the number says so', async (t) => {
  const official = await open(new FakeClock())
  const { receiver, control, seeded, advance } = official
  const refused = await text(official, `${USER}0001`)
  t.is(refused.status, 400)
  t.is(refused.body.error.code, 131047)
  await control('PATCH', `/official/numbers/${seeded.phoneId}`, { windowErrors: 'status' })
  const { status, body } = await text(official, `${USER}0001`)
  t.is(status, 200)
  const failed = await until('the status came', () => receiver.statusesOf(body.messages[0].id)[0])
  t.like(failed, { status: 'failed', errors: [{ code: 131047 }] })
  await write(official, `${USER}0001`)
  await control('PATCH', `/official/numbers/${seeded.phoneId}`, { windowErrors: 'answer' })
  await advance(86_399_000)
  t.is((await text(official, `${USER}0001`)).status, 200)
  await advance(1_000)
  t.is((await text(official, `${USER}0001`)).body.error.code, 131047)
  await official.close()
})

test('a message that is not well formed is refused with what is wrong', async (t) => {
  const official = await open()
  await write(official, `${USER}0001`)
  const codeOf = async (body: object) =>
    (await official.graph('POST', `${official.seeded.phoneId}/messages`, body)).body.error?.code
  t.is(await codeOf({ to: `${USER}0001`, type: 'text', text: { body: 'x' } }), 100)
  t.is(await codeOf({ messaging_product: 'whatsapp', type: 'text', text: { body: 'x' } }), 131008)
  t.is(await codeOf({ messaging_product: 'whatsapp', to: `${USER}0001`, type: 'text' }), 131008)
  t.is(
    await codeOf({ messaging_product: 'whatsapp', to: `${USER}0001`, type: 'text', text: { body: 'x'.repeat(4_097) } }),
    131009,
  )
  t.is(await codeOf({ messaging_product: 'whatsapp', to: 'nobody', type: 'text', text: { body: 'x' } }), 100)
  t.is(await codeOf({ messaging_product: 'whatsapp', to: `${USER}0001`, type: 'order', order: {} }), 131051)
  await official.close()
})
