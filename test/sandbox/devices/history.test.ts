import test from 'ava'
import { BridgeClient, GATEWAY_NUMBER, startPlayground, type Playground } from '../bridge-client.ts'

const PEER = '5511990000001'
const SETTINGS = {
  rejectCall: null,
  msgRejectCall: null,
  alwaysOnline: null,
  readMessages: null,
  ignoreGroups: null,
  ignoreStatus: null,
}

async function pair({ sandbox, post }: Playground, historyImport: boolean): Promise<BridgeClient> {
  const client = await BridgeClient.open(sandbox.port, 'num_h')
  await client.ask('session.start', { number: GATEWAY_NUMBER, credentials: null, settings: SETTINGS, historyImport })
  await client.event('session.qr')
  await post(`/control/devices/${GATEWAY_NUMBER}/scan`)
  await client.event('session.state', ({ state }) => state === 'OPEN')
  return client
}

function seed({ post }: Playground, ...texts: string[]) {
  return post(`/control/devices/${GATEWAY_NUMBER}/history`, {
    messages: texts.map((text, index) => ({ from: PEER, text, timestamp: 1_000 + index })),
  })
}

test('a number that imports history gets its past when it is paired, and only then', async (t) => {
  const playground = await startPlayground()
  t.deepEqual((await seed(playground, 'one', 'two')).body, { delivered: 0 })
  const client = await pair(playground, true)
  await client.event('message.received', ({ content }) => content.text === 'two')
  t.deepEqual(
    client.all('message.received').map(({ content, historical, timestamp }) => [content.text, historical, timestamp]),
    [
      ['one', true, 1_000],
      ['two', true, 1_001],
    ],
  )
  t.deepEqual((await seed(playground, 'three')).body, { delivered: 1 })
  t.true((await client.event('message.received', ({ content }) => content.text === 'three')).historical)
  await playground.sandbox.close()
})

test('a number that imports no history gets none', async (t) => {
  const playground = await startPlayground()
  await seed(playground, 'one')
  const client = await pair(playground, false)
  t.deepEqual((await seed(playground, 'two')).body, { delivered: 0 })
  await playground.post(`/control/peers/${PEER}/messages`, { to: GATEWAY_NUMBER, text: 'now' })
  await client.event('message.received')
  t.deepEqual(
    client.all('message.received').map(({ content }) => content.text),
    ['now'],
  )
  await playground.sandbox.close()
})

test('a story comes unless the settings ignore stories', async (t) => {
  const { sandbox, post, get, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const story = (text: string) => post(`/control/peers/${PEER}/messages`, { to: GATEWAY_NUMBER, text, story: true })
  t.true((await story('one')).body.isDelivered)
  t.is((await client.event('message.received')).story, true)
  await client.result('settings.set', { settings: { ...SETTINGS, ignoreStatus: true } })
  t.false((await story('two')).body.isDelivered)
  await post(`/control/peers/${PEER}/messages`, { to: GATEWAY_NUMBER, text: 'three' })
  await client.event('message.received', ({ content }) => content.text === 'three')
  t.is(client.all('message.received').length, 2)
  t.deepEqual(
    (await get(`/control/peers/${PEER}/outbox`)).messages.map(({ isDelivered }: any) => isDelivered),
    [true, false, true],
  )
  await sandbox.close()
})
