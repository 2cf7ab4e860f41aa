import test from 'ava'
import { applySettings, connectedNumber, createRig, pass, settled } from '../../rig.ts'

const PEER = '5511988880001'
const typing = (group: string | null = null) => ({ type: 'peerTyping', peer: PEER, group, state: 'typing' }) as const

// [embeds.typing.3]
test('that somebody writes is told of the person, or of the group, and settles and stores nothing', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const [events, settledBefore] = [rig.rows.events.length, rig.driver.last.settled.length]
  rig.driver.last.hint(typing())
  rig.driver.last.hint({ ...typing('77@g.us'), state: 'recording' })
  await settled()
  t.deepEqual(rig.told.typing, [
    { numberId, peer: PEER, state: 'typing' },
    { numberId, peer: '77@g.us', state: 'recording' },
  ])
  await pass(rig, 1_000)
  t.deepEqual([rig.rows.events.length, rig.driver.last.settled.length], [events, settledBefore])
})

test('a number that ignores groups tells nothing of them', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const settings = rig.rows.numbers.get(numberId)?.settings
  if (!settings) throw new Error('the number has a row')
  await applySettings(rig, numberId, { settings: { ...settings, ignoreGroups: true } })
  rig.driver.last.hint(typing('77@g.us'))
  rig.driver.last.hint(typing())
  await settled()
  t.deepEqual(rig.told.typing, [{ numberId, peer: PEER, state: 'typing' }])
})
