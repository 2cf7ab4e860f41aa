import test from 'ava'
import type { ProviderEvent } from '../../../src/ports/provider.ts'
import { createUnofficialDriver } from '../../../src/providers/unofficial/driver.ts'
import { oneEngine } from '../../../src/providers/unofficial/engines.ts'
import { lateClock } from '../../helpers/late-clock.ts'
import { noMetrics, silentLog } from '../../helpers/silent.ts'
import { until } from '../../helpers/until.ts'
import { startPlayground } from '../../sandbox/bridge-client.ts'
import { QUICK, specOf } from '../session-probe.ts'

const [NUMBER, ANA] = ['551130000001', '5511990000002']

test('participants whose change was made and whose answer was lost are not changed a second time', async (t) => {
  const { sandbox, get, post } = await startPlayground({ autopair: true })
  const driver = createUnofficialDriver({
    engines: oneEngine(`ws://127.0.0.1:${sandbox.port}/devices`),
    bridgeToken: null,
    clock: lateClock,
    log: silentLog,
    metrics: noMetrics,
    tuning: QUICK,
  })
  const told: ProviderEvent[] = []
  const session = driver.openSession(specOf(undefined, { number: NUMBER }), (event) => void told.push(event))
  t.teardown(async () => {
    session.close()
    await sandbox.close()
  })
  await until('the session is open', () => told.some((event) => event.type === 'state' && event.state === 'OPEN'))
  const { devices } = session
  const made = await devices?.createGroup?.({ subject: 'Team', participants: [] })
  if (!devices || !made?.ok) return t.fail('no group was made')
  const groupId = made.value.id

  await post('/control/faults', { match: { op: 'group.participants' }, times: 1, drop: 'after' })
  t.like(await devices.changeParticipants?.({ groupId, action: 'add', participants: [ANA] }), {
    ok: false,
    error: { code: 'DEVICE_NETWORK_ERROR' },
  })
  // This question goes over the next link, behind everything that the engine has to repeat.
  const now = await devices.getGroup?.({ groupId })
  t.deepEqual(now?.ok && now.value.participants.map(({ number }) => number), [NUMBER, ANA])
  t.is((await get('/control/requests?op=group.participants')).total, 1)
})
