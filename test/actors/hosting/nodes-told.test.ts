import test from 'ava'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import { DEFAULT_SETTINGS } from '../../../src/domain/number.ts'
import { StoreAway } from '../../../src/domain/store-away.ts'
import type { Asked } from '../../../src/ports/asks.ts'
import { connectedNumber, createRig, pass, settled } from '../rig.ts'
import { besideNamed, besideFrozen } from './two-nodes.ts'

test('when no owner could be told of new settings or of read messages, it is told later, with the settings that the row has by then', async (t) => {
  const { rig, asks, numberId } = besideNamed({ kind: 'away' })
  const row = rig.rows.numbers.get(numberId)
  const patched = rig.directory.askNumber(numberId, 'ApplySettings', {
    settings: { ...DEFAULT_SETTINGS, alwaysOnline: true },
  })
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
  t.deepEqual(
    told.toSorted((a, b) => a.type.localeCompare(b.type)),
    [
      {
        to: 'number',
        numberId,
        type: 'ApplySettings',
        fields: { settings: row?.settings, piiMode: row?.piiMode, limits: null },
      },
      { to: 'number', numberId, type: 'ReadMessages', fields: { externalMessageIds: ['a', 'b'] } },
    ],
  )
  t.is(rig.errands.size, 0)
})

test('a change of a number is answered once it is noted, however long its owner is away, and the owner hears of it later', async (t) => {
  const { rig, numberId, thaw } = besideFrozen()
  const told = (['ApplySettings', 'Reopen'] as const).map((type) =>
    rig.directory.tellNumber(numberId, type, type === 'Reopen' ? ({} as never) : { settings: DEFAULT_SETTINGS }),
  )
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

test('a change that can be neither noted nor told is refused, and one that its owner heard is not', async (t) => {
  const away = new StoreAway('gone')
  const tell = async (answer: Asked) => {
    const { rig, numberId } = besideNamed(answer)
    rig.errands.note = () => Promise.reject(away)
    const told = rig.directory.tellNumber(numberId, 'ApplySettings', { settings: DEFAULT_SETTINGS })
    const outcome = told.catch((error: unknown) => error)
    await pass(rig, 2_000, 50)
    return await outcome
  }
  t.is(await tell({ kind: 'away' }), away)
  t.deepEqual(await tell({ kind: 'answered', outcome: succeed(null) }), succeed(null))
  const refused = fail(refuse('DEVICE_NETWORK_TIMEOUT', 'The phone did not answer'))
  t.deepEqual(await tell({ kind: 'answered', outcome: refused }), refused)
})

test('an errand is removed once the owner was told, and none is written for a number of this node', async (t) => {
  const { rig, numberId } = besideNamed({ kind: 'answered', outcome: succeed(null) })
  t.deepEqual(await rig.directory.askNumber(numberId, 'ReadMessages', { externalMessageIds: ['a'] }), succeed(null))
  t.is(rig.errands.size, 0)
  const own = createRig()
  const ownId = await connectedNumber(own)
  t.like(await own.directory.askNumber(ownId, 'ReadMessages', { externalMessageIds: ['a'] }), { ok: true })
  t.is(await own.errands.note(ownId, { kind: 'settings' }, 0), '1', 'the first that was ever noted')
})

test('what a number is told is noted by a node that did not run meanwhile, since another one may have the number', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const noted: unknown[] = []
  const note = rig.errands.note.bind(rig.errands)
  rig.errands.note = (id, errand, heldMs) => {
    noted.push(errand)
    return note(id, errand, heldMs)
  }
  const tell = () => rig.directory.tellNumber(numberId, 'ApplySettings', { settings: DEFAULT_SETTINGS })
  await tell()
  t.deepEqual(noted, [])
  rig.clock.stall(60_000)
  await tell()
  t.deepEqual(noted, [{ kind: 'settings' }])
})

test('changes of upstream for a number of another node are told to the nodes at once', async (t) => {
  const { rig, numberId } = besideNamed({ kind: 'absent' })
  await rig.directory.receive(numberId)
  await rig.directory.receive(numberId)
  t.deepEqual(rig.told.elsewhere, [numberId, numberId])
})
