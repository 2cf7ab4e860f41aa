import test from 'ava'
import { until } from '../../helpers/until.ts'
import { GATEWAY_NUMBER, startPlayground } from '../bridge-client.ts'

const PEER = '5511990000001'

// [sandbox.control.16]
test('a peer that writes is told to a device that is online, without a number and once', async (t) => {
  const { sandbox, post, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const types = (body: object) => post(`/control/peers/${PEER}/typing`, { to: GATEWAY_NUMBER, ...body })
  t.deepEqual(await types({ state: 'typing' }), { status: 202, body: { isSent: false } }, 'nobody is online')
  await client.result('settings.set', { settings: { alwaysOnline: true } })
  t.deepEqual((await types({ state: 'recording', group: '77@g.us' })).body, { isSent: true })
  t.deepEqual((await types({ state: 'paused' })).body, { isSent: true })
  const heard = () => client.events.filter(({ ev }) => String(ev) === 'peer.typing') as unknown[]
  await until('both came', () => heard().length === 2)
  t.deepEqual(heard(), [
    { ev: 'peer.typing', peer: PEER, group: '77@g.us', state: 'recording' },
    { ev: 'peer.typing', peer: PEER, state: 'paused' },
  ])
  t.is((await types({ state: 'asleep' })).status, 400)
  t.is((await types({ state: 'typing', to: '551130009999' })).status, 409)
  await sandbox.close()
})
