import test from 'ava'
import type { ExecutionContext } from 'ava'
import { DEVICE_OP_NAMES, DEVICE_OPS } from '../../../src/domain/device-ops.ts'
import type { DeviceOpRow } from '../../../src/domain/device-ops.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import type { DeviceDirectory } from '../../../src/ports/devices.ts'
import { until } from '../../helpers/until.ts'
import { probe } from '../session-probe.ts'

async function opened(t: ExecutionContext, result?: unknown) {
  const parts = await probe(t)
  parts.engine.onRequest = ({ op }) => (op === 'session.start' || result === undefined ? undefined : { result })
  const { devices } = parts.session
  if (!devices) throw new Error('the session has no devices')
  // A device has every op.
  return { ...parts, devices: devices as DeviceDirectory }
}

for (const op of DEVICE_OP_NAMES) {
  const { word, repeat, example }: DeviceOpRow = DEVICE_OPS[op]
  const ask = (devices: DeviceDirectory): Promise<Outcome<unknown>> => devices[op](example.question as never)

  // [bridge.ops.6] [bridge.ops.7] [bridge.ops.8]
  test(`${op} carries its fields and answers the engine's result`, async (t) => {
    const { devices, number } = await opened(t, example.answer)
    t.deepEqual(await ask(devices), { ok: true, value: example.answer })
    const [{ id: _id, ...request } = {}] = number.opsOf(word)
    t.deepEqual(request, { op: word, ...(example.question as object) })
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

  test(`${op} is asked ${repeat} where the link broke before it was answered`, async (t) => {
    const { devices, engine, number } = await opened(t)
    engine.onRequest = ({ op: asked }) => {
      if (asked !== word) return undefined
      return number.opsOf(word).length === 1 ? 'drop' : { result: example.answer }
    }
    const outcome = await ask(devices)
    await until('it reconnected', () => number.opsOf('session.start').length === 2)
    if (repeat === 'again') t.deepEqual(outcome, { ok: true, value: example.answer })
    else t.like(outcome, { ok: false, error: { code: 'DEVICE_NETWORK_ERROR' } })
    t.is(number.opsOf(word).length, repeat === 'again' ? 2 : 1)
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
