import test from 'ava'
import { until } from '../../helpers/until.ts'
import { GATEWAY_NUMBER, startPlayground, type BridgeClient } from '../bridge-client.ts'

const [ANA, BIA] = ['5511990000001', '5511990000002']

function send(client: BridgeClient, to: string, messageId: string = 'm1') {
  return client.ask('message.send', { messageId, to, content: { type: 'text', text: 'hello' } })
}

test('a group that the number makes has it as admin, and shows in its list', async (t) => {
  const { sandbox, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const group = await client.result('group.create', { subject: 'Friends', participants: [`+${ANA}`] })
  t.regex(group.id, /^\d+@g\.us$/)
  t.deepEqual(group, {
    id: group.id,
    name: 'Friends',
    participants: [
      { number: GATEWAY_NUMBER, isAdmin: true },
      { number: ANA, isAdmin: false },
    ],
  })
  t.deepEqual(await client.result('group.list'), [{ id: group.id, name: 'Friends' }])
  t.deepEqual(await client.result('group.get', { groupId: group.id }), group)
  await sandbox.close()
})

test('participants come and go, and only registered ones come', async (t) => {
  const { sandbox, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const { id: groupId } = await client.result('group.create', { subject: 'Friends', participants: [ANA] })
  const added = await client.result('group.participants', { groupId, action: 'add', participants: [BIA] })
  t.deepEqual(
    added.participants.map(({ number }: any) => number),
    [GATEWAY_NUMBER, ANA, BIA],
  )
  const removed = await client.result('group.participants', { groupId, action: 'remove', participants: [ANA] })
  t.deepEqual(
    removed.participants.map(({ number }: any) => number),
    [GATEWAY_NUMBER, BIA],
  )
  t.is(
    await client.refusal('group.participants', { groupId, action: 'add', participants: ['5511990000004'] }),
    'NOT_REGISTERED',
  )
  t.is(await client.refusal('group.create', { subject: 'x', participants: ['5511990000004'] }), 'NOT_REGISTERED')
  t.is(await client.refusal('group.create', { subject: '', participants: [] }), 'INVALID')
  await sandbox.close()
})

test('a group without the number in it does not exist for it', async (t) => {
  const { sandbox, post, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const { body } = await post('/control/devices/551130000009/groups', { name: 'Others', participants: [ANA] })
  t.deepEqual(await client.result('group.list'), [])
  t.is(await client.refusal('group.get', { groupId: body.id }), 'NOT_FOUND')
  t.is(
    await client.refusal('group.participants', { groupId: body.id, action: 'add', participants: [BIA] }),
    'NOT_FOUND',
  )
  const answer = await send(client, body.id)
  t.is(answer.ok ? null : answer.error.code, 'NOT_FOUND')
  t.deepEqual((await sandboxInbox(ANA)).messages, [])
  await sandbox.close()

  async function sandboxInbox(peer: string): Promise<any> {
    return await (await fetch(`http://127.0.0.1:${sandbox.port}/control/peers/${peer}/inbox`)).json()
  }
})

test('a group message shows in the inbox of the group and of each participant, and nobody writes back', async (t) => {
  const { sandbox, get, post, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const { body: group } = await post(`/control/devices/${GATEWAY_NUMBER}/groups`, {
    id: '77@g.us',
    name: 'Friends',
    participants: [ANA, '5511990000005'],
  })
  t.is(group.id, '77@g.us')
  t.true((await send(client, '77@g.us')).ok)
  await until('it was read', () => client.all('message.status').length === 3)
  for (const peer of ['77@g.us', ANA, '5511990000005']) {
    t.like((await get(`/control/peers/${peer}/inbox`)).messages, [{ to: '77@g.us', text: 'hello' }])
  }
  await post(`/control/peers/${ANA}/messages`, { to: GATEWAY_NUMBER, text: 'last' })
  await client.event('message.received', ({ content }) => content.text === 'last')
  t.is(client.all('message.received').length, 1)
  await sandbox.close()
})

test('a message of a group carries its name, and lets the number answer into it', async (t) => {
  const { sandbox, post, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  await post(`/control/peers/${ANA}/messages`, {
    to: GATEWAY_NUMBER,
    text: 'one',
    group: { id: '88@g.us', name: 'New' },
  })
  t.deepEqual((await client.event('message.received')).group, { id: '88@g.us', name: 'New' })
  t.true((await send(client, '88@g.us')).ok)
  await post(`/control/peers/${ANA}/messages`, { to: GATEWAY_NUMBER, text: 'two', group: '88@g.us' })
  t.deepEqual((await client.event('message.received', ({ content }) => content.text === 'two')).group, {
    id: '88@g.us',
    name: 'New',
  })
  await sandbox.close()
})

test('channels are listed and written to by those who are in them', async (t) => {
  const { sandbox, get, post, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  t.deepEqual(await client.result('newsletter.list'), [])
  const { body: newsletter } = await post(`/control/devices/${GATEWAY_NUMBER}/newsletters`, { name: 'News' })
  t.deepEqual(await client.result('newsletter.list'), [{ id: newsletter.id, name: 'News' }])
  t.true((await send(client, newsletter.id)).ok)
  t.like(await client.event('message.status'), { status: 'SENT' })
  t.is((await get(`/control/peers/${newsletter.id}/inbox`)).messages.length, 1)
  const answer = await send(client, '99@newsletter', 'm2')
  t.is(answer.ok ? null : answer.error.code, 'NOT_FOUND')
  await post(`/control/peers/${ANA}/messages`, { to: GATEWAY_NUMBER, text: 'x', newsletter: newsletter.id })
  t.deepEqual((await client.event('message.received')).newsletter, { id: newsletter.id, name: 'News' })
  await sandbox.close()
})
