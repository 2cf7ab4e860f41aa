import test from 'ava'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { until } from '../../../helpers/until.ts'
import { BUSINESS, startOfficial, USER, type OfficialPlayground } from '../official-playground.ts'

const PEER = `${USER}0001`

async function open(seed: object = {}, clock?: FakeClock): Promise<OfficialPlayground> {
  const official = await startOfficial(seed, clock ? { clock } : {})
  await official.subscribe()
  await official.control('POST', `/peers/${PEER}/messages`, { to: BUSINESS, text: 'hi' })
  return official
}

function send({ graph, seeded }: OfficialPlayground, type: string = 'text', content: object = { body: 'hello' }) {
  return graph('POST', `${seeded.phoneId}/messages`, { messaging_product: 'whatsapp', to: PEER, type, [type]: content })
}

test('statuses come in reverse and more than once where a number says so', async (t) => {
  const official = await open({}, new FakeClock())
  const { control, receiver } = official
  await control('POST', `/official/numbers/${BUSINESS}/statuses`, { order: 'reversed', duplicate: 1 })
  const { body } = await send(official)
  await official.advance(1_000)
  const { id } = body.messages[0]
  await until('all came', () => receiver.statusesOf(id).length === 6)
  t.deepEqual(
    receiver.statusesOf(id).map(({ status }) => status),
    ['read', 'read', 'delivered', 'delivered', 'sent', 'sent'],
  )
  await official.close()
})

test('statuses of several messages come in one change, without or with the profile of the user', async (t) => {
  const official = await open()
  const { control, receiver } = official
  await control('POST', '/official/statuses', { batch: true, contact: 'profile' })
  await Promise.all([send(official), send(official)])
  const { value } = await until('they came', () => receiver.changes('messages').find((change) => change.value.statuses))
  t.true(value.statuses.length > 1)
  t.deepEqual(value.contacts, [{ wa_id: PEER, profile: { name: 'Peer 0001' } }])
  await control('POST', '/official/statuses', { contact: 'none' })
  const { body } = await send(official)
  const last = await until('it came', () =>
    receiver.changes('messages').find((change) => change.value.statuses?.[0].id === body.messages[0].id),
  )
  t.false('contacts' in last.value)
  t.is((await control('POST', '/official/numbers/999/statuses', {})).status, 404)
  await official.close()
})

test('a number with a throughput refuses what is over it, and the pair what is over its burst', async (t) => {
  const official = await open({ throughput: { perSecond: 3, pairBurst: 4 } }, new FakeClock())
  const codes = async (count: number) => {
    const answers = []
    for (let number = 0; number < count; number++) answers.push((await send(official)).body.error?.code ?? null)
    return answers
  }
  t.deepEqual(await codes(4), [null, null, null, 130429])
  await official.advance(1_000)
  t.deepEqual(await codes(2), [null, 131056])
  await official.advance(6_000)
  t.deepEqual(await codes(2), [null, 131056])
  await official.control('PATCH', `/official/numbers/${official.seeded.phoneId}`, { throughput: null })
  t.deepEqual(await codes(5), [null, null, null, null, null])
  await official.close()
})

test('a reaction needs a message between the two that is young enough and no reaction', async (t) => {
  const official = await open({}, new FakeClock())
  const { body: first } = await send(official)
  const react = async (message_id: string) => (await send(official, 'reaction', { message_id, emoji: '👍' })).body
  const reaction = await react(first.messages[0].id)
  t.truthy(reaction.messages)
  t.is((await react(reaction.messages[0].id)).error.code, 131009)
  t.is((await react('wamid.unknown')).error.code, 131009)
  await official.advance(30 * 86_400_000)
  const { body: written } = await official.control('POST', `/peers/${PEER}/messages`, { to: BUSINESS, text: 'again' })
  t.truthy((await react(written.externalMessageId)).messages)
  t.is((await react(first.messages[0].id)).error.code, 131009)
  await official.close()
})

test('a fault may take effect first, so that a failed send was delivered', async (t) => {
  const official = await open()
  await official.control('POST', '/faults', {
    match: { method: 'POST', path: `/official/v24.0/${official.seeded.phoneId}/messages` },
    after: true,
    status: 500,
  })
  t.is((await send(official)).status, 500)
  await until(
    'it was delivered',
    async () => (await official.get(`/control/peers/${PEER}/inbox`)).messages.length === 1,
  )
  await official.control('POST', '/faults', { match: { path: '/official' }, error: '80007' })
  t.is((await send(official)).body.error.code, 80007)
  await official.close()
})

test('a message that the business writes on its own phone is echoed', async (t) => {
  const official = await open()
  const { control, receiver, seeded } = official
  const { status, body } = await control('POST', `/official/numbers/${seeded.phoneId}/echoes`, {
    to: PEER,
    text: 'from the phone',
  })
  t.is(status, 201)
  const { value } = await until('it came', () => receiver.changes('smb_message_echoes')[0])
  t.like(value.message_echoes[0], {
    from: BUSINESS,
    to: PEER,
    id: body.externalMessageId,
    type: 'text',
    text: { body: 'from the phone' },
  })
  await official.close()
})

test('a user may hide the number, forward, and send what upstream cannot take over', async (t) => {
  const official = await open()
  const { control, receiver } = official
  await control('POST', `/peers/${PEER}/messages`, {
    to: BUSINESS,
    text: 'x',
    hiddenAs: 'BR.1',
    fromName: null,
    context: { forwarded: true },
    timestamp: 1_700_000_000_000,
  })
  const { value } = await until('it came', () =>
    receiver.changes('messages').find((change) => change.value.messages?.[0].from_user_id),
  )
  t.deepEqual(value.contacts, [{ user_id: 'BR.1' }])
  t.like(value.messages[0], { from_user_id: 'BR.1', context: { forwarded: true }, timestamp: '1700000000' })
  t.false('from' in value.messages[0])
  await control('POST', `/peers/${PEER}/messages`, { to: BUSINESS, type: 'unsupported', errors: [{ code: 131051 }] })
  const unsupported = await until('it came', () => receiver.messages().find(({ type }) => type === 'unsupported'))
  t.deepEqual(unsupported.errors, [{ code: 131051 }])
  await official.close()
})

test('a read mark takes a typing indicator along, and only for a message to that number', async (t) => {
  const official = await open()
  const { control, graph, seeded } = official
  const { body } = await control('POST', `/peers/${PEER}/messages`, { to: BUSINESS, text: 'x' })
  const mark = {
    messaging_product: 'whatsapp',
    status: 'read',
    message_id: body.externalMessageId,
    typing_indicator: { type: 'text' },
  }
  t.deepEqual((await graph('POST', `${seeded.phoneId}/messages`, mark)).body, { success: true })
  const { body: other } = await control('POST', '/official/numbers', { number: '551140000099' })
  t.is((await graph('POST', `${other.phoneId}/messages`, mark, other.accessToken)).body.error.code, 100)
  await official.close()
})
