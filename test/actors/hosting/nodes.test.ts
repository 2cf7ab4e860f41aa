import test from 'ava'
import { RedisAsks } from '../../../src/cluster/asks-redis.ts'
import { DEVICE_OP_NAMES, DEVICE_OPS } from '../../../src/domain/device-ops.ts'
import { succeed } from '../../../src/domain/errors.ts'
import type { Asked, Asks, NodeAsk } from '../../../src/ports/asks.ts'
import { DEFAULT_SETTINGS } from '../../../src/domain/number.ts'
import type { NodeId, NumberId } from '../../../src/domain/ids.ts'
import { newId } from '../../../src/domain/ids.ts'
import { MemoryRows } from '../../helpers/memory/rows.ts'
import { silentLog } from '../../helpers/silent.ts'
import { systemClock } from '../../../src/process/clock.ts'
import { TestWire } from '../../helpers/test-wire.ts'
import { connectedNumber, createRig, pass, settled } from '../rig.ts'
import type { Rig } from '../rig.ts'

/** Two nodes over the same rows that hear each other; the first holds a number whose session is open. */
async function twoNodes() {
  const rows = new MemoryRows()
  const wire = new TestWire()
  const make = async () => {
    const nodeId = newId('node')
    const asks = await RedisAsks.open({ wire, prefix: '', nodeId, secret: 'x'.repeat(32), clock: systemClock, log: silentLog })
    return createRig({ rows, asks, nodeId })
  }
  const owner = await make()
  const numberId = await connectedNumber(owner)
  const other = await make()
  return { rows, wire, owner, other, numberId }
}

/** Asks that are answered as the test says, one after another; the last answer repeats. */
class ScriptedAsks implements Asks {
  readonly asked: { readonly nodeId: NodeId, readonly ask: NodeAsk }[] = []
  answers: readonly Asked[]

  constructor(...answers: readonly Asked[]) {
    this.answers = answers
  }

  async ask(nodeId: NodeId, ask: NodeAsk): Promise<Asked> {
    this.asked.push({ nodeId, ask })
    return this.answers[Math.min(this.asked.length, this.answers.length) - 1] ?? { kind: 'absent' }
  }

  serve(): void {}
}

/** A node beside one that is only a name in the lease of a number. */
function besideNamed(...answers: readonly Asked[]): { rig: Rig, asks: ScriptedAsks, numberId: NumberId } {
  const asks = new ScriptedAsks(...answers)
  const rig = createRig({ asks })
  const numberId = rig.rows.addNumber({ credentials: 'blob' })
  rig.rows.leases.set(numberId, { owner: 'node_other', token: 7 })
  return { rig, asks, numberId }
}

test('a command for a number of another node is done there, and answered here', async (t) => {
  const { owner, other, numberId } = await twoNodes()
  const placed = await other.directory.askNumber(numberId, 'PlaceCall', { to: '5511999990001', bizOpaqueCallbackData: null, sdp: null })
  t.like(placed, { ok: true, value: { status: 'INITIATED' } })
  t.deepEqual([owner.driver.sessions.length, other.driver.sessions.length], [1, 0])
  t.deepEqual([owner.directory.stats().calls, other.directory.stats().calls], [1, 0])
  const callId = placed.ok ? placed.value.id : newId('call')
  t.deepEqual(await other.directory.askCall(numberId, callId, 'Terminate', {}), succeed({ id: callId, status: 'MISSED' }))
})

test('an owner refuses a command under a token that is not its own, and does it under the one that is', async (t) => {
  const { rows, owner, other, numberId } = await twoNodes()
  const token = rows.leases.get(numberId)?.token ?? 0
  rows.leases.set(numberId, { owner: owner.nodeId, token: token + 1 })
  const asked = other.directory.askNumber(numberId, 'PlaceCall', { to: '5511999990001', bizOpaqueCallbackData: null, sdp: null })
  await pass(other, 1_000, 100)
  t.is(owner.directory.stats().calls, 0)
  rows.leases.set(numberId, { owner: owner.nodeId, token })
  await pass(other, 1_000, 100)
  t.like(await asked, { ok: true })
  t.is(owner.directory.stats().calls, 1)
})

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

test('a number that just moved is asked of its next owner', async (t) => {
  const { rig, asks, numberId } = besideNamed({ kind: 'elsewhere' }, { kind: 'answered', outcome: succeed(null) })
  const asked = rig.directory.askNumber(numberId, 'Logout', {})
  rig.rows.leases.set(numberId, { owner: 'node_next', token: 8 })
  await pass(rig, 1_000, 100)
  t.deepEqual(await asked, succeed(null))
  t.deepEqual(asks.asked.map(({ nodeId, ask }) => [nodeId, ask.fence.token]).at(-1), ['node_next', 8])
})

test('a number with no owner that hears is NOT_OWNER after 10 s, and after 1 s where nodes cannot hear each other', async (t) => {
  for (const [kind, afterMs] of [['absent', 10_000], ['elsewhere', 10_000], ['away', 1_000]] as const) {
    const { rig, numberId } = besideNamed({ kind })
    let answered = false
    const asked = rig.directory.askNumber(numberId, 'CurrentCode', {}).finally(() => { answered = true })
    await pass(rig, afterMs - 500, 50)
    t.false(answered, kind)
    await pass(rig, 500, 50)
    t.like(await asked, { ok: false, error: { code: 'NOT_OWNER', retryAfterSeconds: 1 } }, kind)
  }
})

test('a command that may have run and whose answer is lost is TIMEOUT and is not asked again; a look is', async (t) => {
  const once = besideNamed({ kind: 'lost' })
  t.like(await once.rig.directory.askNumber(once.numberId, 'PlaceCall', { to: '1', bizOpaqueCallbackData: null, sdp: null }), { ok: false, error: { code: 'TIMEOUT' } })
  t.is(once.asks.asked.length, 1)
  const look = besideNamed({ kind: 'lost' }, { kind: 'answered', outcome: succeed([]) })
  const asked = look.rig.directory.askDevice(look.numberId, 'listGroups', {})
  await pass(look.rig, 1_000, 50)
  t.deepEqual(await asked, succeed([]))
})

for (const op of DEVICE_OP_NAMES) {
  const { repeat, example } = DEVICE_OPS[op]
  test(`${op} is asked ${repeat} where the answer of another node is lost`, async (t) => {
    const { rig, asks, numberId } = besideNamed({ kind: 'lost' }, { kind: 'answered', outcome: succeed(example.answer) })
    const asked = rig.directory.askDevice(numberId, op, example.question)
    await pass(rig, 1_000, 50)
    if (repeat === 'again') t.deepEqual(await asked, succeed(example.answer))
    else t.like(await asked, { ok: false, error: { code: 'TIMEOUT' } })
    t.is(asks.asked.length, repeat === 'again' ? 2 : 1)
  })
}

/** A number of a node that heard what it was asked and does not run any more; `thaw` has it answer. */
function besideFrozen() {
  const answered = Promise.withResolvers<Asked>()
  const beside = besideNamed()
  const asked: NodeId[] = []
  const withinMs: number[] = []
  beside.asks.ask = async (nodeId, ask) => {
    asked.push(nodeId)
    withinMs.push(ask.withinMs)
    return nodeId === 'node_other' ? await answered.promise : { kind: 'answered', outcome: succeed([]) }
  }
  return { ...beside, asked, withinMs, thaw: answered.resolve }
}

test('what only looks is asked of the next owner once the lease of one that does not answer is over', async (t) => {
  const { rig, numberId, asked } = besideFrozen()
  const answer = rig.directory.askDevice(numberId, 'listGroups', {})
  await settled()
  await pass(rig, 5_000)
  rig.rows.leases.set(numberId, { owner: 'node_next', token: 8 })
  await pass(rig, 4_000, 50)
  t.deepEqual(await answer, succeed([]))
  t.deepEqual(asked, ['node_other', 'node_next'])
})

test('the next owner has what is left of 10 s, and what the route itself waits', async (t) => {
  const asks = [
    [(rig: Rig, numberId: NumberId) => rig.directory.askDevice(numberId, 'listGroups', {}), 0], [(rig: Rig, numberId: NumberId) => rig.directory.askNumber(numberId, 'Pair', { waitMs: 7_000 }), 7_000],
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

test('who asked an owner that does not answer for what may not be done twice is told so as soon as its lease is over', async (t) => {
  const { rig, numberId, asked } = besideFrozen()
  const answer = rig.directory.askDevice(numberId, 'createGroup', { subject: 'a', participants: [] })
  await settled()
  await pass(rig, 5_000)
  rig.rows.leases.set(numberId, { owner: 'node_other', token: -7 })
  await pass(rig, 4_000)
  t.like(await answer, { ok: false, error: { code: 'TIMEOUT' } })
  t.deepEqual(asked, ['node_other'])
})

test('who can use an answer that comes late is told at once too, and hears what the owner says when it runs again', async (t) => {
  const { rig, numberId, thaw } = besideFrozen()
  let late = 0
  const answer = rig.directory.patiently(() => rig.directory.askDevice(numberId, 'createGroup', { subject: 'a', participants: [] }), () => { late++ })
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

test('what an asker has left of its time travels, and whoever is patient waits longer and hears when the time is over', async (t) => {
  const { rig, asks, numberId } = besideNamed({ kind: 'elsewhere' }, { kind: 'answered', outcome: succeed(null) })
  const asked = rig.directory.askNumber(numberId, 'Logout', {})
  await settled()
  await pass(rig, 1_000, 25)
  await asked
  const left = asks.asked.map(({ ask }) => ask.withinMs)
  t.is(left[0], 20_000)
  t.true((left[1] ?? 0) < 20_000)

  const slow = createRig({ asks: new (class extends ScriptedAsks { override ask = (): Promise<Asked> => new Promise(() => {}) })() })
  const slowId = slow.rows.addNumber({ credentials: 'blob' })
  slow.rows.leases.set(slowId, { owner: 'node_other', token: 7 })
  let late = 0
  void slow.directory.patiently(() => slow.directory.askNumber(slowId, 'Logout', {}), () => { late++ })
  await pass(slow, 19_000)
  t.is(late, 0)
  await pass(slow, 1_000)
  t.is(late, 1)
})

test('a command this node does not know, as of a later version, is refused and reaches no actor', async (t) => {
  const { wire, owner, numberId } = await twoNodes()
  const asks = await RedisAsks.open({ wire, prefix: '', nodeId: newId('node'), secret: 'x'.repeat(32), clock: systemClock, log: silentLog })
  const fence = { numberId, token: owner.rows.leases.get(numberId)?.token ?? 0 }
  for (const body of [
    { to: 'number', numberId, type: 'Dance', fields: {} }, { to: 'number', numberId, type: 'AskDevice', fields: { op: 'dance', input: {} } },
    { to: 'number', numberId: newId('num'), type: 'CurrentCode', fields: {} }, { to: 'call', numberId, type: 'Terminate', fields: {} }, null, 'text',
  ]) {
    t.like(await asks.ask(owner.nodeId, { id: newId('ask'), fence, withinMs: 5_000, body }), { kind: 'answered', outcome: { ok: false, error: { code: 'UNAVAILABLE' } } })
  }
  t.like(await asks.ask(owner.nodeId, { id: newId('ask'), fence, withinMs: 5_000, body: { to: 'number', numberId, type: 'CurrentCode', fields: {} } }), { kind: 'answered', outcome: { ok: true } })
})

test('settings that no owner could be told of are told later, as the row has them then, and what was read too', async (t) => {
  const { rig, asks, numberId } = besideNamed({ kind: 'away' })
  const row = rig.rows.numbers.get(numberId)
  const patched = rig.directory.askNumber(numberId, 'ApplySettings', { settings: { ...DEFAULT_SETTINGS, alwaysOnline: true } })
  const read = rig.directory.askNumber(numberId, 'ReadMessages', { externalMessageIds: ['a', 'b'] })
  await pass(rig, 1_000, 50)
  for (const answer of await Promise.all([patched, read])) t.like(answer, { ok: false, error: { code: 'NOT_OWNER' } })
  t.is(rig.errands.size, 2)
  await rig.directory.workErrands()
  t.is(asks.asked.length > 0, true)
  const before = asks.asked.length
  rig.clock.advance(25_000)
  asks.answers = [{ kind: 'answered', outcome: succeed(null) }]
  await rig.directory.workErrands()
  const told = asks.asked.slice(before).map(({ ask }) => ask.body as { readonly type: string })
  t.deepEqual(told.toSorted((a, b) => a.type.localeCompare(b.type)), [
    { to: 'number', numberId, type: 'ApplySettings', fields: { settings: row?.settings, piiMode: row?.piiMode } },
    { to: 'number', numberId, type: 'ReadMessages', fields: { externalMessageIds: ['a', 'b'] } },
  ])
  t.is(rig.errands.size, 0)
})

test('a change of a number is answered once it is noted, however long its owner is away, and the owner hears of it later', async (t) => {
  const { rig, numberId, thaw } = besideFrozen()
  const told = (['ApplySettings', 'Reopen'] as const).map((type) => rig.directory.tellNumber(numberId, type, type === 'Reopen' ? {} as never : { settings: DEFAULT_SETTINGS }))
  await settled()
  t.is(rig.errands.size, 2)
  await pass(rig, 1_000, 100)
  for (const answer of await Promise.all(told)) t.deepEqual(answer, succeed(null))
  t.is(rig.errands.size, 2, 'nobody heard yet')
  thaw({ kind: 'answered', outcome: succeed(null) })
  await settled()
  t.is(rig.errands.size, 0)
  const lost = besideNamed({ kind: 'away' })
  const noted = lost.rig.directory.tellNumber(lost.numberId, 'Reopen', {})
  await pass(lost.rig, 2_000, 100)
  await noted
  lost.rig.clock.advance(25_000)
  lost.asks.answers = [{ kind: 'answered', outcome: succeed(null) }]
  await lost.rig.directory.workErrands()
  t.like(lost.asks.asked.at(-1)?.ask.body, { type: 'Reopen' })
  t.is(lost.rig.errands.size, 0)
})

test('what an owner was told leaves nothing behind, and a number of this node none at all', async (t) => {
  const { rig, numberId } = besideNamed({ kind: 'answered', outcome: succeed(null) })
  t.deepEqual(await rig.directory.askNumber(numberId, 'ReadMessages', { externalMessageIds: ['a'] }), succeed(null))
  t.is(rig.errands.size, 0)
  const own = createRig()
  const ownId = await connectedNumber(own)
  t.like(await own.directory.askNumber(ownId, 'ReadMessages', { externalMessageIds: ['a'] }), { ok: true })
  t.is(await own.errands.note(ownId, { kind: 'settings' }, 0), '1', 'the first that was ever noted')
})

test('changes of upstream for a number of another node are told to the nodes at once', async (t) => {
  const { rig, numberId } = besideNamed({ kind: 'absent' })
  await rig.directory.receive(numberId)
  await rig.directory.receive(numberId)
  t.deepEqual(rig.told.elsewhere, [numberId, numberId])
})

test('a number that just came here is asked once its session is open: for its clients it never left, and one that opens slowly is busy', async (t) => {
  const rig = createRig()
  const numberId = rig.rows.addNumber({ credentials: 'secret', state: 'OPEN' })
  const asked = rig.directory.askNumber(numberId, 'PlaceCall', { to: '5511999990001', bizOpaqueCallbackData: null, sdp: null })
  await pass(rig, 1_000, 50)
  rig.driver.last.raise({ type: 'state', state: 'OPEN', reason: null })
  await pass(rig, 200, 50)
  t.like(await asked, { ok: true })
  const slow = createRig()
  const slowId = slow.rows.addNumber({ credentials: 'secret', state: 'OPEN' })
  const refused = slow.directory.askNumber(slowId, 'PlaceCall', { to: '5511999990001', bizOpaqueCallbackData: null, sdp: null })
  await pass(slow, 5_500, 50)
  t.like(await refused, { ok: false, error: { code: 'BUSY', retryAfterSeconds: 1 } })
  await pass(slow, 26_000)
  const later = slow.directory.askNumber(slowId, 'PlaceCall', { to: '5511999990001', bizOpaqueCallbackData: null, sdp: null })
  t.like(await later, { ok: false, error: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED' } }, 'after 30 s it counts as disconnected')
})
