import test from 'ava'
import { RedisAsks } from '../../../src/cluster/asks-redis.ts'
import { DEVICE_OP_NAMES, DEVICE_OPS } from '../../../src/domain/device-ops.ts'
import { succeed } from '../../../src/domain/errors.ts'
import type { Asked } from '../../../src/ports/asks.ts'
import type { NumberId } from '../../../src/domain/ids.ts'
import { newId } from '../../../src/domain/ids.ts'
import { silentLog } from '../../helpers/silent.ts'
import { systemClock } from '../../../src/process/clock.ts'
import { createRig, pass, settled } from '../rig.ts'
import type { Rig } from '../rig.ts'
import { twoNodes, besideNamed, besideFrozen, ScriptedAsks } from './two-nodes.ts'

// [nodes.asks.1]
test('a command for a number of another node is done there, and answered here', async (t) => {
  const { owner, other, numberId } = await twoNodes()
  const placed = await other.directory.askNumber(numberId, 'PlaceCall', {
    to: '5511999990001',
    bizOpaqueCallbackData: null,
    sdp: null,
  })
  t.like(placed, { ok: true, value: { status: 'INITIATED' } })
  t.deepEqual([owner.driver.sessions.length, other.driver.sessions.length], [1, 0])
  t.deepEqual([owner.directory.stats().calls, other.directory.stats().calls], [1, 0])
  const callId = placed.ok ? placed.value.id : newId('call')
  t.deepEqual(
    await other.directory.askCall(numberId, callId, 'Terminate', {}),
    succeed({ id: callId, status: 'MISSED' }),
  )
})

test('an owner refuses a command under a token that is not its own, and does it under the one that is', async (t) => {
  const { rows, owner, other, numberId } = await twoNodes()
  const token = rows.leases.get(numberId)?.token ?? 0
  rows.leases.set(numberId, { owner: owner.nodeId, token: token + 1 })
  const asked = other.directory.askNumber(numberId, 'PlaceCall', {
    to: '5511999990001',
    bizOpaqueCallbackData: null,
    sdp: null,
  })
  await pass(other, 1_000, 100)
  t.is(owner.directory.stats().calls, 0)
  rows.leases.set(numberId, { owner: owner.nodeId, token })
  await pass(other, 1_000, 100)
  t.like(await asked, { ok: true })
  t.is(owner.directory.stats().calls, 1)
})

// [nodes.asks.5]
test('a node that is gone is not waited for: its number is taken once its lease is over', async (t) => {
  const { rig, asks, numberId } = besideNamed({ kind: 'absent' })
  const asked = rig.directory.askNumber(numberId, 'CurrentCode', {})
  await pass(rig, 2_000, 100)
  rig.rows.leases.set(numberId, { owner: 'node_other', token: -7 })
  await pass(rig, 1_000, 100)
  t.like(await asked, { ok: true })
  t.true(asks.asked.length > 1)
  t.is(rig.rows.leases.get(numberId)?.token, 8)
})

// [nodes.asks.5]
test('a number that just moved is asked of its next owner', async (t) => {
  const { rig, asks, numberId } = besideNamed({ kind: 'elsewhere' }, { kind: 'answered', outcome: succeed(null) })
  const asked = rig.directory.askNumber(numberId, 'Logout', {})
  rig.rows.leases.set(numberId, { owner: 'node_next', token: 8 })
  await pass(rig, 1_000, 100)
  t.deepEqual(await asked, succeed(null))
  t.deepEqual(asks.asked.map(({ nodeId, ask }) => [nodeId, ask.fence.token]).at(-1), ['node_next', 8])
})

// [nodes.asks.6]
test('a number with no owner that hears is NOT_OWNER after 10 s, and after 1 s where nodes cannot hear each other', async (t) => {
  for (const [kind, afterMs] of [
    ['absent', 10_000],
    ['elsewhere', 10_000],
    ['away', 1_000],
  ] as const) {
    const { rig, numberId } = besideNamed({ kind })
    let answered = false
    const asked = rig.directory.askNumber(numberId, 'CurrentCode', {}).finally(() => {
      answered = true
    })
    await pass(rig, afterMs - 500, 50)
    t.false(answered, kind)
    await pass(rig, 500, 50)
    t.like(await asked, { ok: false, error: { code: 'NOT_OWNER', retryAfterSeconds: 1 } }, kind)
  }
})

test('a command that may have run and whose answer is lost ends as TIMEOUT and is not repeated; a read is repeated', async (t) => {
  const once = besideNamed({ kind: 'lost' })
  t.like(
    await once.rig.directory.askNumber(once.numberId, 'PlaceCall', { to: '1', bizOpaqueCallbackData: null, sdp: null }),
    { ok: false, error: { code: 'TIMEOUT' } },
  )
  t.is(once.asks.asked.length, 1)
  const look = besideNamed({ kind: 'lost' }, { kind: 'answered', outcome: succeed([]) })
  const asked = look.rig.directory.askDevice(look.numberId, 'listGroups', {})
  await pass(look.rig, 1_000, 50)
  t.deepEqual(await asked, succeed([]))
})

for (const op of DEVICE_OP_NAMES) {
  const { repeat, example } = DEVICE_OPS[op]
  test(`${op} is asked ${repeat} where the answer of another node is lost`, async (t) => {
    const { rig, asks, numberId } = besideNamed(
      { kind: 'lost' },
      { kind: 'answered', outcome: succeed(example.answer) },
    )
    const asked = rig.directory.askDevice(numberId, op, example.question)
    await pass(rig, 1_000, 50)
    if (repeat === 'again') t.deepEqual(await asked, succeed(example.answer))
    else t.like(await asked, { ok: false, error: { code: 'TIMEOUT' } })
    t.is(asks.asked.length, repeat === 'again' ? 2 : 1)
  })
}

test('a read is repeated at the next owner once the lease of an owner that does not answer has ended', async (t) => {
  const { rig, numberId, asked } = besideFrozen()
  const answer = rig.directory.askDevice(numberId, 'listGroups', {})
  await settled()
  await pass(rig, 5_000)
  rig.rows.leases.set(numberId, { owner: 'node_next', token: 8 })
  await pass(rig, 4_000, 50)
  t.deepEqual(await answer, succeed([]))
  t.deepEqual(asked, ['node_other', 'node_next'])
})

// [nodes.asks.5]
test('the next owner gets the rest of the 10 s, plus the time that the route itself waits', async (t) => {
  const asks = [
    [(rig: Rig, numberId: NumberId) => rig.directory.askDevice(numberId, 'listGroups', {}), 0],
    [(rig: Rig, numberId: NumberId) => rig.directory.askNumber(numberId, 'Pair', { waitMs: 7_000 }), 7_000],
  ] as const
  for (const [ask, waitMs] of asks) {
    const { rig, numberId, withinMs } = besideFrozen()
    const answer = ask(rig, numberId)
    await settled()
    await pass(rig, 5_000)
    rig.rows.leases.set(numberId, { owner: 'node_next', token: 8 })
    await pass(rig, 4_000, 50)
    await answer
    const [first, next = 0] = withinMs
    t.is(first, 20_000 + waitMs)
    t.true(next > waitMs + 1_000 && next <= waitMs + 5_000, `${next} ms left`)
  }
})

test('a command that may not run twice ends as soon as the lease of an owner that does not answer has ended', async (t) => {
  const { rig, numberId, asked } = besideFrozen()
  const answer = rig.directory.askDevice(numberId, 'createGroup', { subject: 'a', participants: [] })
  await settled()
  await pass(rig, 5_000)
  rig.rows.leases.set(numberId, { owner: 'node_other', token: -7 })
  await pass(rig, 4_000)
  t.like(await answer, { ok: false, error: { code: 'TIMEOUT' } })
  t.deepEqual(asked, ['node_other'])
})

test('a caller that can use a late answer is told at once too, and gets the answer when the owner runs again', async (t) => {
  const { rig, numberId, thaw } = besideFrozen()
  let late = 0
  const answer = rig.directory.patiently(
    () => rig.directory.askDevice(numberId, 'createGroup', { subject: 'a', participants: [] }),
    () => {
      late++
    },
  )
  await settled()
  await pass(rig, 5_000)
  t.is(late, 0)
  rig.rows.leases.set(numberId, { owner: 'node_next', token: 8 })
  await pass(rig, 4_000)
  t.true(late > 0)
  thaw({ kind: 'answered', outcome: succeed({ id: '1@g.us', name: 'a', participants: [] }) })
  t.like(await answer, { ok: true, value: { id: '1@g.us' } })
})

test('an owner that is only slow keeps its number, and is waited for', async (t) => {
  const { rig, numberId, thaw, asked } = besideFrozen()
  const answer = rig.directory.askDevice(numberId, 'listGroups', {})
  await pass(rig, 15_000)
  thaw({ kind: 'answered', outcome: succeed([{ id: '1@g.us', name: 'a' }]) })
  t.like(await answer, { ok: true })
  t.deepEqual(asked, ['node_other'])
})

test('an ask carries its remaining time to the other node; a more patient caller waits longer and is told when the time is over', async (t) => {
  const { rig, asks, numberId } = besideNamed({ kind: 'elsewhere' }, { kind: 'answered', outcome: succeed(null) })
  const asked = rig.directory.askNumber(numberId, 'Logout', {})
  await settled()
  await pass(rig, 1_000, 25)
  await asked
  const left = asks.asked.map(({ ask }) => ask.withinMs)
  t.is(left[0], 20_000)
  t.true((left[1] ?? 0) < 20_000)

  const slow = createRig({
    asks: new (class extends ScriptedAsks {
      override ask = (): Promise<Asked> => new Promise(() => {})
    })(),
  })
  const slowId = slow.rows.addNumber({ credentials: 'blob' })
  slow.rows.leases.set(slowId, { owner: 'node_other', token: 7 })
  let late = 0
  void slow.directory.patiently(
    () => slow.directory.askNumber(slowId, 'Logout', {}),
    () => {
      late++
    },
  )
  await pass(slow, 19_000)
  t.is(late, 0)
  await pass(slow, 1_000)
  t.is(late, 1)
})

test('a command this node does not know, as of a later version, is refused and reaches no actor', async (t) => {
  const { wire, owner, numberId } = await twoNodes()
  const asks = await RedisAsks.open({
    wire,
    prefix: '',
    nodeId: newId('node'),
    secret: 'x'.repeat(32),
    clock: systemClock,
    log: silentLog,
  })
  const fence = { numberId, token: owner.rows.leases.get(numberId)?.token ?? 0 }
  for (const body of [
    { to: 'number', numberId, type: 'Dance', fields: {} },
    { to: 'number', numberId, type: 'AskDevice', fields: { op: 'dance', input: {} } },
    { to: 'number', numberId: newId('num'), type: 'CurrentCode', fields: {} },
    { to: 'call', numberId, type: 'Terminate', fields: {} },
    null,
    'text',
  ]) {
    t.like(await asks.ask(owner.nodeId, { id: newId('ask'), fence, withinMs: 5_000, body }), {
      kind: 'answered',
      outcome: { ok: false, error: { code: 'UNAVAILABLE' } },
    })
  }
  t.like(
    await asks.ask(owner.nodeId, {
      id: newId('ask'),
      fence,
      withinMs: 5_000,
      body: { to: 'number', numberId, type: 'CurrentCode', fields: {} },
    }),
    { kind: 'answered', outcome: { ok: true } },
  )
})

test('a number that just came here is asked once its session is open: for its clients it never left, and one that opens slowly is busy', async (t) => {
  const rig = createRig()
  const numberId = rig.rows.addNumber({ credentials: 'secret', state: 'OPEN' })
  const asked = rig.directory.askNumber(numberId, 'PlaceCall', {
    to: '5511999990001',
    bizOpaqueCallbackData: null,
    sdp: null,
  })
  await pass(rig, 1_000, 50)
  rig.driver.last.raise({ type: 'state', state: 'OPEN', reason: null })
  await pass(rig, 200, 50)
  t.like(await asked, { ok: true })
  const slow = createRig()
  const slowId = slow.rows.addNumber({ credentials: 'secret', state: 'OPEN' })
  const refused = slow.directory.askNumber(slowId, 'PlaceCall', {
    to: '5511999990001',
    bizOpaqueCallbackData: null,
    sdp: null,
  })
  await pass(slow, 5_500, 50)
  t.like(await refused, { ok: false, error: { code: 'BUSY', retryAfterSeconds: 1 } })
  await pass(slow, 26_000)
  const later = slow.directory.askNumber(slowId, 'PlaceCall', {
    to: '5511999990001',
    bizOpaqueCallbackData: null,
    sdp: null,
  })
  t.like(
    await later,
    { ok: false, error: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED' } },
    'after 30 s it counts as disconnected',
  )
})
