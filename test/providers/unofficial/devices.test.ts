import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { DeviceDirectory } from '../../../src/ports/devices.ts'
import { until } from '../../helpers/until.ts'
import { probe } from '../session-probe.ts'

async function opened(t: ExecutionContext, result?: unknown) {
  const parts = await probe(t)
  parts.engine.onRequest = ({ op }) => (op === 'session.start' || result === undefined ? undefined : { result })
  const { devices } = parts.session
  if (!devices) throw new Error('the session has no devices')
  return { ...parts, devices }
}

const GROUP = {
  id: '1@g.us',
  name: 'Team',
  participants: [
    { number: '5511900000001', isAdmin: true },
    { number: '5511900000002', isAdmin: false },
  ],
}
const LIST = [
  { id: '1@g.us', name: 'Team' },
  { id: '2@g.us', name: '' },
]

const OPS: readonly (readonly [
  op: string,
  ask: (devices: DeviceDirectory) => Promise<unknown>,
  fields: object,
  result: unknown,
])[] = [
  [
    'number.check',
    (devices) => devices.checkNumbers({ numbers: ['5511900000001', '2'] }),
    { numbers: ['5511900000001', '2'] },
    [
      { input: '5511900000001', exists: true, number: '5511900000001', name: 'Ann' },
      { input: '2', exists: false, number: null, name: null },
    ],
  ],
  ['group.list', (devices) => devices.listGroups({}), {}, LIST],
  [
    'group.create',
    (devices) => devices.createGroup({ subject: 'Team', participants: ['5511900000001'] }),
    { subject: 'Team', participants: ['5511900000001'] },
    GROUP,
  ],
  ['group.get', (devices) => devices.getGroup({ groupId: '1@g.us' }), { groupId: '1@g.us' }, GROUP],
  [
    'group.participants',
    (devices) => devices.changeParticipants({ groupId: '1@g.us', action: 'remove', participants: ['5511900000001'] }),
    { groupId: '1@g.us', action: 'remove', participants: ['5511900000001'] },
    GROUP,
  ],
  ['newsletter.list', (devices) => devices.listNewsletters({}), {}, [{ id: '9@newsletter', name: 'News' }]],
]
for (const [op, ask, fields, result] of OPS) {
  test(`${op} carries its fields and answers the engine's result`, async (t) => {
    const { devices, number } = await opened(t, result)
    t.deepEqual(await ask(devices), { ok: true, value: result })
    const [{ id: _id, ...request } = {}] = number.opsOf(op)
    t.deepEqual(request, { op, ...fields })
  })

  test(`${op} without a result is an error of the network`, async (t) => {
    const { devices } = await opened(t, 'nothing')
    t.like(await ask(devices), { ok: false, error: { code: 'DEVICE_NETWORK_ERROR' } })
  })

  test(`${op} is refused by the table`, async (t) => {
    const { devices, engine } = await opened(t)
    for (const [code, ours] of [
      ['NOT_CONNECTED', 'CHANNEL_INSTANCE_NOT_CONNECTED'],
      ['NOT_FOUND', 'NOT_FOUND'],
      ['NOT_REGISTERED', 'VALIDATION'],
      ['INVALID', 'VALIDATION'],
      ['RATE_LIMITED', 'DEVICE_NETWORK_ERROR'],
      ['FAILED', 'DEVICE_NETWORK_ERROR'],
    ] as const) {
      engine.onRequest = ({ op: asked }) => (asked === 'session.start' ? undefined : { error: { code } })
      t.like(await ask(devices), { ok: false, error: { code: ours } }, code)
    }
  })
}

test('numbers come as digits and what is missing as null, whatever form the engine writes', async (t) => {
  const checked = await opened(t, [{ input: '+55 11 90000-0001', exists: true, number: '+55 11 90000-0001', extra: 1 }])
  t.deepEqual(await checked.devices.checkNumbers({ numbers: ['+55 11 90000-0001'] }), {
    ok: true,
    value: [{ input: '+55 11 90000-0001', exists: true, number: '5511900000001', name: null }],
  })
  const group = await opened(t, { id: '1@g.us', participants: [{ number: '+5511900000001' }] })
  t.deepEqual(await group.devices.getGroup({ groupId: '1@g.us' }), {
    ok: true,
    value: { id: '1@g.us', name: '', participants: [{ number: '5511900000001', isAdmin: false }] },
  })
})

test('a group whose link broke is not made twice', async (t) => {
  const { devices, engine, number } = await opened(t)
  engine.onRequest = ({ op }) => (op === 'group.create' ? 'drop' : undefined)
  t.like(await devices.createGroup({ subject: 'Team', participants: [] }), {
    ok: false,
    error: { code: 'DEVICE_NETWORK_ERROR' },
  })
  await until('it reconnected', () => number.opsOf('session.start').length === 2)
  t.is(number.opsOf('group.create').length, 1)
})
