import test from 'ava'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { until } from '../../helpers/until.ts'
import { BridgeClient, GATEWAY_NUMBER, startPlayground } from '../bridge-client.ts'
import type { Playground } from '../bridge-client.ts'

const AT = `/control/devices/${GATEWAY_NUMBER}`

function states(client: BridgeClient): string[] {
  return client.all('session.state').map(({ state, reason }) => (reason ? `${state} ${reason}` : state))
}

/** A gateway's session that shows a code. */
async function showing(
  clock = new FakeClock(),
): Promise<Playground & { client: BridgeClient; clock: FakeClock; heard: (count: number) => Promise<string[]> }> {
  const playground = await startPlayground({ clock })
  const client = await BridgeClient.open(playground.sandbox.port, 'num_1')
  await client.start()
  await client.event('session.qr')
  const heard = async (count: number) => {
    await until(`${count} states were heard`, () => states(client).length >= count)
    return states(client)
  }
  return { ...playground, client, clock, heard }
}

// [sandbox.control.1]
test('a scan that is held withdraws the code now and links the phone when its time is over', async (t) => {
  const { sandbox, post, clock, heard } = await showing()
  t.like((await post(`${AT}/scan`, { holdMs: 5_000 })).body, { state: 'CONNECTING', qr: null, pairingCode: null })
  clock.advance(4_999)
  t.deepEqual(await heard(1), ['CONNECTING'])
  clock.advance(1)
  t.deepEqual(await heard(2), ['CONNECTING', 'OPEN'])
  await sandbox.close()
})

test('a second scan ends what the first waits for', async (t) => {
  const { sandbox, post, client, clock, heard } = await showing()
  await post(`${AT}/scan`, { holdMs: 60_000 })
  t.is((await post(`${AT}/scan`)).body.state, 'OPEN')
  t.deepEqual(await heard(2), ['CONNECTING', 'OPEN'])
  clock.advance(60_000)
  await client.ask('settings.set', { settings: {} })
  t.is(client.all('session.credentials').length, 1)
  t.is((await post(`${AT}/scan`)).status, 409)
  await sandbox.close()
})

test('a passkey is waited for until the phone scans again', async (t) => {
  const { sandbox, post, client, clock, heard } = await showing()
  t.is((await post(`${AT}/scan`, { passkey: true })).body.state, 'CONNECTING')
  clock.advance(3_600_000)
  t.deepEqual(await heard(2), ['CONNECTING', 'CONNECTING passkey_required'])
  t.deepEqual(client.all('session.credentials'), [])
  await post(`${AT}/scan`)
  t.deepEqual((await heard(4)).slice(2), ['CONNECTING', 'OPEN'])
  await sandbox.close()
})

test('a passkey is given by itself after the time that the scan is held', async (t) => {
  const { sandbox, post, clock, heard } = await showing()
  await post(`${AT}/scan`, { passkey: true, holdMs: 2_000 })
  await heard(2)
  clock.advance(2_000)
  t.deepEqual((await heard(4)).slice(2), ['CONNECTING', 'OPEN'])
  await sandbox.close()
})

test('a phone with another number gives credentials that are no good, and the session closes', async (t) => {
  const { sandbox, post, client, heard } = await showing()
  t.is((await post(`${AT}/scan`, { as: '+55 11 3000-0001' })).body.state, 'CLOSE')
  t.deepEqual(await heard(2), ['CONNECTING', 'CLOSE wrong_number'])
  const { credentials } = await client.event('session.credentials')
  await client.start(credentials)
  t.is((await heard(3))[2], 'CLOSE logged_out')
  await sandbox.close()
})

test('a phone that names its own number is linked as any other', async (t) => {
  const { sandbox, post } = await showing()
  t.is((await post(`${AT}/scan`, { as: GATEWAY_NUMBER })).body.state, 'OPEN')
  await sandbox.close()
})

test('an impossible scan is refused', async (t) => {
  const { sandbox, post } = await showing()
  for (const body of [{ holdMs: -1 }, { holdMs: 600_001 }, { passkey: 'yes' }, { as: 'x' }])
    t.is((await post(`${AT}/scan`, body)).status, 400, JSON.stringify(body))
  await sandbox.close()
})

test('a session that starts anew while a phone is held shows codes again', async (t) => {
  const { sandbox, post, client, clock, heard } = await showing()
  await post(`${AT}/scan`, { holdMs: 5_000 })
  await client.start()
  await until('a code is shown', () => client.all('session.qr').length === 2)
  clock.advance(5_000)
  await client.ask('settings.set', { settings: {} })
  t.deepEqual(await heard(1), ['CONNECTING'])
  await sandbox.close()
})

test('codes can be ended now, and only while one is shown', async (t) => {
  const { sandbox, post, heard } = await showing()
  t.is((await post(`${AT}/expire`)).body.state, 'CLOSE')
  t.deepEqual(await heard(1), ['CLOSE qr_expired'])
  for (const act of ['expire', 'scan'])
    t.like(await post(`${AT}/${act}`), { status: 409, body: { code: 'NO_CODE_SHOWN' } })
  await sandbox.close()
})

test('a number is banned while it pairs, and while it is linked, and comes back with its credentials', async (t) => {
  const { sandbox, post, client, heard } = await showing()
  t.is((await post(`${AT}/ban`)).body.state, 'CLOSE')
  t.deepEqual(await heard(1), ['CLOSE banned'])
  t.is((await post(`${AT}/ban`)).status, 409)
  await client.start()
  await until('a code is shown', () => client.all('session.qr').length === 2)
  await post(`${AT}/scan`)
  const { credentials } = await client.event('session.credentials')
  await post(`${AT}/ban`)
  t.deepEqual((await heard(4)).slice(1), ['CONNECTING', 'OPEN', 'CLOSE banned'])
  await client.start(credentials)
  t.is((await heard(5))[4], 'OPEN')
  await sandbox.close()
})
