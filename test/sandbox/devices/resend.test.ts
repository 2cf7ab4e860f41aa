import test from 'ava'
import { until } from '../../helpers/until.ts'
import { BridgeClient, GATEWAY_NUMBER, startPlayground, type Playground } from '../bridge-client.ts'

const PEER = '5511990000001'

async function write({ post }: Playground, text: string): Promise<void> {
  const { status } = await post(`/control/peers/${PEER}/messages`, { to: GATEWAY_NUMBER, type: 'text', text })
  if (status !== 201) throw new Error(`the peer could not write: ${status}`)
}

function texts(client: BridgeClient): (string | undefined)[] {
  return client.all('message.received').map(({ content }) => content.text)
}

// [bridge.socket.5]
test('events of the time without a socket come after the reconnect, in order and with their numbers', async (t) => {
  const playground = await startPlayground()
  const { sandbox, post, link } = playground
  const { client, credentials, numberId } = await link(GATEWAY_NUMBER)
  client.ack(client.events.at(-1)?.seq ?? 0)
  await write(playground, 'one')
  const first = await client.event('message.received')
  t.is((await post(`/control/devices/${GATEWAY_NUMBER}/drop`)).status, 200)
  t.is(await client.closed(), 1006)
  await write(playground, 'two')
  const again = await BridgeClient.open(sandbox.port, numberId)
  await write(playground, 'three')
  await again.start(credentials)
  await again.event('session.state')
  t.deepEqual(texts(again), ['one', 'two', 'three'])
  t.deepEqual(
    again.events.map(({ seq }) => seq - first.seq),
    [0, 1, 2, 3],
  )
  await sandbox.close()
})

// [bridge.socket.5]
test('acknowledged events are not sent again', async (t) => {
  const playground = await startPlayground()
  const { sandbox, get, post, link } = playground
  const { client, credentials, numberId } = await link(GATEWAY_NUMBER)
  await write(playground, 'one')
  await write(playground, 'two')
  await until('both came', () => texts(client).length === 2)
  client.ack(client.all('message.received')[0]?.seq ?? 0)
  await until(
    'the acknowledgement arrived',
    async () => (await get(`/control/devices/${GATEWAY_NUMBER}`)).unacknowledgedEvents === 1,
  )
  await post(`/control/devices/${GATEWAY_NUMBER}/drop`)
  const again = await BridgeClient.open(sandbox.port, numberId)
  await again.start(credentials)
  await again.event('session.state')
  t.deepEqual(texts(again), ['two'])
  await sandbox.close()
})

// [sandbox.control.2]
test('a scan while the socket is down reaches the gateway when it comes back without credentials', async (t) => {
  const { sandbox, post } = await startPlayground()
  const client = await BridgeClient.open(sandbox.port, 'num_1')
  await client.start()
  await client.event('session.qr')
  await post(`/control/devices/${GATEWAY_NUMBER}/drop`)
  await client.closed()
  t.is((await post(`/control/devices/${GATEWAY_NUMBER}/scan`)).status, 200)
  const again = await BridgeClient.open(sandbox.port, 'num_1')
  await again.start()
  await again.event('session.state', ({ state }) => state === 'OPEN')
  t.is(again.all('session.credentials').length, 1)
  await sandbox.close()
})

// [sandbox.control.2]
test('a drop is refused when no gateway is connected', async (t) => {
  const { sandbox, post } = await startPlayground()
  t.is((await post(`/control/devices/${GATEWAY_NUMBER}/drop`)).status, 409)
  await sandbox.close()
})
