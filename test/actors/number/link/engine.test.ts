import test from 'ava'
import { createRig, settled } from '../../rig.ts'

const ENGINE = { name: 'paper', version: '2.1', capabilities: ['text', 'calls'], callMedia: null }
const WARNING = { level: 'warning', code: 'throttled', text: 'Slow down' }

/** A connected number. */
async function connected() {
  const rig = createRig()
  const numberId = rig.rows.addNumber({ credentials: 'blob' })
  await rig.directory.askNumber(numberId, 'CurrentCode', {})
  rig.driver.last.raise({ type: 'state', state: 'OPEN', reason: null })
  await settled()
  return { rig, numberId, row: () => rig.rows.numbers.get(numberId) }
}

test("an engine's description of itself is stored with the number and given to the next session", async (t) => {
  const { rig, numberId, row } = await connected()
  rig.driver.last.raise({ type: 'engine', engine: ENGINE })
  await settled()
  t.deepEqual(row()?.engine as unknown, ENGINE)
  t.is(row()?.state, 'OPEN')
  t.true((await rig.directory.askNumber(numberId, 'Logout', {})).ok)
  t.deepEqual(row()?.engine as unknown, ENGINE, 'the engine is the same after a logout')
  rig.driver.onOpen = (session) =>
    void session.raise({ type: 'qr', qr: 'qr-1', pairingCode: null, expiresInMs: 60_000 })
  await rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 })
  t.deepEqual(rig.driver.last.opening.engine as unknown, ENGINE)
})

// [engines.bridge.6]
test("the network's health report on a number is settled once it is stored, and only news are written", async (t) => {
  const { rig, row } = await connected()
  rig.rows.failing = 1
  const seq = rig.driver.last.raise({ type: 'health', health: WARNING })
  await settled(6)
  t.false(rig.driver.last.settled.includes(seq))
  rig.clock.advance(1_000)
  await settled()
  t.true(rig.driver.last.settled.includes(seq))
  t.deepEqual(row()?.sessionHealth as unknown, WARNING)
  const before = row()?.updatedAt
  rig.clock.advance(1_000)
  const again = rig.driver.last.raise({ type: 'health', health: WARNING })
  await settled()
  t.true(rig.driver.last.settled.includes(again))
  t.deepEqual(row()?.updatedAt, before)
})

test('a number that is unlinked has no health of the pairing before', async (t) => {
  const { rig, numberId, row } = await connected()
  rig.driver.last.raise({ type: 'health', health: WARNING })
  await settled()
  rig.driver.last.raise({ type: 'state', state: 'CLOSE', reason: 'logged_out' })
  await settled()
  t.is(row()?.sessionHealth, null)
  t.true((await rig.directory.askNumber(numberId, 'Logout', {})).ok)
})
