import test from 'ava'
import { openTestPglite, sharedDatabase } from '../helpers/database.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'
import { storedNode, toldEnd, toldNumber, toldOffer, toldText } from './stored-node.ts'

const database = sharedDatabase(test, openTestPglite)
const worlds = worldsOver(database)

test('webhook-1: a call whose time is in milliseconds is stored at that time, and 330 messages and a call behind it are shown', async (t) => {
  const world = worlds()
  const { stores } = world
  const { numberId, post, workedOff } = await toldNumber(world)
  const { directory } = storedNode(database(), world, 'OFFICIAL')
  await post([
    toldOffer('wacid.P1', { timestamp: '1795586125000' }),
    ...Array.from({ length: 330 }, (_, at) => toldText(`wamid.${at}`)),
    toldOffer('wacid.P4'),
  ])
  await workedOff(directory.receive)
  t.deepEqual((await stores.calls.find(numberId, 'wacid.P1'))?.startedAt, new Date('2026-11-25T05:55:25Z'))
  for (const at of [0, 299, 329]) t.not(await stores.messages.find(numberId, `wamid.${at}`), null)
  t.not(await stores.calls.find(numberId, 'wacid.P4'), null)
  await directory.stop()
})

const ENDS = [
  [
    'webhook-2: the end of a call that lasted longer than 4 bytes hold is stored',
    { start_time: '1795586125', end_time: '1795586130', duration: 2_147_483_648 },
    2_147_483_647,
  ],
  [
    'webhook-3: the end of a call that lasted less than nothing is stored, with no second',
    { start_time: '1795586130', end_time: '1795586121', duration: -9 },
    0,
  ],
] as const

for (const [title, end, seconds] of ENDS) {
  test(title, async (t) => {
    const world = worlds()
    const { stores } = world
    const { numberId, post, workedOff } = await toldNumber(world)
    const { directory } = storedNode(database(), world, 'OFFICIAL')
    await post([toldOffer('wacid.P', { timestamp: String(Math.floor(Date.now() / 1_000)) })])
    await workedOff(directory.receive)
    const call = await stores.calls.find(numberId, 'wacid.P')
    if (!call) return t.fail('the call did not come')
    t.like(await directory.askCall(numberId, call.id, 'Accept', { sdp: 'our answer' }), {
      ok: true,
      value: { status: 'ACCEPTED' },
    })
    await post([toldEnd('wacid.P', end)])
    await workedOff(directory.receive)
    t.like(await stores.calls.find(numberId, 'wacid.P'), { status: 'COMPLETED', durationSeconds: seconds })
    return await directory.stop()
  })
}
