import test from 'ava'
import type { ExecutionContext } from 'ava'
import { newId } from '../../../src/domain/ids.ts'
import { ControlClient, MediaHostRig } from '../../helpers/media-host-rig.ts'
import { until } from '../../helpers/until.ts'

async function startRig(t: ExecutionContext): Promise<MediaHostRig> {
  const rig = await MediaHostRig.start()
  t.teardown(() => rig.stop())
  return rig
}

test.serial('events are numbered and sent again until they are acknowledged', async (t) => {
  const rig = await startRig(t)
  const node = newId('node')
  const first = await rig.node(node)
  const callId = await rig.call('ACCEPTED', first)
  rig.leg.events.flowing()
  await until('the event is there', () => first.events.length === 1)
  t.deepEqual(first.events, [{ n: 1, ev: { type: 'flowing', callId } }])
  first.socket.terminate()
  await until('the link is gone', () => first.closedCode !== null)
  const client = await rig.client(callId)
  client.send({ type: 'hangup' })
  await rig.settled(client)
  const second = await rig.node(node, [callId])
  await until('all are there', () => second.events.length === 3)
  t.deepEqual(
    second.events.map(({ n, ev }) => [n, ev.type]),
    [
      [1, 'flowing'],
      [2, 'session'],
      [3, 'hangup'],
    ],
  )
  second.socket.send(JSON.stringify({ ack: 2 }))
  await second.do('mint', { callId, mode: 'talk' })
  await second.close()
  const third = await rig.node(node, [callId])
  await until('the rest is there', () => third.events.length === 1)
  t.deepEqual(
    third.events.map(({ n }) => n),
    [3],
  )
})

test.serial('events wait for sync: none comes before its answer', async (t) => {
  const rig = await startRig(t)
  const node = newId('node')
  const first = await rig.node(node)
  const callId = await rig.call('ACCEPTED', first)
  await first.close()
  rig.leg.events.flowing()
  const second = await ControlClient.connect(rig.host.controlPort, node)
  await second.do('mint', { callId, mode: 'talk' })
  t.is(second.events.length, 0)
  await second.do('sync', { calls: [callId] })
  await until('the event is there', () => second.events.length === 1)
  t.pass()
})

test.serial('a lost leg is told once, unless the call is closed meanwhile', async (t) => {
  const rig = await startRig(t)
  const callId = await rig.call()
  rig.leg.events.lost('failed')
  rig.clock.advance(1_500)
  await until('the loss is told', () => rig.control.of('lost').length === 1)
  t.deepEqual(rig.control.of('lost'), [{ type: 'lost', callId, reason: 'failed' }])
  const hungUp = await rig.call()
  rig.leg.events.lost('closed')
  await rig.control.do('close', { callId: hungUp, status: 'COMPLETED' })
  rig.clock.advance(5_000)
  await rig.control.ask('mint', { callId, mode: 'talk' })
  t.is(rig.control.of('lost').length, 1)
})
